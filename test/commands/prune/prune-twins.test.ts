import { link, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { PruneWorld } from './prune-world.ts';

let world: PruneWorld;

beforeEach(async () => {
  world = await PruneWorld.make();
});

describe('prune --keep-last', () => {
  it.each<[string, (path: string) => Promise<void>, string[]]>([
    ['stores', (to) => symlink(world.store, to), ['--store', 'store', '--store', 'way']],
    ['targets', (to) => symlink(world.store, to), ['way', 'store']],
    ['hard links', () => link(world.path('a'), world.path('a-too')), ['--store', 'store']],
  ])(
    'keeps as many as asked for, though %s lead to one file by two paths',
    async (_by, addPath, args) => {
      for (const [age, id] of ['a', 'b', 'c'].entries()) await world.add(id, 50 + age);
      await addPath(`${world.dir}/way`);
      await world.run([...args, '--keep-last', '2', '--delete', '--apply']);
      const names = await world.names();
      expect(names.filter((name) => /\b[abc]\.jsonl$/.test(name))).toEqual([
        'proj/a.jsonl',
        'proj/b.jsonl',
      ]);
    },
  );
});

it('keeps the parent of a kept fork, which names it by a link of another name', async () => {
  const parentSession = join(world.dir, 'alias.jsonl');
  await symlink(await world.add('parent', 50), parentSession);
  await world.add('fork', 2, { parentSession });
  await world.run(['--store', 'store', '--older-than', '30d', '--delete', '--apply']);
  expect(await world.names()).toContain('proj/parent.jsonl');
});
