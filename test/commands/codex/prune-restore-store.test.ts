import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { copyHome } from '../../session/agents/codex/corpus.ts';
import { readRows } from '../../store/database/read-rows.ts';

const ARCHIVED = 'archived_sessions';

let world: string;
let home: string;

beforeEach(async () => {
  ({ world, home } = await copyHome());
});

async function run(...args: readonly string[]) {
  const argv = ['prune', '--archive', 'bk', ...args, '--json'];
  const { exitCode, out } = await runTest(argv, { home: world, cwd: world, env: {} });
  return { exitCode, results: (JSON.parse(out) as { results: readonly PruneResult[] }).results };
}

const ALL = ['--larger-than', '1B', '--grace', '0min', '--allow-empty', '--include-pinned'];
const listArchived = () => readdirSync(join(home, ARCHIVED)).toSorted();

it('restores an archived thread into no store of sessions, where Codex would not find it', async () => {
  const before = { files: listArchived(), rows: await readRows(home) };
  await run(...ALL, '--include-parents', '--apply');
  expect(listArchived()).toEqual([]);
  const { exitCode, results } = await run('--restore', 'all', '--store', join(home, 'sessions'));
  expect(exitCode).toBe(3);
  const failed = results.filter(({ action }) => action === 'fail');
  expect(failed.map(({ reasons }) => reasons)).toEqual([
    [
      `not restored: was in ${ARCHIVED}, and not in sessions; name a --store that ends in ${ARCHIVED}`,
    ],
  ]);
  expect(existsSync(join(home, 'sessions', ARCHIVED))).toBe(false);
  const rest = await run('--restore', 'all', '--store', join(home, ARCHIVED));
  expect(rest.results.map(({ action }) => action)).toContain('restore');
  expect({ files: listArchived(), rows: await readRows(home) }).toEqual(before);
});

it('restores both kinds of threads into a directory above their stores', async () => {
  const before = listArchived();
  await run(...ALL, '--include-parents', '--apply');
  rmSync(join(home, ARCHIVED), { recursive: true });
  expect(await run('--restore', 'all', '--store', home)).toMatchObject({ exitCode: 0 });
  expect(listArchived()).toEqual(before);
});
