import { describe, expect, it } from 'vitest';
import { inOrder } from '../../../src/store/prune/forks/in-order.ts';
import type { RemovalResult } from '../../../src/store/prune/removal-result.ts';
import type { SessionFiles } from '../../../src/store/sessions/session-files.ts';
import { makeCandidate } from '../../session/prune/make-candidate.ts';
import type { RemovalTarget } from '../../../src/store/remove/remove-whole.ts';

const NO_FILES: SessionFiles = {
  path: '',
  root: '',
  holders: new Map(),
  files: [],
  directories: [],
  sidecars: [],
};

function toLeaving(needs: Readonly<Record<string, readonly string[]>>): readonly RemovalTarget[] {
  return Object.keys(needs).map((path) => {
    const waitsFor = Object.keys(needs)
      .filter((other) => needs[other]?.includes(path))
      .map((other) => ({ path: other, reason: 'needed' }));
    return { candidate: makeCandidate(path, 1, { path }), waitsFor, files: NO_FILES };
  });
}

/** What becomes of each, and in which order they are removed. */
async function run(
  leaving: readonly RemovalTarget[],
  removals: Readonly<Record<string, string>> = {},
) {
  const order: string[] = [];
  const remove = inOrder(leaving, ({ candidate: { path } }) => {
    const removal = removals[path] ?? 'removed';
    if (removal === 'failed') return Promise.reject(new Error(path));
    order.push(path);
    return Promise.resolve({ removal } as RemovalResult);
  });
  const outcomes = leaving.map(async (one) => {
    return remove(one).then(
      ({ removal }) => `${one.candidate.path} ${removal}`,
      () => `${one.candidate.path} failed`,
    );
  });
  return { order, outcomes: await Promise.all(outcomes) };
}

const CHAIN = toLeaving({ base: [], fork: ['base'], last: ['fork'], other: ['elsewhere'] });

describe('what others go on from is removed after them', () => {
  it('each once, whichever is asked for first', async () => {
    const { order, outcomes } = await run(CHAIN);
    expect(outcomes).toEqual(['base removed', 'fork removed', 'last removed', 'other removed']);
    expect(order.filter((path) => path !== 'other')).toEqual(['last', 'fork', 'base']);
    expect(order).toHaveLength(4);
  });

  it.each(['changed', 'open', 'gone', 'failed'])(
    'and kept where one of them is %s',
    async (what) => {
      const { outcomes } = await run(CHAIN, { last: what });
      expect(outcomes).toEqual(['base needed', 'fork needed', `last ${what}`, 'other removed']);
    },
  );

  it('also where they go on from each other', async () => {
    const { outcomes } = await run(toLeaving({ a: ['b'], b: ['a'], c: ['c'] }));
    expect(outcomes).toEqual(['a removed', 'b removed', 'c removed']);
  });

  it('also where they are thousands', async () => {
    const chain = Array.from({ length: 12_000 }, (_, at) => {
      const candidate = makeCandidate(`${at}`, 1, { path: `${at}` });
      const waitsFor = [{ path: `${at + 1}`, reason: 'needed' }];
      return { candidate, waitsFor, files: NO_FILES };
    });
    const { order } = await run(chain);
    expect([order.length, order[0]]).toEqual([12_000, '11999']);
  });
});
