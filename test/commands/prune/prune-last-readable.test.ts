import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { PruneWorld } from './prune-world.ts';

const LAST = 'keep: the last session of its store (--allow-empty)';

it('keeps the last session of a store that can be read, and not one with damage that a listing does not see', async () => {
  const world = await PruneWorld.make();
  for (const [id, daysAgo] of [
    ['torn', 40],
    ['hidden', 50],
    ['sound', 60],
  ] as const) {
    const path = await world.add(id, daysAgo);
    if (id === 'torn') await appendFile(path, '{"type":"mess\n');
    if (id === 'hidden') {
      const text = await readFile(path, 'utf8');
      await writeFile(path, text.replace('"text":', '"x":1,,"text":'));
    }
    await world.touch(`proj/${id}.jsonl`, daysAgo);
  }
  expect(await world.prune('--older-than', '30d')).toEqual({
    torn: 'keep: 1 line could not be read',
    hidden: 'keep: 1 line could not be read',
    sound: LAST,
  });
});
