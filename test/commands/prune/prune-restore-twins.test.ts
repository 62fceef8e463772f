import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

let home: string;

beforeEach(async () => {
  home = await makeTempDir();
});

const run = (...args: string[]) => runTest(args, { cwd: home, home, env: {} });

it('restores of two sessions that were at one path the one that was archived last, without files of the other', async () => {
  const world = await PruneWorld.make();
  const backUp = () => {
    const argv = ['export', '--store', 'store', '--as', 'archive', '--out', 'archive'];
    return runTest(argv, { cwd: world.dir });
  };
  for (const [id, image] of [
    ['first-one', 'a.png'],
    ['second-one', 'b.png'],
  ] as const) {
    await rm(world.store, { recursive: true, force: true });
    await writeFiles(world.store, {
      'proj/x.jsonl': sampleSession({ id, text: id }),
      [`proj/x/${image}`]: 'image'.repeat(1000),
    });
    await backUp();
  }
  await rm(world.store, { recursive: true });
  const into = ['--archive', 'archive', '--restore', 'all', '--store', 'store'];
  const { exitCode, err } = await world.run(into);
  expect(exitCode).toBe(3);
  const names = await world.names();
  expect(names.filter((name) => name.endsWith('png'))).toHaveLength(1);
  expect(names).toContain('proj/x.jsonl');
  const [how = ''] = /--restore \S+ --as-of \S+/.exec(err) ?? [];
  const again = await world.run(['--archive', 'archive', ...how.split(' '), '--store', 'second']);
  expect(again.exitCode).toBe(0);
});

it('restores two copies of a session that share its checkpoints, side by side', async () => {
  const id = '0199a3f1-5b7e-4c1d-9e2f-0123456789ab';
  const line = {
    type: 'user',
    uuid: 'u-1',
    parentUuid: null,
    sessionId: id,
    timestamp: '2026-01-01T00:00:00.000Z',
    message: { role: 'user', content: 'hello' },
  };
  const claude = join(home, '.claude');
  const checkpoint = `file-history/${id}/0123456789abcdef@v1`;
  await writeFiles(claude, {
    [`projects/-w-p/${id}.jsonl`]: toJsonl([line]),
    [`projects/-w-q/${id}.jsonl`]: toJsonl([line, { ...line, uuid: 'u-2', parentUuid: 'u-1' }]),
    [checkpoint]: 'x'.repeat(100_000),
  });
  await run('export', '--as', 'archive', '--out', 'archive');
  await rm(claude, { recursive: true });
  const { out, err } = await run('prune', '--archive', 'archive', '--restore', 'all');
  expect([err, out]).toEqual(['', expect.stringContaining('Restored 2 of 2 sessions.')]);
  await rm(join(claude, 'projects'), { recursive: true });
  await mkdir(dirname(join(claude, checkpoint)), { recursive: true });
  await writeFile(join(claude, checkpoint), 'another');
  const other = await run('prune', '--archive', 'archive', '--restore', 'all');
  expect(other.exitCode).toBe(3);
});

const ID = '0199a3f1-5b7e-4c1d-9e2f-0123456789ab';
const OTHER = '0199a3f1-5b7e-4c1d-9e2f-0123456789ac';

it.each([
  ['a note of its memory', 'memory/api.md', `---\nmetadata:\n  originSessionId: ${ID}\n---\n`],
  ['its list of sessions', 'sessions-index.json', `{"entries":[{"sessionId":"${ID}"}]}`],
  ['notes on a session', `${OTHER}/session-memory/summary.md`, `# Worklog\n${ID} was listed\n`],
  ['a long result', `${OTHER}/tool-results/b.txt`, `coppice prune --list\n60d ago  ${ID}\n`],
])(
  'restores a session of Claude Code and its checkpoints beside %s that names it',
  async (_, name, text) => {
    const claude = join(home, '.claude');
    const line = {
      type: 'user',
      uuid: 'u-1',
      parentUuid: null,
      timestamp: '2026-01-01T00:00:00.000Z',
      message: { role: 'user', content: 'hello' },
    };
    const checkpoint = `file-history/${ID}/0123456789abcdef@v1`;
    await writeFiles(claude, {
      [`projects/-w-p/${ID}.jsonl`]: toJsonl([{ ...line, sessionId: ID }]),
      [`projects/-w-p/${OTHER}.jsonl`]: toJsonl([{ ...line, sessionId: OTHER, uuid: 'u-2' }]),
      [checkpoint]: 'checkpoint',
    });
    await run('export', '--as', 'archive', '--out', 'archive');
    // As the client removes it.
    await rm(join(claude, `projects/-w-p/${ID}.jsonl`));
    await rm(join(claude, 'file-history'), { recursive: true });
    await writeFiles(claude, { [`projects/-w-p/${name}`]: text });
    const { exitCode, err } = await run('prune', '--archive', 'archive', '--restore', ID);
    expect([err, exitCode]).toEqual(['', 0]);
    expect(await readFile(join(claude, checkpoint), 'utf8')).toBe('checkpoint');
  },
);

