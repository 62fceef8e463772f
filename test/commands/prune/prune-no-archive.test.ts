import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { encodeTarHeader, encodeTarPadding, TAR_END } from '../../../src/store/archive/tar.ts';
import { snapshot } from '../../store/archive/archive-fixture.ts';
import { PruneWorld } from './prune-world.ts';

let world: PruneWorld;

beforeEach(async () => {
  world = await PruneWorld.make();
  await world.add('0199-keep', 2);
  await world.add('0199-aaa', 50);
});

const TASKS = [
  ['--archive', 'DIR', '--list'],
  ['--archive', 'DIR', '--check'],
  ['--archive', 'DIR', '--rebuild-index'],
  ['--archive', 'DIR', '--restore', 'all', '--store', 'other'],
  ['--in-archive', 'DIR', '--keep-last', '1', '--apply'],
];
const on = (directory: string, words: readonly string[]): string[] =>
  words.map((word) => (word === 'DIR' ? directory : word));

describe.each(TASKS)('prune %s %s %s', (...words) => {
  it.each(['store', 'empty'])('refuses a directory that is no archive: %s', async (name) => {
    await mkdir(join(world.dir, 'empty'));
    const before = await snapshot(world.dir);
    const { exitCode, err } = await world.run(on(name, words));
    const said = 'is not an archive of coppice: has no index.ndjson, and no archived session';
    expect([exitCode, err]).toEqual([2, `coppice: ${join(world.dir, name)}: ${said}\n`]);
    expect(await snapshot(world.dir)).toEqual(before);
  });

  it('refuses a directory with an index of somebody else', async () => {
    await mkdir(join(world.dir, 'other'));
    await writeFile(join(world.dir, 'other/index.ndjson'), '{"name":"theirs"}\n');
    const { exitCode, err } = await world.run(on('other', words));
    expect([exitCode, err]).toEqual([2, expect.stringContaining('is not an index of coppice')]);
  });

  it('takes an archive with nothing in it', async () => {
    await world.prune('--older-than', '90d', '--archive', 'archive', '--apply');
    expect(await readdir(join(world.dir, 'archive'))).toEqual(['index.ndjson']);
    expect(await world.run(on('archive', words))).toMatchObject({ exitCode: 0, err: '' });
  });

  it('takes an archive that has lost its index', async () => {
    await world.prune('--older-than', '30d', '--archive', 'archive', '--apply');
    await rm(join(world.dir, 'archive/index.ndjson'));
    expect(await world.run(on('archive', words))).toMatchObject({ exitCode: 0, err: '' });
  });
});

it('refuses a tar in which nothing is of an archive', async () => {
  const text = Buffer.from('a note');
  const item = { path: 'note.txt', size: text.length, mode: 0o600, mtime: new Date(0) };
  const tar = [encodeTarHeader(item), text, encodeTarPadding(text.length), TAR_END];
  for (const words of TASKS.slice(0, 2)) {
    const { exitCode, err } = await world.run(on('-', words), { input: Buffer.concat(tar) });
    expect([exitCode, err]).toEqual([2, expect.stringContaining('is not an archive of coppice')]);
  }
});

it('counts the sessions of an archive, and their states', async () => {
  const archive = ['--older-than', '30d', '--archive', 'archive', '--apply'];
  await world.prune(...archive);
  await world.add('0199-aaa', 40);
  await world.add('0199-bbb', 40);
  await world.prune(...archive);
  const list = ['--archive', 'archive', '--list'];
  expect((await world.run(list)).out).toMatch(/\n2 sessions in 3 states, \S+ k?B in \S+ k?B\.\n$/);
  const { summary } = JSON.parse((await world.run([...list, '--json'])).out) as { summary: object };
  expect(summary).toEqual({ sessions: 2, states: 3 });
});
