import { readdir, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { usualSidecars } from '../../../src/session/dialect/surroundings/sidecars.ts';
import { appendToIndex, readIndexLines } from '../../../src/store/archive/index/index-file.ts';
import { rebuildIndex } from '../../../src/store/archive/index/rebuild-index.ts';
import { openArchive, writeMember } from '../../../src/store/archive/member/write-member.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { NOW } from '../../memory-terminal.ts';
import { PruneWorld } from '../../commands/prune/prune-world.ts';

let archive: string;

beforeEach(async () => {
  const world = await PruneWorld.make();
  archive = join(world.dir, 'archive');
  await openArchive(archive, NOW);
  for (let number = 0; number < 20; number += 1) {
    const path = await world.add(`0199-${number}`, 50);
    const files = await readSessionFiles(path, usualSidecars);
    const lastActive = new Date(NOW - 1000).toISOString();
    const facts = { agent: 'pi', id: `0199-${number}`, cwd: '/w', title: '', lastActive };
    const { path: member } = await writeMember(
      archive,
      files,
      { ...facts, store: world.store },
      NOW,
    );
    await utimes(member, NOW / 1000, NOW / 1000);
  }
});

/** A line may be there twice, which changes nothing. */
const list = async (): Promise<number[]> => {
  const times = new Set<number>();
  await readIndexLines(archive, ({ content }) => {
    if (content && 'removedAt' in content) times.add(content.removedAt);
  });
  return [...times].toSorted((a, b) => a - b);
};

it.each([
  ['', async (): Promise<void> => {}],
  [' where there was none', () => rm(join(archive, 'index.ndjson'))],
])('a new index has the lines that other runs add meanwhile%s', async (_, prepare) => {
  await prepare();
  const done = new AbortController();
  const added: number[] = [];
  const listHidden = async (): Promise<readonly string[]> =>
    (await readdir(archive)).filter((name) => name.startsWith('.'));
  const add = async (): Promise<void> => {
    // What was in the old index before it is written again is about members, which are read.
    while (!done.signal.aborted && (await listHidden()).length === 0);
    for (let time = 1; !done.signal.aborted; time += 1) {
      added.push(time);
      await appendToIndex(archive, [{ member: 's_other-1.tar.gz', removedAt: time }]);
    }
  };
  await Promise.all([rebuildIndex(archive).finally(() => done.abort()), add()]);
  expect(added.length).toBeGreaterThan(3);
  expect(await list()).toEqual(added);
  expect((await readFile(join(archive, 'index.ndjson'), 'utf8')).endsWith('}\n')).toBe(true);
  expect(await listHidden()).toEqual([]);
});
