import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

const KEPT = 'keep: a session in its folder: 1 line could not be read';
let world: PruneWorld;

/** Files in `proj`, all of them 50 days old. */
async function put(files: Readonly<Record<string, readonly object[]>>): Promise<void> {
  await writeFiles(join(world.store, 'proj'), files);
  for (const name of ['x', 'x/sub', ...Object.keys(files)]) await world.touch(`proj/${name}`, 50);
}

/** Changes the session in the folder, which was last written to 50 days ago. */
async function damage(change: (text: string) => string): Promise<void> {
  const path = join(world.store, 'proj', 'x', 'sub', 'y.jsonl');
  await writeFile(path, change(await readFile(path, 'utf8')));
  await world.touch('proj/x/sub/y.jsonl', 50);
}

const tear = (text: string): string => `${text}{"type":"mess`;

beforeEach(async () => {
  world = await PruneWorld.make();
  for (const [id, days] of [
    ['x', 50],
    ['a', 60],
    ['b', 70],
  ] as const) {
    await world.add(id, days);
  }
  const inside = sampleSession({ id: 'y' });
  const texts = ['A', 'B'].map((one) => ({ type: 'text', text: one.repeat(3000) }));
  const answer = JSON.parse(JSON.stringify(inside[2]));
  answer.message.content = texts;
  const next = { ...answer, id: 'aaaaaaa9', parentId: 'aaaaaaa2' };
  await put({ 'x/sub/y.jsonl': [...inside.slice(0, 2), answer, next] });
});

describe.each([
  ['--keep-last', '1'],
  ['--keep-daily', '1'],
  ['--max-sessions', '1'],
  ['--max-total-size', '1kB'],
  ['--older-than', '55d'],
])(
  'beside a session with a damaged one in its folder, prune %s %s removes no other in its place',
  (...rule) => {
    it('where its last line is torn', async () => {
      await damage(tear);
      const { x, a, b } = await world.prune(...rule);
      expect({ x, b: b?.split(':')[0] }).toEqual({ x: KEPT, b: 'remove' });
      expect(a).toMatch(/^keep/);
    });

    it('where only a second reading finds that', async () => {
      await damage((text) => text.replace('},{"type":"text"', '} {"type":"text"'));
      const { x, a, b } = await world.prune(...rule);
      expect({ x, b: b?.split(':')[0] }).toEqual({ x: KEPT, b: 'remove' });
      expect(a).toMatch(/^keep/);
    });

    it('where another one there is in use', async () => {
      await damage(tear);
      await put({ 'x/sub/w.jsonl': sampleSession({ id: 'w' }) });
      await world.touch('proj/x/sub/w.jsonl', 0);
      const { x, a, b } = await world.prune(...rule);
      expect(x).toMatch(/^keep: changed .* ago, within --grace 1d$/);
      expect(a).toMatch(/^keep/);
      expect(b).toMatch(/^remove/);
    });
  },
);

it('a session with a damaged one in its folder takes no place where it may be removed', async () => {
  await damage(tear);
  const args = ['--keep-last', '1', '--older-than', '1d', '--include-damaged'];
  expect(await world.prune(...args)).toMatchObject({
    x: 'keep: last 1',
    a: 'keep: last 1',
    b: 'remove: older than 1d',
  });
  await rm(join(world.store, 'proj', 'x'), { recursive: true });
  expect(await world.prune(...args)).toMatchObject({
    x: 'keep: last 1',
    a: 'remove: older than 1d',
  });
});
