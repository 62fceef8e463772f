import { cp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir } from '../../temp-dir.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/codex');

interface Tokens {
  readonly input: number;
}

interface Result {
  readonly path: string;
  readonly usage: Tokens;
  readonly inheritedUsage: Tokens;
  readonly subagents?: readonly { readonly usage: Tokens }[];
}

const add = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0);

it('counts what a thread has of another one for the other, also by the index and in totals', async () => {
  const dir = await makeTempDir();
  await cp(FIXTURES, dir, { recursive: true });
  const run = async <T>(...args: string[]): Promise<readonly T[]> => {
    const world = { cwd: dir, home: dir, env: { XDG_CACHE_HOME: join(dir, 'cache') } };
    const { out } = await runTest(['list', '.', ...args, '--json'], world);
    return (JSON.parse(out) as { results: readonly T[] }).results;
  };
  for (const args of [['--no-cache'], [], []]) {
    const sessions = (await run<Result>('--usage', ...args)).filter(({ usage }) => usage);
    const inherited = sessions.flatMap(({ path, inheritedUsage: { input } }) =>
      input > 0 ? [[basename(path), input]] : [],
    );
    expect(Object.fromEntries(inherited)).toMatchObject({
      'era-0.130-fork.jsonl': 510,
      'made-fork-flattened.jsonl': 90,
    });
    const own = sessions.map(({ usage, inheritedUsage }) => usage.input - inheritedUsage.input);
    const below = sessions.flatMap(({ subagents = [] }) =>
      subagents.map(({ usage }) => usage.input),
    );
    const totals = await run<{ readonly tokens: Tokens }>('--by', 'day', ...args);
    expect(add(totals.map(({ tokens }) => tokens.input))).toBe(add([...own, ...below]));
  }
});
