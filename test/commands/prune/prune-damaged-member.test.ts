import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { usualSidecars } from '../../../src/session/dialect/surroundings/sidecars.ts';
import { openArchive, writeMember } from '../../../src/store/archive/member/write-member.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { NOW } from '../../memory-terminal.ts';
import { writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

const DAY = 86_400_000;

it('--in-archive removes others also beside a member of which nothing can be restored', async () => {
  const world = await PruneWorld.make();
  const archive = join(world.dir, 'archive');
  await openArchive(archive, NOW);
  for (const [at, id] of ['0199-aaa', '0199-bbb', '0199-ccc', '0199-ddd'].entries()) {
    await world.add(id, 50 - at);
    await writeFiles(world.store, { [`proj/${id}/tool-results/out.txt`]: 'output '.repeat(100) });
    const files = await readSessionFiles(world.path(id), usualSidecars);
    const lastActive = new Date(NOW - (50 - at) * DAY).toISOString();
    const facts = { agent: 'pi', id, cwd: '/w', title: id, lastActive, store: world.store };
    await writeMember(archive, files, facts, NOW - DAY);
  }
  const members = async () => (await readdir(archive)).filter((name) => name.endsWith('.gz'));
  const [first = ''] = await members();
  const path = join(archive, first);
  await truncate(path, 60);
  const inArchive = (...more: string[]) =>
    world.run(['--in-archive', 'archive', '--keep-last', '1', ...more]);
  expect((await inArchive()).out).toContain('Would remove 3 of 4 states');
  const { out } = await inArchive('--apply');
  expect(out).toContain('Removed 2 of 4 states');
  expect(out).not.toContain('refers to its files');
  expect((await members()).length).toBeLessThan(3);
});
