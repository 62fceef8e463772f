import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { planRetention } from '../../../src/store/prune/retention/archive-retention.ts';
import { openStateRemover } from '../../../src/store/prune/retention/remove-states.ts';
import { archiveOne, makeStore, NOW } from '../archive/archive-fixture.ts';
import { makeTempDir } from '../../temp-dir.ts';

const RULES = { rules: undefined, states: 1 };

/** An archive with two sessions, each of which is to leave. */
async function setUp() {
  const dir = await makeTempDir();
  const archive = join(dir, 'archive');
  for (const store of ['one', 'two'].map((name) => join(dir, name))) {
    await archiveOne(archive, await makeStore(store), store);
  }
  const { signal } = new AbortController();
  const { decisions } = await planRetention(archive, RULES, { now: NOW, signal });
  expect(decisions).toHaveLength(2);
  return { archive, leaving: decisions.map((one) => ({ ...one, action: 'remove' as const })) };
}

it('reads no further session of an archive once it was stopped', async () => {
  const { archive, leaving } = await setUp();
  const signal = AbortSignal.abort();
  await expect(planRetention(archive, RULES, { now: NOW, signal })).rejects.toThrow('aborted');
  const remover = openStateRemover(archive, leaving, { now: () => NOW, signal });
  await expect(remover).rejects.toThrow('aborted');
});

it('removes no further state of an archive once it was stopped', async () => {
  const { archive, leaving } = await setUp();
  const [first, second] = leaving;
  if (!first || !second) throw new Error('too few states');
  const stop = new AbortController();
  const how = { now: () => NOW, signal: stop.signal };
  const remove = await openStateRemover(archive, leaving, how);
  expect(await remove(first)).toEqual({ removal: 'removed' });
  stop.abort();
  expect(await remove(second)).toEqual({ removal: 'stopped' });
  expect(existsSync(join(archive, second.state.member))).toBe(true);
});
