import { link, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../memory-terminal.ts';
import { writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

const DAY = 24 * 60 * 60 * 1000;

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

describe('a session in the storage of pi-agent-core', () => {
  /** The header of a fork, as 0.87.1 writes it; the file was written 2 days ago. */
  async function addFork(names: object): Promise<void> {
    const header = { v: 4, kind: 'header', id: 'fork', storageVersion: 1, cwd: '/home/dev/proj' };
    const text = JSON.stringify({ ...header, createdAt: NOW - 40 * DAY, ...names });
    await writeFiles(world.store, { 'proj/fork.jsonl': `${text}\n` });
    await world.touch('proj/fork.jsonl', 2);
  }

  it.each([
    [{ parentSessionId: 'parent' }],
    [{ parentSessionId: 'parent', v: undefined, version: 4 }],
    [{ legacyParentSessionPath: '/home/other/sessions/parent.jsonl' }],
  ])('keeps the parent that it names as %j', async (names) => {
    await world.add('parent', 50);
    await world.add('other', 3);
    await addFork(names);
    expect((await world.prune('--max-sessions', '1'))['parent']).toBe(
      'keep: parent of a kept fork',
    );
  });

  it('makes its lineage as young as its file, of which only the header is read', async () => {
    await world.add('parent', 50);
    await world.add('other', 3);
    await addFork({ parentSessionId: 'parent' });
    const found = await world.prune('--older-than', '30d', '--include-parents');
    expect(found['parent']).toBe('keep: not surely older than 30d');
  });
});
