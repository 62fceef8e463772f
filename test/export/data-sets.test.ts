import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../memory-terminal.ts';
import { assistant, toSession, user } from '../session-lines.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';

/** What a command prints about a session of these lines. */
async function run(lines: readonly object[], ...argv: readonly string[]): Promise<string> {
  const dir = await makeTempDir();
  await writeFiles(dir, { 's.jsonl': lines });
  const { out, err, exitCode } = await runTest([...argv, join(dir, 's.jsonl')], { cwd: dir });
  if (exitCode !== 0) throw new Error(err);
  return out;
}

const stranger = { role: 'board', content: 'move 3', timestamp: 0 };
const withStranger = toSession([user('Go.'), stranger, assistant('Done.')]);

it.each(['chat', 'atif', 'sts'])('has no message of an unknown role as %s', async (as) => {
  expect(await run(withStranger, 'export', '--as', as)).not.toContain('move 3');
});

it('lists a message of an unknown role as not sent', async () => {
  const out = await run(withStranger, 'list', '--entries', '--json');
  const { results } = JSON.parse(out) as { results: readonly { readonly inContext: boolean }[] };
  expect(results.map(({ inContext }) => inContext)).toEqual([true, false, true]);
});
