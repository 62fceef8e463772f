import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { toZstd } from '../../zstd-frames.ts';

const DAY = '.codex/sessions/2026/11/21';
const ROOT = `${DAY}/rollout-2026-11-21T21-22-34-01a1fffd-546c-7510-b5fc-2cd045944e1a.jsonl`;
const SUBAGENT = '01a1fffd-54ad-7773-b355-e5616e5c1e65';
const SPAWNED = `${DAY}/rollout-2026-11-21T21-22-34-${SUBAGENT}.jsonl`;
const FIRST = `${DAY}/rollout-2026-11-21T21-22-35-01a1fffd-592e-7483-a952-5eb79e5a9b63.jsonl`;

it.each([
  ['a sub-agent', SPAWNED],
  ['a sub-agent by its id', SUBAGENT],
  ['an earlier generation', FIRST],
])('says that %s is only a part of a thread', async (_, target) => {
  const world = await makeTempDir();
  cpSync(join(FIXTURES, 'home'), join(world, '.codex'), { recursive: true });
  const run = (...targets: readonly string[]) =>
    runTest(['prune', ...targets, '--larger-than', '1B', '--allow-empty', '--json'], {
      cwd: world,
      home: world,
    });
  const { exitCode, out } = await run(target);
  expect(exitCode).toBe(3);
  const message = expect.stringContaining(
    'is part of another session; name that session instead: ',
  ) as unknown;
  const problem = { code: 'not-a-session', message };
  expect(JSON.parse(out)).toMatchObject({ results: [{ problem }], summary: { sessions: 0 } });
  expect((await run(ROOT, SPAWNED)).err).toBe('');
});

it.each(['.sync-conflict-20261120-120000-ABCDEFG', '~', ' copy'])(
  'takes no copy for the thread, whatever its name: %s',
  async (ending) => {
    const world = await makeTempDir();
    cpSync(join(FIXTURES, 'home'), join(world, '.codex'), { recursive: true });
    const copy = join(world, ROOT.replace('.jsonl', `${ending}.jsonl`));
    cpSync(join(world, ROOT), copy);
    const argv = ['--larger-than', '1B', '--allow-empty', '--grace', '0min', '--json'];
    const run = (target: string) =>
      runTest(['prune', target, ...argv], { cwd: world, home: world });
    expect((await run(copy)).err).toContain(`name that session instead: ${join(world, ROOT)}`);
    const { out } = await run(join(world, ROOT));
    const reasons = [`a part of it is not where its agent puts it: ${copy}`];
    expect(JSON.parse(out)).toMatchObject({ results: [{ action: 'keep', reasons }] });
  },
);

it.each([
  ['more of it', (text: string) => `${text}${text}`, 'differs from the uncompressed file'],
  ['another thread', () => '{}\n', 'differs from the uncompressed file'],
  ['no text', undefined, 'cannot decompress: '],
])('keeps a thread beside a compressed file of its name with %s', async (_, change, reason) => {
  const world = await makeTempDir();
  cpSync(join(FIXTURES, 'home'), join(world, '.codex'), { recursive: true });
  const path = join(world, FIRST);
  const text = readFileSync(path, 'utf8');
  const argv = ['prune', '--agent', 'codex', '--larger-than', '1B', '--grace', '0min', '--json'];
  const find = async () => {
    const told = await runTest([...argv, '--allow-empty'], { cwd: world, home: world });
    const { results } = JSON.parse(told.out) as { results: readonly PruneResult[] };
    expect(told.exitCode).toBe(isRead() ? 0 : 3);
    return results.find(({ id }) => FIRST.includes(id));
  };
  const isRead = (): boolean => readFileSync(`${path}.zst`, 'latin1') !== 'none';
  writeFileSync(`${path}.zst`, toZstd(Buffer.from(text.slice(0, -1))));
  expect(await find()).toMatchObject({ action: 'remove' });
  writeFileSync(`${path}.zst`, change ? toZstd(Buffer.from(change(text))) : 'none');
  const reasons = [expect.stringContaining(`${path}.zst`), expect.stringContaining(reason)];
  for (const one of reasons) {
    expect(await find()).toMatchObject({ action: 'keep', reasons: [one] });
  }
});

it.each([
  ['--smaller-than', '10kB', 'keep'],
  ['--larger-than', '15kB', 'remove'],
])('counts all files of a thread as its size: %s %s', async (option, size, action) => {
  const world = await makeTempDir();
  cpSync(join(FIXTURES, 'home'), join(world, '.codex'), { recursive: true });
  const argv = ['prune', '--agent', 'codex', option, size, '--grace', '0min', '--json'];
  const { out } = await runTest(argv, { cwd: world, home: world });
  const { results } = JSON.parse(out) as { results: readonly PruneResult[] };
  expect(results.find(({ id }) => FIRST.includes(id))).toMatchObject({ action });
});
