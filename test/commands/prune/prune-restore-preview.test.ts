import { mkdir, readdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { PruneWorld } from './prune-world.ts';

let world: PruneWorld;
let store: string;

beforeEach(async () => {
  world = await PruneWorld.make();
  await world.add('0199-keep', 2);
  await world.add('0199-aaa', 50);
  await world.prune('--older-than', '30d', '--archive', 'archive', '--apply');
  store = join(world.dir, 'other');
});

async function restore(...more: string[]): Promise<[exitCode: number, result: PruneResult]> {
  const args = ['--archive', 'archive', '--restore', '0199-aaa', '--store', 'other', '--json'];
  const { out, exitCode } = await world.run([...args, ...more]);
  const { results } = JSON.parse(out) as { results: readonly [PruneResult] };
  return [exitCode, results[0]];
}

const OBSTACLES: Record<string, (target: string, project: string) => Promise<unknown>> = {
  'another file': (target) => writeFile(target, 'mine'),
  'a directory': (target) => mkdir(target),
  'a link that leads nowhere': (target) => symlink('nowhere', target),
  'a linked project': async (_, project) => {
    await rm(project, { recursive: true });
    await symlink(world.dir, project);
  },
  'a file instead of the project': async (_, project) => {
    await rm(project, { recursive: true });
    await writeFile(project, '');
  },
  'a file instead of the store': async () => {
    await rm(store, { recursive: true });
    await writeFile(store, '');
  },
  'damage in the archive': async () => {
    const directory = join(world.dir, 'archive');
    const member = (await readdir(directory)).find((name) => name.endsWith('.tar.gz')) ?? '';
    await truncate(join(directory, member), 400);
  },
};

it.each(Object.entries(OBSTACLES))(
  'foresees in a preview that a restore meets %s, and names the place',
  async (_, putInTheWay) => {
    const project = join(store, 'proj');
    const target = join(project, '0199-aaa.jsonl');
    await mkdir(project, { recursive: true });
    await putInTheWay(target, project);
    const preview = await restore('--dry-run');
    expect(preview).toMatchObject([3, { action: 'fail', path: target }]);
    expect(preview).toEqual(await restore());
  },
);

it('foresees in a preview that a session is there already', async () => {
  await restore();
  expect(await restore('--dry-run')).toMatchObject([0, { action: 'unchanged' }]);
});

it('makes no directory for a preview', async () => {
  expect(await restore('--dry-run')).toMatchObject([0, { action: 'restore' }]);
  expect(await readdir(world.dir)).not.toContain('other');
});
