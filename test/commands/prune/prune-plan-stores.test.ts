import { join } from 'node:path';
import { expect, it } from 'vitest';
import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

it('a plan for the stores of the agents keeps a parent for a fork in one that has come since', async () => {
  const world = await PruneWorld.make();
  const options = { home: world.dir, env: { PI_CODING_AGENT_SESSION_DIR: world.store } };
  const parentSession = await world.add('parent', 60);
  await world.add('plain', 70);
  await world.run(['--older-than', '10d', '--allow-empty', '--plan-out', 'p'], options);
  const fork = sampleSession({ id: 'fork', parentSession });
  await writeFiles(join(world.dir, '.claude/projects/p'), { 'fork.jsonl': fork });
  const { out } = await world.run(['--plan', 'p', '--delete', '--apply'], options);
  expect(out).toContain('parent of a kept fork');
  expect(await world.names()).toEqual(['proj', 'proj/parent.jsonl']);
});
