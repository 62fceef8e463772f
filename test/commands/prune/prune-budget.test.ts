import { expect, it } from 'vitest';
import { shareNewFiles } from '../../ordinary-user.ts';
import { PruneWorld } from './prune-world.ts';

shareNewFiles();

it('says by how much a budget is not met', async () => {
  const world = await PruneWorld.make();
  await world.add('young', 1, { name: 'Refactor auth module' });
  await world.add('old', 61);
  await world.add('older', 70, { name: 'Keep me' });
  const args = ['--store', 'store', '--keep-named', '--quiet', '--max-sessions'];
  const counted = String.raw`\(2 sessions, \S+ k?B\)\n$`;
  const { err } = await world.run([...args, '1']);
  expect(err).toMatch(
    new RegExp(`^coppice: the budget is not met: what is kept is still over 1 session ${counted}`),
  );
  const both = await world.run([...args, '1', '--max-total-size', '1B', '--apply', '--delete']);
  expect(both.err).toMatch(
    new RegExp(`what is kept is still over 1B in all and over 1 session ${counted}`),
  );
  expect((await world.run([...args, '2'])).err).toBe('');
});
