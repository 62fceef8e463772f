import { describe, expect, test } from 'vitest';
import type { Candidate } from '../../../src/session/prune/candidate.ts';
import { planPrune } from '../../../src/session/prune/plan-prune.ts';
import { DAY, keepPeriods, makeCandidate as at, makePolicy, NOW } from './make-candidate.ts';

type PolicyParts = Parameters<typeof makePolicy>[0];

describe('never removed', () => {
  test('what cannot be read or lies behind a link', () => {
    const sessions = [at('a', 50, { obstacle: 'reached through a symbolic link' }), at('b', 51)];
    expect(decide(sessions)).toEqual({
      a: 'keep: reached through a symbolic link',
      b: 'remove: no rule keeps it',
    });
  });

  test('what was written within the grace window, though its last message is old', () => {
    const touched = at('a', 50, { fileModified: NOW - DAY / 4 });
    expect(decide([touched])).toEqual({ a: 'keep: changed 6 h ago, within --grace 12h' });
  });

  test('what has a timestamp in the future; it takes no place among the last', () => {
    const sessions = [at('future', -3), at('a', 50), at('b', 51)];
    expect(decide(sessions, { keep: keepPeriods({ last: 1 }) })).toEqual({
      future: 'keep: has a timestamp in the future',
      a: 'keep: last 1',
      b: 'remove: no rule keeps it',
    });
  });

  test('what has a timestamp in the future and is open: it takes no place, and no time is counted back from it', () => {
    const holder = { isOpen: true, updatedAt: 0 };
    const sessions = [at('future', -300, { holder }), at('a', 50), at('b', 51), at('c', 90)];
    const within = { before: (time: number) => time - 30 * DAY, text: '30d' };
    expect(kept(sessions, { keep: keepPeriods({ last: 2 }) })).toEqual(['future', 'a', 'b']);
    expect(kept(sessions, { keep: { within } })).toEqual(['future', 'a', 'b']);
  });

  test('the last session of a store', () => {
    const elsewhere = at('c', 70, { stores: ['/other'], path: '/other/c.jsonl' });
    const sessions = [at('a', 50), at('b', 51), elsewhere];
    expect(decide(sessions, { allowEmpty: false })).toEqual({
      a: 'keep: the last session of its store (--allow-empty)',
      b: 'remove: no rule keeps it',
      c: 'keep: the last session of its store (--allow-empty)',
    });
    expect(kept(sessions, { allowEmpty: true })).toEqual([]);
  });

  test('the last session of a store, in whose place a budget removes others', () => {
    const elsewhere = at('c', 70, { stores: ['/other'], path: '/other/c.jsonl' });
    const budget = { maxSessions: { value: 2, text: 'over 2 sessions' }, allowEmpty: false };
    expect(decide([at('a', 50), at('b', 51), elsewhere], budget)).toEqual({
      a: 'keep: within the budget',
      b: 'remove: over 2 sessions',
      c: 'keep: the last session of its store (--allow-empty)',
    });
  });

  test('what takes sidecars along with one that is kept, whatever is included', () => {
    const copies = ['/store/b.jsonl'];
    const sessions = [at('a', 50, { copies }), at('b', 51, { name: 'b' }), at('c', 52)];
    expect(decide(sessions, { keep: { named: true }, includeReferred: true })).toEqual({
      a: 'keep: shares its sidecars with a kept copy',
      b: 'keep: named',
      c: 'remove: no rule keeps it',
    });
  });

  test('no last session of a store for one that is kept for its files', () => {
    const referred = at('b', 51, { referrers: ['/other/c.jsonl'] });
    const elsewhere = at('c', 70, { stores: ['/other'], path: '/other/c.jsonl', selected: false });
    expect(decide([at('a', 50), referred, elsewhere], { allowEmpty: false })).toEqual({
      a: 'remove: no rule keeps it',
      b: 'keep: a kept session refers to its files',
      c: 'keep: not selected',
    });
  });

  test('the last session of each shard: the others may all be going in other runs', () => {
    const sessions = [at('a', 50, { selected: false }), at('b', 51), at('c', 52)];
    const policy = { allowEmpty: false };
    expect(kept(sessions, policy)).toEqual(['a']);
  });

  test('the last readable session of a store, beside others that cannot be read', () => {
    const sessions = [at('a', 50), at('broken', 2, { obstacle: 'has no header' })];
    expect(decide(sessions, { allowEmpty: false })['a']).toContain('keep: the last session');
  });

  test('what a session in the folder of a kept one continues from, or has in its own folder, whatever is included', () => {
    const policy = { includeParents: true, keep: { named: true } };
    const part = { path: '/store/b/part.jsonl', needs: ['/store/a.jsonl'] };
    const owner = at('b', 51, { name: 'b' });
    const found = decide([at('a', 50), owner, at('part', 52, part)], policy);
    expect(found).toMatchObject({ a: 'keep: a kept fork continues from it' });
    const fork = at('b', 51, { name: 'b', needs: ['/store/a/part.jsonl'] });
    const base = at('part', 52, { path: '/store/a/part.jsonl' });
    expect(decide([at('a', 50), base, fork], policy)).toMatchObject({
      a: 'keep: a kept fork continues from it',
    });
  });

  test('the last session of a store without damaged lines, for one that may be removed with such lines', () => {
    const unread = { lines: 1, entries: 0 };
    const policy = { allowEmpty: false, includeDamaged: true };
    const damaged = at('damaged', 40, { unread });
    expect(kept([damaged, at('a', 50), at('b', 51)], policy)).toEqual(['a']);
    expect(kept([damaged, at('older', 60, { unread })], policy)).toEqual(['damaged']);
  });

  test('what is among the last, or within a time, beside sessions with damaged lines: these are kept besides', () => {
    const unread = { lines: 1, entries: 0 };
    const sessions = [
      at('damaged', 40, { unread }),
      at('a', 50),
      at('also', 55, { unread }),
      at('b', 60),
      at('c', 70),
      at('older', 80, { unread }),
    ];
    const within = { before: (time: number) => time - 11 * DAY, text: '11d' };
    for (const keep of [
      keepPeriods({ last: 2 }),
      keepPeriods({ daily: 2 }),
      { within },
      { withinPeriods: { daily: within } },
    ]) {
      const left = kept(sessions, { keep, includeDamaged: true });
      expect(left).toEqual(['damaged', 'a', 'also', 'b']);
    }
  });

  test('the last session of a store, and not only what its lines name', () => {
    const sessions = [at('a', 50), at('b', 51, { referrers: ['/store/a.jsonl'] }), at('c', 52)];
    expect(decide(sessions, { allowEmpty: false })).toEqual({
      a: 'keep: the last session of its store (--allow-empty)',
      b: 'keep: a kept session refers to its files',
      c: 'remove: no rule keeps it',
    });
  });

  test('what one names that a budget removes in its place, without the reason that it names it', () => {
    const sessions = [at('a', 50), at('b', 51), at('c', 90, { referrers: ['/store/b.jsonl'] })];
    const budget = { maxSessions: { value: 2, text: 'over 2 sessions' } };
    expect(decide(sessions, budget)).toEqual({
      a: 'keep: within the budget',
      b: 'remove: over 2 sessions',
      c: 'keep: was needed by a session that is removed; the next run decides',
    });
  });

  test('what the last session of a store was forked from', () => {
    const sessions = [at('a', 50, { forkOf: 'b' }), at('b', 51), at('c', 52)];
    expect(decide(sessions, { allowEmpty: false })).toEqual({
      a: 'keep: the last session of its store (--allow-empty)',
      b: 'keep: parent of a kept fork',
      c: 'remove: no rule keeps it',
    });
  });

  test('a parent whose fork is not even selected', () => {
    const fork = at('fork', 40, { forkOf: 'a', selected: false, cwd: '/elsewhere' });
    expect(decide([at('a', 50), fork])['a']).toBe('keep: parent of a kept fork');
  });

  describe('any that may be the parent of a kept fork, which names it', () => {
    const fork = (parentSessionPath: string): Candidate => {
      return at('fork', 40, { selected: false, parentSessionPath, latest: NOW - 40 * DAY });
    };
    const policy = { activeBefore: { value: NOW - 45 * DAY, text: 'older than 45d' } };

    test.each([
      ['by a path that two copies of it end in', '/old/a.jsonl'],
      ['by a path that ends in a slash', '/old/a.jsonl/'],
      ['by a path of another system', 'D:\\old\\a.jsonl'],
      ['in another case or another form of Unicode', '/old/A.jsonl'],
      ['by its id', 'a'],
    ])('%s', (_how, parent) => {
      const copies = ['/store/a.jsonl', '/store/copy/a.jsonl'].map((path) => at('a', 50, { path }));
      const sessions = [...copies, at('b', 50), fork(parent)];
      const aged = planPrune(sessions, makePolicy(policy), NOW);
      const found = planPrune(sessions, makePolicy(), NOW);
      const reasons = (plan: typeof found) =>
        plan.filter(({ action }) => action === 'keep').map(({ reasons: [why] }) => why);
      expect(reasons(aged)).toEqual([
        'not selected',
        'not older than 45d, as forks of it are newer',
        'not older than 45d, as forks of it are newer',
      ]);
      expect(reasons(found)).toEqual([
        'not selected',
        'parent of a kept fork',
        'parent of a kept fork',
      ]);
    });

    test('but for one that lies where the fork says', () => {
      const copy = at('copy', 50, { path: '/store/copy/a.jsonl' });
      expect(decide([at('a', 50), copy, fork('/store/a.jsonl')])).toMatchObject({
        a: 'keep: parent of a kept fork',
        copy: 'remove: no rule keeps it',
      });
    });
  });
});

