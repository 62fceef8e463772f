import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { toJsonl, writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

let world: PruneWorld;
const run = (...args: string[]) => runTest(args, { cwd: world.dir });

const TIME = '2026-01-01T00:00:00.000Z';
const ARRAY = [
  { type: 'session', id: 'arr-1', timestamp: TIME, cwd: '/p' },
  { type: 'message', timestamp: TIME, message: { role: 'user', content: 'Hi', timestamp: 1 } },
];

const NAMES = ['arr-1.json.migrated', 'arr-1.jsonl'];
const names = (): Promise<string[]> => readdir(join(world.store, 'proj'));

beforeEach(async () => {
  world = await PruneWorld.make();
  await writeFiles(world.store, { 'proj/arr-1.json': JSON.stringify(ARRAY) });
  await world.touch('proj/arr-1.json', 50);
  await run('migrate', '--store', 'store', '--apply');
  for (const name of NAMES) await world.touch(`proj/${name}`, 50);
});

/** As a run that was killed leaves it, and as earlier versions left it. */
const interrupt = (): Promise<void> =>
  rename(join(world.store, 'proj/arr-1.json.migrated'), join(world.store, 'proj/arr-1.json'));

describe('the array that a session was migrated from', () => {
  it('is its sidecar: its bytes count with those of the session', async () => {
    expect((await names()).toSorted()).toEqual(NAMES);
    const { out } = await run('list', '--store', 'store', '--json');
    const { results } = JSON.parse(out) as { results: { size: number; totalSize: number }[] };
    const [session] = results;
    expect(results).toHaveLength(1);
    expect(session?.totalSize).toBe((session?.size ?? 0) + JSON.stringify(ARRAY).length);
  });

  it('is recognized when it is named', async () => {
    const { out } = await run('list', 'store/proj/arr-1.json.migrated', '--json');
    expect(out).toContain('"id":"arr-1"');
    const { out: migrated } = await run('migrate', 'store/proj/arr-1.json.migrated', '--json');
    expect(migrated).toContain('"action":"unchanged"');
  });

  it.each([
    ['its new name', async (): Promise<void> => {}],
    ['its old name', interrupt],
  ])('is archived, removed and restored with it under %s', async (_name, prepare) => {
    await prepare();
    const before = (await names()).toSorted();
    const remove = ['--older-than', '30d', '--allow-empty', '--archive', 'old', '--apply'];
    await world.run(['--store', 'store', ...remove]);
    expect(await world.names()).toEqual(['proj']);
    await world.run(['--archive', 'old', '--restore', 'all', '--store', 'store']);
    expect((await names()).toSorted()).toEqual(before);
  });

  it('has prompts that count for the session', async () => {
    const lines = [ARRAY[0], ARRAY[1], ARRAY[1], ARRAY[1]];
    await writeFiles(world.store, { 'proj/arr-1.json': JSON.stringify(lines) });
    await world.touch('proj/arr-1.json', 50);
    await world.prune('--max-messages', '2', '--allow-empty', '--delete', '--apply');
    expect((await names()).toSorted()).toEqual(['arr-1.json', ...NAMES]);
  });

  it('has a working directory that counts for the session', async () => {
    const toCwd = (text: string, name: string) =>
      text.replace('"/p"', JSON.stringify(join(world.dir, name)));
    const [session, old] = [join(world.store, 'proj/arr-1.jsonl'), 'proj/arr-1.json'];
    await writeFile(session, toCwd(await readFile(session, 'utf8'), 'gone'));
    await writeFiles(world.store, { [old]: toCwd(JSON.stringify(ARRAY), 'store') });
    for (const name of ['proj/arr-1.jsonl', old]) await world.touch(name, 50);
    await world.prune('--missing-cwd', '--allow-empty', '--delete', '--apply');
    expect((await names()).toSorted()).toEqual(['arr-1.json', ...NAMES]);
  });

  it('is not removed by the age of the session if an old release has continued it', async () => {
    await interrupt();
    const time = new Date(NOW - 2 * 24 * 60 * 60 * 1000).toISOString();
    const lines = [...ARRAY, { ...ARRAY[1], timestamp: time }];
    await writeFiles(world.store, { 'proj/arr-1.json': JSON.stringify(lines) });
    await world.touch('proj/arr-1.json', 2);
    await run('migrate', '--store', 'store', '--apply');
    await world.prune('--older-than', '30d', '--allow-empty', '--delete', '--apply');
    expect((await names()).toSorted()).toEqual(['arr-1.json', 'arr-1.jsonl']);
  });

  it.each(['old', 'migrated'])('belongs to no other session of that name: %s', async (ending) => {
    const other = [{ ...ARRAY[0], id: 'arr-2' }];
    await writeFiles(world.store, { [`proj/arr-1.json.${ending}`]: JSON.stringify(other) });
    await world.prune(
      '--older-than',
      '30d',
      '--allow-empty',
      '--delete',
      '--apply',
      '--grace',
      '0s',
    );
    expect(await names()).toEqual([`arr-1.json.${ending}`]);
  });
});

it.each([
  ['of lines', (text: string) => text],
  ['with an id that is not in the first object', (text: string) => `[{},${text.slice(1)}`],
])(
  'a file with the name and the id of a removed session stays, and is said to: %s',
  async (kind, edit) => {
    const text = kind === 'of lines' ? toJsonl(ARRAY) : JSON.stringify(ARRAY);
    await writeFiles(world.store, { 'proj/arr-1.json': edit(text) });
    await world.touch('proj/arr-1.json', 50);
    const args = ['--store', 'store', '--older-than', '30d', '--allow-empty', '--json'];
    const { out } = await world.run([...args, '--delete', '--apply']);
    const { results } = JSON.parse(out) as { results: { path: string; action: string }[] };
    const actions = results.map(({ path, action }) => [basename(path), action]);
    const left = await names();
    expect(left).toContain('arr-1.json');
    for (const [name = '', action] of actions)
      expect([name, action === 'keep']).toEqual([name, left.includes(name)]);
    expect(actions).toContainEqual(['arr-1.jsonl', 'remove']);
  },
);

describe('an array beside the session that was made of it', () => {
  beforeEach(interrupt);

  it('is not the one that prune keeps, and takes no part in a budget', async () => {
    for (const rules of [
      ['--keep-last', '1'],
      ['--max-sessions', '1'],
    ]) {
      const { out } = await world.run(['--store', 'store', '--json', '--allow-empty', ...rules]);
      const { results } = JSON.parse(out) as { results: { path: string; action: string }[] };
      expect(results.map(({ action }) => action)).toEqual(['keep', 'keep']);
    }
    const found = await world.run(['--store', 'store', '--keep-last', '1', '--json']);
    expect(found.out).toContain('kept with the session that it belongs to');
  });

  it('is not a second session in a list, which says so', async () => {
    const { out } = await run('list', '--store', 'store');
    expect(out).toContain('1 session,');
    expect(out).toContain('1 old file of a migrated session is left out: coppice migrate --apply');
    expect(out).not.toContain('old format');
  });

  it('does not make the id ambiguous', async () => {
    const { out } = await run('list', '--store', 'store', 'arr-1', '--paths');
    expect(out).toBe(`${world.path('arr-1')}\n`);
  });

  it('can be named', async () => {
    const { out } = await run('list', 'store/proj/arr-1.json', 'store/proj/arr-1.jsonl', '--paths');
    expect(out.split('\n')).toHaveLength(3);
  });
});
