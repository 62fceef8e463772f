import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { PruneWorld } from '../prune/prune-world.ts';

let world: PruneWorld;

const ELSEWHERE = {
  drive: 'D:\\work\\api',
  slashes: 'd:/Work/web',
  share: '\\\\srv\\share\\proj',
  tilde: '~/proj',
  relative: 'rel/dir',
  dot: '.',
  up: '..',
  nul: '/gone\0',
  none: '',
};

beforeEach(async () => {
  world = await PruneWorld.make();
  for (const [id, cwd] of Object.entries(ELSEWHERE)) await world.add(id, 50, { cwd });
  await world.add('here', 50, { cwd: world.dir });
  await world.add('young', 2, { cwd: join(world.dir, 'below') });
});

async function listProject(project: string): Promise<string[]> {
  const args = ['list', '--store', 'store', '--project', project, '--json'];
  const { out } = await runTest(args, { cwd: world.dir });
  const { results } = JSON.parse(out) as { results: { id: string }[] };
  return results.map(({ id }) => id).toSorted();
}

async function listRemoved(...args: string[]): Promise<string[]> {
  const found = Object.entries(await world.prune(...args));
  return found.flatMap(([id, what]) => (what.startsWith('remove') ? [id] : []));
}

describe('--project', () => {
  it.each([
    ['.', ['here', 'young']],
    ['/', ['here', 'nul', 'young']],
    ['D:\\', ['drive', 'slashes']],
    ['D:\\WORK\\', ['drive', 'slashes']],
    ['d:/work/api', ['drive']],
    ['\\\\SRV\\share', ['share']],
    ['\\\\?\\D:\\work', ['drive', 'slashes']],
    ['rel', []],
  ])('%s compares working directories as they are', async (project, ids) => {
    expect(await listProject(project)).toEqual(ids);
  });

  it('removes no session of another project, wherever coppice runs', async () => {
    expect(await listRemoved('--project', '.', '--older-than', '30d')).toEqual(['here']);
  });
});

describe('--missing-cwd', () => {
  it('removes nothing that this machine cannot judge, and says why', async () => {
    const found = await world.prune('--missing-cwd');
    expect(found).toMatchObject({
      drive: 'keep: its working directory belongs to another operating system',
      share: 'keep: its working directory belongs to another operating system',
      tilde: 'keep: its working directory is not an absolute path',
      relative: 'keep: its working directory is not an absolute path',
      dot: 'keep: its working directory is not an absolute path',
      nul: 'keep: its working directory is not a path',
      none: 'keep: its working directory is not known',
      here: 'keep: not selected',
    });
  });
});

it('migrate --cwd moves a project of another system', async () => {
  const args = ['migrate', '--store', 'store', '--cwd', 'D:\\WORK=/srv/work', '--json'];
  const { out } = await runTest(args, { cwd: world.dir });
  const { results } = JSON.parse(out) as { results: { path: string; action: string }[] };
  const moved = results.filter(({ action }) => action === 'relocate');
  expect(moved.map(({ path }) => path)).toEqual([world.path('drive'), world.path('slashes')]);
});