describe('sessions in the folder of another', () => {
  const part = (facts: Partial<Candidate> & { readonly forkOf?: string } = {}) =>
    at('part', 80, { path: '/store/a/agents/part.jsonl', ...facts });

  test('which a backslash in a name is not: here it is a character like others', () => {
    const path = '/store/a\\part.jsonl';
    expect(
      decide([at('a', 50, { name: 'kept' }), part({ path })], { keep: { named: true } }),
    ).toEqual({
      a: 'keep: named',
      part: 'remove: no rule keeps it',
    });
  });

  test('go with it', () => {
    expect(decide([at('a', 50), part()])).toEqual({
      a: 'remove: no rule keeps it',
      part: 'remove: removed with the session that it belongs to',
    });
  });

  test('also from elsewhere, if they are among its files, and keep it', () => {
    const path = '/uploads/a/part.jsonl';
    const sessions = [at('a', 50, { parts: new Set([path]) }), part({ path, name: 'kept' })];
    expect(decide(sessions)['part']).toBe('remove: removed with the session that it belongs to');
    expect(decide(sessions, { keep: { named: true } })).toEqual({
      a: 'keep: a session in its folder: named',
      part: 'keep: kept with the session that it belongs to',
    });
  });

  test('also when they name it as what they were forked from', () => {
    expect(decide([at('a', 50), part({ forkOf: 'a' })])['a']).toBe('remove: no rule keeps it');
  });

  test('stay with it, and make its lineage younger', () => {
    const policy = { activeBefore: { value: NOW - 30 * DAY, text: 'older than 30d' } };
    expect(decide([at('a', 50), part({ modified: NOW - 2 * DAY })], policy)).toEqual({
      part: 'keep: kept with the session that it belongs to',
      a: 'keep: not older than 30d, as forks of it are newer',
    });
  });

  test('keep it when they must not be touched', () => {
    expect(decide([at('a', 50), part({ obstacle: 'cannot be read' })])['a']).toBe(
      'keep: a session in its folder: cannot be read',
    );
  });

  test('keep it when a kept session was forked from them', () => {
    const fork = at('b', 40, { parentSessionPath: part().path, name: 'b' });
    expect(decide([at('a', 50), part(), fork], { keep: { named: true } })['a']).toBe(
      'keep: parent of a kept fork',
    );
  });
});

