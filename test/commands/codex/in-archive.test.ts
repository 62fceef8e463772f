import { cp, mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { FIXTURES, getRecorded, placeIn } from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';

const PARENT = '01a1fff1-77da-7ae2-8853-7934d5b198c0';
const FORK = '01a1fff1-79ae-74c1-abfd-a7f241941747';
const OTHER = '01a1fff1-77da-7ae2-8853-7934d5b198c1';

it.each([
  ['', ''],
  [' whose header is behind a blank line', '\n'],
])('keeps in an archive what a kept fork%s continues from', async (_, before) => {
  const home = await makeTempDir();
  const store = join(home, '.codex/sessions/2026/11/21');
  await mkdir(store, { recursive: true });
  for (const [name, second, id] of [
    ['fork-parent', '37', PARENT],
    ['fork-child', '38', FORK],
    ['linear-tools', '36', '01a1fff1-0000-7ae2-8853-7934d5b198c0'],
  ] as const) {
    const path = join(store, `rollout-2026-11-21T21-09-${second}-${id}.jsonl`);
    const text = await readFile(join(FIXTURES, `${name}.jsonl`), 'utf8');
    await writeFile(path, name === 'fork-child' ? `${before}${text}` : text);
    await utimes(path, 1_790_000_000, 1_790_000_000);
  }
  const run = (...args: readonly string[]) => runTest(args, { cwd: home, home });
  await run('export', '--as', 'archive', '--out', 'archive', '--quiet');
  await rm(join(home, '.codex'), { recursive: true });
  const members = (await readdir(join(home, 'archive'))).filter((name) => name.endsWith('.gz'));
  expect(members).toHaveLength(3);
  const { out } = await run(
    'prune',
    '--in-archive',
    'archive',
    '--keep-id',
    FORK,
    '--apply',
    '--json',
  );
  const { results } = JSON.parse(out) as { results: { id: string; action: string }[] };
  const kept = results.filter(({ action }) => action === 'keep').map(({ id }) => id);
  expect(kept.toSorted()).toEqual([PARENT, FORK].toSorted());
});

it('keeps in an archive what a fork continues from that was to go and cannot be removed', async () => {
  const home = await makeTempDir();
  const store = join(home, '.codex/sessions/2026/11/21');
  await mkdir(store, { recursive: true });
  const other = '01a1fff1-6b05-7230-8d0d-27ae6e7ae020';
  for (const [name, second, id] of [
    ['fork-parent', '37', PARENT],
    ['fork-child', '38', FORK],
    ['linear-tools', '36', other],
  ] as const) {
    const path = join(store, `rollout-2026-11-21T21-09-${second}-${id}.jsonl`);
    await cp(join(FIXTURES, `${name}.jsonl`), path);
  }
  const run = (...args: readonly string[]) => runTest([...args, '--json'], { cwd: home, home });
  await run('export', '--as', 'archive', '--out', 'archive');
  const index = join(home, 'archive/index.ndjson');
  const lines = (await readFile(index, 'utf8')).split('\n');
  const forged = lines.map((line) =>
    line.includes(`-${FORK}-`) ? line.replace('"title":"', '"title":"x') : line,
  );
  await writeFile(index, forged.join('\n'));
  const how = ['--in-archive', 'archive', '--keep-id', other, '--apply'];
  const { out, exitCode } = await run('prune', ...how);
  expect(exitCode).toBe(3);
  const { results } = JSON.parse(out) as { results: object[] };
  const kept = { id: PARENT, action: 'skip', reasons: ['a kept fork continues from it'] };
  expect(results).toContainEqual(expect.objectContaining(kept));
  const members = (await readdir(join(home, 'archive'))).filter((name) => name.endsWith('.gz'));
  expect(members).toHaveLength(3);
});

it('keeps in an archive what a fork continues from of which the index says that it is of another agent', async () => {
  const home = await makeTempDir();
  const store = join(home, '.codex/sessions/2026/11/21');
  await mkdir(store, { recursive: true });
  for (const [name, second, id] of [
    ['fork-parent', '37', PARENT],
    ['fork-child', '38', FORK],
    ['linear-tools', '36', '01a1fff1-6b05-7230-8d0d-27ae6e7ae020'],
  ] as const) {
    const path = join(store, `rollout-2026-11-21T21-09-${second}-${id}.jsonl`);
    await cp(join(FIXTURES, `${name}.jsonl`), path);
  }
  const run = (...args: readonly string[]) => runTest([...args, '--json'], { cwd: home, home });
  await run('export', '--as', 'archive', '--out', 'archive');
  const index = join(home, 'archive/index.ndjson');
  const lines = (await readFile(index, 'utf8')).split('\n');
  const forged = lines.map((line) =>
    line.includes(`-${FORK}-`)
      ? line
          .replace(/"root":"[^"]*",/, '')
          .replace('"schemaVersion":2,"agent":"codex"', '"schemaVersion":1,"agent":"pi"')
          .replace('"name":"sessions/2026/11/21/', '"name":"')
      : line,
  );
  await writeFile(index, forged.join('\n'));
  const { out } = await run('prune', '--in-archive', 'archive', '--keep-id', FORK, '--allow-empty');
  const { results } = JSON.parse(out) as { results: { id: string; reasons: string[] }[] };
  expect(Object.fromEntries(results.map(({ id, reasons }) => [id, reasons]))).toEqual({
    [PARENT]: ['a kept fork continues from it'],
    [FORK]: ['the index contradicts it; use --rebuild-index'],
    '01a1fff1-6b05-7230-8d0d-27ae6e7ae020': ['no rule keeps it'],
  });
});

it('names sessions that a backup could not look at', async () => {
  const home = await makeTempDir();
  const store = join(home, '.codex/sessions/2026/11/21');
  await mkdir(store, { recursive: true });
  const path = join(store, `rollout-2026-11-21T21-09-37-${PARENT}.jsonl`);
  await cp(join(FIXTURES, 'fork-parent.jsonl'), path);
  // What cannot be listed may be of any thread.
  await symlink('shell_snapshots', join(home, '.codex/shell_snapshots'));
  const args = ['export', '--as', 'archive', '--out', 'archive'];
  const { exitCode, err } = await runTest(args, { cwd: home, home });
  expect(exitCode).toBe(3);
  expect(err).toContain('shell_snapshots/: cannot read: too many symbolic links');
});

it('takes threads of one id that went apart in two homes for two', async () => {
  const home = await makeTempDir();
  const name = `sessions/2026/11/21/rollout-2026-11-21T21-09-37-${PARENT}.jsonl`;
  const text = await readFile(join(FIXTURES, 'fork-parent.jsonl'), 'utf8');
  const homes = [join(home, '.codex'), join(home, 'other')] as const;
  for (const [index, own] of homes.entries()) {
    await mkdir(join(own, 'sessions/2026/11/21'), { recursive: true });
    await writeFile(join(own, name), text.replaceAll('Z"', `${index}Z"`));
  }
  const run = (...args: readonly string[]) => runTest([...args, '--json'], { cwd: home, home });
  const stores = homes.flatMap((own) => ['--store', join(own, 'sessions')]);
  const before = await Promise.all(homes.map((own) => readFile(join(own, name), 'utf8')));
  await run('export', '--as', 'archive', '--out', 'archive', ...stores);
  const { out } = await run('prune', '--in-archive', 'archive', '--keep-states', '1');
  expect(JSON.parse(out)).toMatchObject({ results: [{ action: 'keep' }, { action: 'keep' }] });
  for (const own of homes) await rm(own, { recursive: true });
  const restore = ['prune', '--archive', 'archive', '--restore', 'all'];
  await run(...restore);
  await runTest(restore, { cwd: home, home, env: { CODEX_HOME: homes[1] } });
  const after = await Promise.all(homes.map((own) => readFile(join(own, name), 'utf8')));
  expect(after).toEqual(before);
});

it('keeps each state of a thread that a kept fork continues from, since a later one may be shorter', async () => {
  const home = await makeTempDir();
  const store = join(home, '.codex/sessions/2026/11/21');
  const [parent, fork, other] = [
    join(store, `rollout-2026-11-21T21-09-37-${PARENT}.jsonl`),
    join(store, `rollout-2026-11-21T21-09-38-${FORK}.jsonl`),
    join(store, `rollout-2026-11-21T21-09-37-${OTHER}.jsonl`),
  ] as const;
  await mkdir(store, { recursive: true });
  await cp(join(FIXTURES, 'fork-parent.jsonl'), parent);
  await cp(join(FIXTURES, 'fork-child.jsonl'), fork);
  await writeFile(other, (await readFile(parent, 'utf8')).replaceAll(PARENT, OTHER));
  let now = NOW;
  const run = (...args: readonly string[]) =>
    runTest([...args, '--json'], { cwd: home, home, now: () => now });
  const copy = () => run('export', '--as', 'archive', '--out', 'archive');
  await copy();
  now += 60_000;
  await rm(fork);
  for (const path of [parent, other]) {
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replaceAll('T21:', 'T22:').slice(0, 9000));
  }
  await copy();
  const { out } = await run('prune', '--in-archive', 'archive', '--keep-states', '1');
  const { results } = JSON.parse(out) as { results: { action: string; reasons: string[] }[] };
  expect(results.map(({ action, reasons }) => `${action}: ${String(reasons)}`).toSorted()).toEqual([
    'keep: a kept fork continues from it',
    'keep: last state',
    'keep: last state',
    'keep: last state',
    'remove: not of the last state',
  ]);
  await rm(join(home, '.codex/sessions'), { recursive: true });
  const restored = await run('prune', '--archive', 'archive', '--restore', 'all');
  expect(restored.exitCode).toBe(3);
  const how = expect.stringContaining('--as-of <date> restores both');
  expect(JSON.parse(restored.out).results).toContainEqual({
    path: fork,
    problem: { code: 'ENODATA', message: how },
  });
});

