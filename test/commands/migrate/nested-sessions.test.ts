import { readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const [SESSION, NESTED, FORK] = [
  '--src-api--/1.jsonl',
  '--src-api--/1/2.jsonl',
  '--other--/3.jsonl',
];
const [MOVED, MOVED_NESTED] = ['--work-api--/1.jsonl', '--work-api--/1/2.jsonl'];
const TIME = '2025-01-01T00:00:00.000Z';
const OLD_TIME = new Date(TIME);
const MESSAGE = {
  type: 'message',
  id: 'a',
  parentId: null,
  timestamp: TIME,
  message: { role: 'user', content: 'hi', timestamp: 1 },
};

/** A session, one in its folder, and a fork of that in another project. */
async function setUp(cwd = '/src/api') {
  const dir = await makeTempDir();
  const paths = { session: join(dir, SESSION), nested: join(dir, NESTED), fork: join(dir, FORK) };
  const make = (id: string, more: object): string =>
    toJsonl([{ type: 'session', version: 3, id, timestamp: TIME, ...more }, MESSAGE]);
  await writeFiles(dir, {
    [SESSION]: make('1', { cwd: '/src/api' }),
    [NESTED]: make('2', { cwd, parentSession: paths.session }),
    [FORK]: make('3', { cwd: '/other', parentSession: paths.nested }),
  });
  for (const path of Object.values(paths)) utimesSync(path, OLD_TIME, OLD_TIME);
  return {
    paths,
    moved: { session: join(dir, MOVED), nested: join(dir, MOVED_NESTED) },
    run: async (...argv: readonly string[]) => {
      const move = ['migrate', '--cwd', '/src/api=/work/api', '--store', dir, '--json'];
      const { out } = await runTest([...move, ...argv]);
      return (JSON.parse(out) as { results: readonly object[] }).results;
    },
  };
}

/** The header of a session. */
function read(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8').split('\n')[0] ?? '');
}

describe('coppice migrate --cwd, with a session in the folder of another one', () => {
  it('changes its directory and its parent, and tells its forks', async () => {
    const { paths, moved, run } = await setUp();
    const expected = [
      { path: paths.session, action: 'relocate', newPath: moved.session },
      { path: paths.nested, action: 'relocate', newPath: moved.nested },
      { path: paths.fork, action: 'relocate', newPath: null },
    ];
    const sorted = (results: readonly object[]) =>
      expected.map(({ path }) => results.find((one) => 'path' in one && one.path === path));
    expect(sorted(await run())).toMatchObject(expected);
    expect(sorted(await run('--apply'))).toMatchObject(expected);
    expect(read(moved.nested)).toMatchObject({ cwd: '/work/api', parentSession: moved.session });
    expect(read(paths.fork)).toMatchObject({ cwd: '/other', parentSession: moved.nested });
    expect(await run('--apply')).toEqual([]);
  });

  it('tells its forks where it is if it was at work in another directory', async () => {
    const { paths, moved, run } = await setUp('/elsewhere');
    await run('--apply');
    expect(read(moved.nested)).toMatchObject({ cwd: '/elsewhere', parentSession: moved.session });
    expect(read(paths.fork)).toMatchObject({ parentSession: moved.nested });
  });

  it('changes both in the next run if one was killed once the session had moved', async () => {
    const { paths, moved, run } = await setUp();
    const before = [paths.nested, paths.fork].map((path) => readFileSync(path, 'utf8'));
    await run('--apply');
    for (const [index, path] of [moved.nested, paths.fork].entries()) {
      writeFileSync(path, before[index] ?? '');
      utimesSync(path, OLD_TIME, OLD_TIME);
    }
    await run('--apply');
    expect(read(moved.nested)).toMatchObject({ cwd: '/work/api', parentSession: moved.session });
    expect(read(paths.fork)).toMatchObject({ parentSession: moved.nested });
  });

  it('moves nothing while it is in use', async () => {
    const { paths, run } = await setUp();
    const before = Object.values(paths).map(read);
    utimesSync(paths.nested, OLD_TIME, new Date('2127-01-15T11:59:00.000Z'));
    const reason = expect.stringContaining('1/2.jsonl changed 1 min ago');
    expect(await run('--apply')).toContainEqual(
      expect.objectContaining({ path: paths.session, action: 'skip', reasons: [reason] }),
    );
    expect(Object.values(paths).map(read)).toEqual(before);
  });
});