describe('budgets', () => {
  const five = [at('a', 10), at('b', 20), at('c', 30), at('d', 40), at('e', 50)];

  test('remove the oldest until the size fits, and no more', () => {
    const policy = { maxBytes: { value: 3500, text: 'over 3.5kB' } };
    expect(decide(five, policy)).toEqual({
      a: 'keep: within the budget',
      b: 'keep: within the budget',
      c: 'keep: within the budget',
      d: 'remove: over 3.5kB',
      e: 'remove: over 3.5kB',
    });
  });

  test('leave alone what a rule keeps, however old', () => {
    const named = five.map((one) => (one.id === 'e' ? { ...one, name: 'gem' } : one));
    const policy = {
      maxSessions: { value: 3, text: 'over 3 sessions' },
      keep: { named: true },
    };
    expect(kept(named, policy)).toEqual(['a', 'b', 'e']);
  });

  test('only take from what the selectors chose', () => {
    const policy = {
      maxSessions: { value: 1, text: 'over 1 session' },
      activeBefore: { value: NOW - 25 * DAY, text: 'older than 25d' },
    };
    expect(kept(five, policy)).toEqual(['a', 'b']);
  });

  test('count whole lineages by their youngest, forks going before parents', () => {
    const sessions = [at('root', 90), at('fork', 15, { forkOf: 'root' }), at('x', 20), at('y', 10)];
    const upTo = (value: number) => kept(sessions, { maxSessions: { value, text: 'over' } });
    expect(upTo(3)).toEqual(['y', 'fork', 'root']);
    expect(upTo(2)).toEqual(['y', 'root']);
    expect(upTo(1)).toEqual(['y']);
  });

  test('count a file with several names once, and free it with the last of them', () => {
    const shared = [{ file: '1:2', bytes: 900 }];
    const facts = { file: '1:2', shared };
    const names = [at('a', 10), at('b', 20, facts), at('c', 30, facts)];
    const upTo = (value: number) => kept(names, { maxBytes: { value, text: 'over' } });
    expect(upTo(2100)).toEqual(['a', 'b', 'c']);
    expect(upTo(2050)).toEqual(['a', 'b']);
    expect(upTo(1999)).toEqual(['a']);
    const limit = { value: 2, text: 'over 2 sessions' };
    expect(kept(names, { maxSessions: limit })).toEqual(['a', 'b', 'c']);
  });

  test('count the bytes of what lies in a folder with its session', () => {
    const part = at('part', 50, { path: '/store/e/part.jsonl', bytes: 9000 });
    const policy = { maxBytes: { value: 4000, text: 'over 4kB' } };
    expect(kept([...five, part], policy)).toEqual(['a', 'b', 'c', 'd']);
  });
});

function decide(sessions: readonly Candidate[], parts: PolicyParts = {}): Record<string, string> {
  const decisions = planPrune(sessions, makePolicy(parts), NOW);
  return Object.fromEntries(
    decisions.map(({ candidate, action, reasons }) => [
      candidate.id,
      `${action}: ${reasons.join(', ')}`,
    ]),
  );
}

function kept(sessions: readonly Candidate[], parts: PolicyParts): readonly string[] {
  const decisions = planPrune(sessions, makePolicy(parts), NOW);
  return decisions.filter(({ action }) => action === 'keep').map(({ candidate }) => candidate.id);
}
