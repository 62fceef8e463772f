import { afterEach, expect, it } from 'vitest';
import { pi } from '../../../src/session/agents/pi/pi.ts';
import { PruneWorld } from './prune-world.ts';

const { sidecars } = pi;
const REASON = 'is of pi, and coppice does not know the sidecars of its sessions';

/** As of an agent whose sidecars nobody has written down yet. */
const forget = (): boolean => Reflect.deleteProperty(pi, 'sidecars');

afterEach(() => Object.assign(pi, { sidecars }));

it('keeps sessions of an agent whose sidecars are not known, with every selector', async () => {
  const world = await PruneWorld.make();
  const path = await world.add('0199-aaa', 50);
  forget();
  for (const args of [[], [path], ['--agent', 'pi', '--allow-empty', '--include-damaged']]) {
    const run = ['--older-than', '30d', '--delete', '--apply', ...args];
    expect(await world.prune(...run)).toEqual({ '0199-aaa': `keep: ${REASON}` });
  }
  expect(await world.names()).toContain('proj/0199-aaa.jsonl');
});

it('does not restore sessions of an agent whose sidecars are not known', async () => {
  const world = await PruneWorld.make();
  await world.add('0199-aaa', 50);
  await world.add('0199-bbb', 2);
  await world.prune('--older-than', '30d', '--archive', 'old', '--apply');
  forget();
  const restore = ['--archive', 'old', '--restore', 'all', '--store', 'store', '--json'];
  const { out, exitCode } = await world.run(restore);
  expect(exitCode).toBe(3);
  expect(out).toContain(`refused: what it holds ${REASON}`);
  expect(await world.names()).toEqual(['proj', 'proj/0199-bbb.jsonl']);
});