it('restores of a session that has moved the state that was archived last, where they have other sidecars', async () => {
  const claude = join(home, '.claude');
  const backUp = async (time: number): Promise<void> => {
    const argv = ['export', '--as', 'archive', '--out', 'archive'];
    await runTest(argv, { cwd: home, home, env: {}, now: () => time });
  };
  for (let round = 0; round < 6; round += 1) {
    const id = `0199a3f1-5b7e-4c1d-9e2f-01234567890${round}`;
    const common = { type: 'user', sessionId: id, timestamp: '2026-01-01T00:00:00.000Z' };
    const message = { role: 'user', content: 'hello' };
    const line = { ...common, uuid: id, parentUuid: null, message };
    const todos = `todos/${id}-agent-${id}.json`;
    const [old, moved] = [`projects/-w-p/${id}.jsonl`, `projects/-w-q/${id}.jsonl`];
    await writeFiles(claude, { [old]: toJsonl([line]), [todos]: '[]' });
    await backUp(NOW - 1000);
    await rm(join(claude, old));
    await writeFiles(claude, { [moved]: toJsonl([line, line]), [todos]: '[{"id":"1"}]' });
    await backUp(NOW);
    await rm(claude, { recursive: true });
    const { exitCode, err } = await run('prune', '--archive', 'archive', '--restore', id);
    expect(exitCode).toBe(3);
    expect(err).toContain('a state in another place, which was archived later');
    expect(await readdir(join(claude, 'projects'))).toEqual(['-w-q']);
    expect(await readFile(join(claude, todos), 'utf8')).toBe('[{"id":"1"}]');
    const [how = ''] = /--restore \S+ --as-of \S+/.exec(err) ?? [];
    const store = join(home, 'other', String(round), 'projects');
    const again = await run('prune', '--archive', 'archive', ...how.split(' '), '--store', store);
    expect([again.err, again.exitCode]).toEqual(['', 0]);
    await rm(claude, { recursive: true });
  }
});

it('names a session whose state of then a longer one has replaced, where all are restored as of a moment', async () => {
  const world = await PruneWorld.make();
  const backUp = (day: string) => {
    const argv = ['export', '--store', 'store', '--as', 'archive', '--out', 'archive'];
    return runTest(argv, { cwd: world.dir, now: () => Date.parse(`${day}T00:00:00Z`) });
  };
  const old = await world.add('0199-old', 50);
  await world.add('0199-same', 50);
  await backUp('2126-12-01');
  await appendFile(old, '{"type":"custom","customType":"x","id":"9"}\n');
  await world.add('0199-new', 50);
  await backUp('2126-12-03');
  await rm(world.store, { recursive: true });
  const into = ['--archive', 'archive', '--restore', 'all', '--store', 'store'];
  const { exitCode, err } = await world.run([...into, '--as-of', '2126-12-02T00:00:00Z']);
  expect(await world.names()).toEqual(['proj', 'proj/0199-same.jsonl']);
  expect([exitCode, err]).toEqual([
    3,
    expect.stringContaining('--restore 0199-old restores the later one'),
  ]);
  expect(err).not.toContain('0199-new');
  expect((await world.run([...into, '--as-of', '2126-12-04T00:00:00Z'])).exitCode).toBe(0);
});

it('restores the sound one of two members of a state, as joined archives have them', async () => {
  const world = await PruneWorld.make();
  await world.add('0199-one', 50);
  await runTest(['export', '--store', 'store', '--as', 'archive', '--out', 'archive'], {
    cwd: world.dir,
  });
  const archive = join(world.dir, 'archive');
  const member = (await readdir(archive)).find((name) => name.startsWith('b_')) ?? '';
  await writeFile(join(archive, member.replace('b_', 's_')), 'damaged');
  await rm(world.store, { recursive: true });
  const into = ['--archive', 'archive', '--restore', '0199-one', '--store', 'store'];
  const { exitCode, err } = await world.run(into);
  expect([err, exitCode]).toEqual(['', 0]);
  expect(await world.names()).toEqual(['proj', 'proj/0199-one.jsonl']);
});

it('restores one of two copies of a session in two stores, where both are the same', async () => {
  const world = await PruneWorld.make();
  await world.add('0199-one', 50);
  await cp(world.store, join(world.dir, 'copy'), { recursive: true, preserveTimestamps: true });
  for (const store of ['store', 'copy']) {
    const argv = ['export', '--store', store, '--as', 'archive', '--out', 'archive'];
    await runTest(argv, { cwd: world.dir });
  }
  await rm(world.store, { recursive: true });
  const into = ['--archive', 'archive', '--restore', 'all', '--store', 'store'];
  const { exitCode, err } = await world.run(into);
  expect([err, exitCode]).toEqual(['', 0]);
  expect(await world.names()).toEqual(['proj', 'proj/0199-one.jsonl']);
});
