import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir } from '../../temp-dir.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));

/** The tokens of each model in the table `usage` of a data set, without those that count elsewhere. */
async function sumTokens(lake: string): Promise<ReadonlyMap<unknown, number>> {
  const sums = new Map<unknown, number>();
  const names = readdirSync(join(lake, 'usage'), { recursive: true, encoding: 'utf8' });
  for (const name of names.filter((one) => one.endsWith('.parquet'))) {
    const file = await asyncBufferFromFile(join(lake, 'usage', name));
    for (const { model, total_tokens: tokens, inherited } of await parquetReadObjects({ file })) {
      const key = model ?? '(none)';
      if (inherited !== true) sums.set(key, (sums.get(key) ?? 0) + Number(tokens));
    }
  }
  return sums;
}

it.each([
  ['claude-code', { CLAUDE_CONFIG_DIR: join(FIXTURES, 'claude-code/home/.claude') }],
  ['codex', { CODEX_HOME: join(FIXTURES, 'codex/home') }],
])('tables count what list --by does, with the sub-agents of %s', async (agent, env) => {
  const home = await makeTempDir();
  const world = { cwd: home, home, env };
  const argv = ['export', '--agent', agent, '--as', 'parquet', '--out', 'lake'];
  expect((await runTest(argv, world)).exitCode).toBe(0);
  const { out } = await runTest(['list', '--agent', agent, '--by', 'model', '--json'], world);
  const { results } = JSON.parse(out) as {
    readonly results: readonly {
      readonly model: string;
      readonly tokens: { totalTokens: number };
    }[];
  };
  const listed = results.flatMap(({ model, tokens: { totalTokens } }) =>
    totalTokens > 0 ? [[model, totalTokens] as const] : [],
  );
  expect(listed.length).toBeGreaterThan(0);
  expect(await sumTokens(join(home, 'lake'))).toEqual(new Map(listed));
  expect((await runTest(argv, world)).out).toContain('Exported 0 of');
});