it('keeps the state of a thread that alone has a file from which a later state continues', async () => {
  const home = await makeTempDir();
  const second = await placeIn(join(home, '.codex'), getRecorded('reverted-second-generation'));
  const first = second.replace(/_[^_]+$/, '.jsonl');
  const text = await readFile(first, 'utf8');
  let now = NOW;
  const run = (...args: readonly string[]) =>
    runTest([...args, '--json'], { cwd: home, home, now: () => now });
  const copy = async (): Promise<void> => {
    await run('export', '--as', 'archive', '--out', 'archive');
    now += 60_000;
  };
  // The file was cut off first, whole then, and deleted last.
  await writeFile(first, text.slice(0, text.indexOf('\n') + 1).replace('\n', ' \n'));
  await copy();
  await writeFile(first, text);
  await copy();
  await rm(first);
  await copy();
  const { out } = await run('prune', '--in-archive', 'archive', '--keep-states', '1', '--apply');
  const { results } = JSON.parse(out) as { results: { action: string; reasons: string[] }[] };
  expect(results.map(({ action, reasons }) => `${action}: ${String(reasons)}`)).toEqual([
    'keep: last state',
    'keep: a kept state continues from a file in it',
    'remove: not of the last state',
  ]);
  await rm(second);
  const asOf = new Date(now - 90_000).toISOString();
  const restored = await run('prune', '--archive', 'archive', '--restore', 'all', '--as-of', asOf);
  expect(restored.exitCode).toBe(0);
  expect(await readFile(first, 'utf8')).toBe(text);
});

it('restores a fork that was archived without its parent, and gives that as a reason', async () => {
  const home = await makeTempDir();
  const store = join(home, '.codex/sessions/2026/11/21');
  const fork = join(store, `rollout-2026-11-21T21-09-38-${FORK}.jsonl`);
  await mkdir(store, { recursive: true });
  await cp(join(FIXTURES, 'fork-child.jsonl'), fork);
  const run = (...args: readonly string[]) => runTest([...args, '--json'], { cwd: home, home });
  await run('export', '--as', 'archive', '--out', 'archive');
  await rm(fork);
  const restored = await run('prune', '--archive', 'archive', '--restore', 'all');
  expect(restored.exitCode).toBe(0);
  const { results } = JSON.parse(restored.out) as { results: { reasons: string[] }[] };
  expect(results.map(({ reasons }) => reasons)).toEqual([
    [
      'from the archive',
      `continues from ${PARENT}, which is not in the store: codex does not open it`,
    ],
  ]);
});
