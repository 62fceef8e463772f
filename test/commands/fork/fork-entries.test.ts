import { copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeOld, makeTempDir } from '../../temp-dir.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');

it.each(
  [
    'recorded/0.87.1-every-message.jsonl',
    'neovate/config-summary.jsonl',
    'claude-code/recorded-tui-branch.jsonl',
    'codex/linear-tools.jsonl',
  ].flatMap((name) => [[], ['--whole']].map((args) => [name, args] as const)),
)('counts the entries of a fork of %s as the list does: %j', async (name, args) => {
  const dir = await makeTempDir();
  const path = join(dir, basename(name));
  await copyFile(join(FIXTURES, name), path);
  await makeOld([path]);
  const run = async (...words: readonly string[]) => {
    const { out } = await runTest([...words, '--json'], { cwd: dir, home: dir });
    const { results } = JSON.parse(out) as { results: { path: string; entries?: number }[] };
    return results;
  };
  const [made] = await run('fork', path, ...args);
  const listed = await run('list', made?.path ?? '');
  expect(listed).toMatchObject([{ entryCount: made?.entries }]);
});
