import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { branchedSession } from '../../branched-session.ts';
import { runTest } from '../../memory-terminal.ts';
import { asOrdinaryUser, shareNewFiles } from '../../ordinary-user.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

shareNewFiles();

it('counts a failure of the system as one of the run, and a mistake as one of the command line', async () => {
  const dir = await makeTempDir();
  await writeFiles(dir, { 'p/s.jsonl': branchedSession(), 'taken.jsonl': 'mine\n' });
  await mkdir(join(dir, 'closed'));
  await chmod(join(dir, 'closed'), 0o555);
  await chmod(dir, 0o755);
  const fork = async (...args: string[]) =>
    asOrdinaryUser(() => runTest(['fork', 'p/s.jsonl', ...args], { cwd: dir, home: dir }));
  const closed = await fork('--out', 'closed/new');
  expect([closed.exitCode, closed.err]).toEqual([3, expect.stringContaining('permission denied')]);
  const unknown = await fork('--out', 'closed', '--at', 'ffffffff');
  expect([unknown.exitCode, unknown.err]).toEqual([2, expect.stringContaining('no entry')]);
  const below = await fork('--out', 'taken.jsonl/new');
  expect(below.exitCode).toBe(2);
});

it('skips a session without entries that was only selected, and fails for one that was named', async () => {
  const dir = await makeTempDir();
  const [header = {}] = branchedSession();
  const empty = { ...header, id: 'empty-one' };
  await writeFiles(dir, { 's/p/full.jsonl': branchedSession(), 's/p/empty.jsonl': [empty] });
  const fork = (...args: string[]) =>
    runTest(['fork', ...args, '--whole', '--dry-run', '--out', 'forks'], { cwd: dir, home: dir });
  const selected = await fork('--store', 's', '--older-than', '0min');
  const problem = 'has no entries: there is nothing to fork';
  expect([selected.exitCode, selected.err]).toEqual([0, expect.stringContaining(problem)]);
  const named = await fork('s/p/full.jsonl', 's/p/empty.jsonl');
  expect([named.exitCode, named.err]).toEqual([3, expect.stringContaining(problem)]);
  const alone = await fork('--store', 's', '--smaller-than', '200B');
  expect(alone.exitCode).toBe(2);
});
