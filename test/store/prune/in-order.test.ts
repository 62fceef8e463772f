import { describe, expect, it } from 'vitest';
import { inOrder } from '../../../src/store/prune/forks/in-order.ts';
import type { RemovalResult } from '../../../src/store/prune/removal-result.ts';
import type { RemovalTarget } from '../../../src/store/remove/remove-whole.ts';

function toLeaving(needs: Readonly<Record<string, readonly string[]>>): readonly RemovalTarget[] {
  return Object.entries(needs).map(([path, others]) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of it is looked at
    return { candidate: { path, needs: others } } as unknown as RemovalTarget;
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
    const needs = Object.fromEntries(
      Array.from({ length: 12_000 }, (_, at) => [`${at}`, at === 0 ? [] : [`${at - 1}`]]),
    );
    const { order } = await run(toLeaving(needs));
    expect([order.length, order[0]]).toEqual([12_000, '11999']);
  });
});
