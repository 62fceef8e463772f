import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { copyHome, getRecorded, placeIn } from '../../session/agents/codex/corpus.ts';
import { makeFamily, PARENT } from '../../session/agents/codex/made-family.ts';
import { openWritable } from '../../store/database/open-writable.ts';
import { makeTempDir } from '../../temp-dir.ts';
import type { PruneResult } from '../../../src/report/prune/columns.ts';

const LINEAR = '01a1fffd-5af9-75b0-aac2-5de81901cecc';
const ALL = ['--larger-than', '1B', '--grace', '0s', '--allow-empty', '--include-pinned'];

async function prune(home: string, ...argv: readonly string[]) {
  const options = { cwd: home, home, env: { CODEX_HOME: home } };
  return runTest(['prune', '--agent', 'codex', ...ALL, '--delete', '--apply', ...argv], options);
}

it.each(['config.toml', 'thread-writer-locks'])(
  'prune keeps a thread while %s cannot be read, and exits with 3',
  async (name) => {
    const home = await makeTempDir();
    const path = await placeIn(home, getRecorded('linear-tools'));
    symlinkSync(name, join(home, name));
    const { exitCode, err } = await prune(home);
    expect([exitCode, err]).toEqual([3, expect.stringContaining('too many symbolic links')]);
    expect(existsSync(path)).toBe(true);
  },
);

it('prune keeps what a fork needs that cannot be rewritten, and exits with 3', async () => {
  const home = await makeTempDir();
  const parent = makeFamily(home).get(PARENT) ?? '';
  const lock = join(home, 'thread-writer-locks');
  const kept = ['2', '3', '4'].flatMap((end) => ['--keep-id', PARENT.replace(/1$/, end)]);
  symlinkSync('thread-writer-locks', lock);
  const { exitCode } = await prune(home, ...kept, '--flatten');
  expect([exitCode, existsSync(parent)]).toEqual([3, true]);
});

it('prune keeps a thread whose file cannot be looked up where its agent has it, and exits with 3', async () => {
  const { world, home } = await copyHome();
  symlinkSync('loop', join(home, 'loop'));
  const there = join(home, 'loop', 'rollout.jsonl');
  const database = openWritable(join(home, 'state_5.sqlite'));
  database.exec(`UPDATE threads SET rollout_path = '${there}' WHERE id = '${LINEAR}'`);
  database.close();
  const argv = ['prune', LINEAR, ...ALL, '--json'];
  const { exitCode, out, err } = await runTest(argv, { cwd: world, home: world, env: {} });
  expect([exitCode, err]).toEqual([3, expect.stringContaining('cannot look up')]);
  const { results } = JSON.parse(out) as { results: readonly PruneResult[] };
  const reasons = [`${there}: cannot look up: too many symbolic links`];
  expect(results.find(({ id }) => id === LINEAR)).toMatchObject({ action: 'keep', reasons });
});
