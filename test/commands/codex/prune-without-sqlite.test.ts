import { cpSync, existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';
import { withoutSqlite } from '../../without-sqlite.ts';
import { getOwnPlace } from '../../../src/session/jsonl/files/process-place.ts';
import type { PruneResult } from '../../../src/report/prune/columns.ts';

const OTHER = '.pi/agent/sessions/--p--/s.jsonl';
const SESSIONS = 9;

it.each([
  ['', []],
  ['--apply --delete', ['--apply', '--delete']],
  ['--apply --archive old', ['--apply', '--archive', 'old']],
  ['--apply --flatten', ['--apply', '--flatten']],
])(
  'prune keeps threads whose rows this Node cannot write, says so once, and removes others: %s',
  async (_, how) => {
    const home = await makeTempDir();
    const codex = join(home, '.codex');
    cpSync(join(FIXTURES, 'home'), codex, { recursive: true });
    await writeFiles(home, { [OTHER]: sampleSession({ id: 'pi-one' }) });
    utimesSync(join(home, OTHER), 1.7e9, 1.7e9);
    const before = readdirSync(codex, { recursive: true });
    const rules = ['--larger-than', '1B', '--grace', '0min', '--allow-empty'];
    const argv = ['prune', ...rules, ...how, '--json'];
    const { exitCode, out, err } = await withoutSqlite(() =>
      runTest(argv, { home, cwd: home, env: {} }),
    );
    expect(exitCode).toBe(3);
    expect(err.match(/use Node 22\.13 or newer/g)).toHaveLength(1);
    const { results } = JSON.parse(out) as { results: readonly PruneResult[] };
    const threads = results.filter(({ agent }) => agent === 'codex');
    expect(threads).toHaveLength(SESSIONS);
    expect(new Set(threads.map(({ action }) => action))).toEqual(new Set(['keep']));
    expect(results.find(({ agent }) => agent === 'pi')?.action).toBe('remove');
    expect(existsSync(join(home, OTHER))).toBe(how.length === 0);
    expect(readdirSync(codex, { recursive: true })).toEqual(before);
  },
);

it.each([
  ['of another agent', ['--agent', 'pi', '--larger-than', '1B']],
  ['of another agent', ['--agent', 'pi', '--keep-last', '0', '--apply', '--delete']],
  ['of another project', ['--project', '/home/dev/orchard', '--larger-than', '1B']],
  ['that are larger', ['--larger-than', '1GB']],
  ['that a plan names', ['--plan', 'plan', '--apply', '--delete']],
])('prune of sessions %s does not complain about threads: %j', async (_, how) => {
  const home = await makeTempDir();
  cpSync(join(FIXTURES, 'home'), join(home, '.codex'), { recursive: true });
  await writeFiles(home, { [OTHER]: sampleSession({ id: 'pi-one' }) });
  utimesSync(join(home, OTHER), 1.7e9, 1.7e9);
  const rules = ['--grace', '0min', '--allow-empty'];
  const run = (...argv: string[]) =>
    withoutSqlite(() => runTest(['prune', ...argv], { home, cwd: home, env: {} }));
  const isPlanned = how.includes('--plan');
  if (isPlanned) await run(...rules, '--agent', 'pi', '--larger-than', '1B', '--plan-out', 'plan');
  const { exitCode, err } = await run(...(isPlanned ? [] : rules), ...how);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
  expect(existsSync(join(home, OTHER))).toBe(!how.includes('--apply'));
});

it.each(['no database of threads', 'a note of a run that was killed'])(
  'prune removes others also where a home of Codex has %s',
  async (what) => {
    const home = await makeTempDir();
    const codex = join(home, '.codex');
    cpSync(join(FIXTURES, 'home'), codex, { recursive: true });
    if (what.startsWith('no ')) rmSync(join(codex, 'state_5.sqlite'));
    else {
      const gone = { path: '/gone.jsonl', id: '01a1fffd-0000-7000-8000-000000000000', count: 1 };
      const name = `.rows.4194999@${getOwnPlace()}.0123456789ab.coppice-leaving`;
      writeFileSync(join(codex, name), `${JSON.stringify(gone)}\n`);
    }
    await writeFiles(home, { [OTHER]: sampleSession({ id: 'pi-one' }) });
    utimesSync(join(home, OTHER), 1.7e9, 1.7e9);
    const rules = ['--larger-than', '1B', '--grace', '0min', '--allow-empty', '--include-pinned'];
    const { exitCode } = await withoutSqlite(() =>
      runTest(['prune', ...rules, '--apply'], { home, cwd: home, env: {} }),
    );
    expect(exitCode).toBe(3);
    expect(existsSync(join(home, OTHER))).toBe(false);
  },
);

it.each([[], ['--dry-run']])(
  'a restore of rows that this Node cannot write is refused: %s',
  async (...how) => {
    const home = await makeTempDir();
    cpSync(join(FIXTURES, 'home'), join(home, '.codex'), { recursive: true });
    const run = (...argv: string[]) => runTest(argv, { home, cwd: home, env: {} });
    expect(
      (await run('export', '--agent', 'codex', '--as', 'archive', '--out', 'a')).exitCode,
    ).toBe(0);
    const { exitCode, err } = await withoutSqlite(() =>
      run('prune', '--archive', 'a', '--restore', 'all', ...how),
    );
    expect([exitCode, err]).toEqual([2, expect.stringContaining('use Node 22.13 or newer')]);
  },
);
