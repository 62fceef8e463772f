import { readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));

/** Sessions of each agent with answers that report what they used. */
const SESSIONS: Readonly<Record<string, () => Promise<string>>> = {
  pi: () => Promise.resolve(toJsonl(sampleSession())),
  neovate: () => readFile(join(FIXTURES, 'neovate/bang-slash-plan.jsonl'), 'utf8'),
  'claude-code': () => readFile(join(FIXTURES, 'claude-code/recorded-tui-branch.jsonl'), 'utf8'),
  codex: () => readFile(join(FIXTURES, 'codex/apply-patch.jsonl'), 'utf8'),
};

/** Members of usage, as the agents name them. */
const COUNT =
  /("(?:input|output|totalTokens|total|input_tokens|output_tokens|promptTokens|completionTokens)":)\d[\d.]*/g;

it.each(
  Object.keys(SESSIONS).flatMap((agent) => ['1e400', '1e308', '-1e999'].map((one) => [agent, one])),
)('sums of %s are finite, and the same from the index, if a count is %s', async (agent, count) => {
  const home = await makeTempDir();
  const text = (await SESSIONS[agent]?.()) ?? '';
  const changed = text.replaceAll(COUNT, `$1${count}`);
  expect(changed).not.toBe(text);
  await writeFiles(home, { 's/a.jsonl': changed, 's/b.jsonl': changed });
  for (const name of ['a', 'b']) await utimes(join(home, `s/${name}.jsonl`), 1.7e9, 1.7e9);
  const list = async (...args: string[]) => {
    const run = await runTest(['list', '--store', 's', ...args], { cwd: home, home });
    expect(run).toMatchObject({ exitCode: 0, err: '' });
    return run.out;
  };
  for (const view of [['--usage'], ['--by', 'model'], ['--by', 'day']]) {
    const [first, again] = [await list(...view, '--json'), await list(...view, '--json')];
    expect(again).toBe(first);
    expect(await list(...view, '--json', '--no-cache')).toBe(first);
    expect(first).not.toMatch(/"(?:input|output|cacheRead|cacheWrite|totalTokens|cost)": ?null/);
    expect(await list(...view)).not.toMatch(/∞|NaN|Infinity/);
  }
});
