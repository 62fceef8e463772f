import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Candidate } from '../../../src/session/policy/candidate.ts';
import { planPrune } from '../../../src/session/policy/plan-prune.ts';
import type { Policy } from '../../../src/session/policy/policy.ts';
import { DAY, makeCandidate, makePolicy, NOW } from './make-candidate.ts';
import { planNaively } from './naive-plan.ts';

const HOUR = DAY / 24;

const sessionsOf: fc.Arbitrary<readonly Candidate[]> = fc
  .array(
    fc.record({
      hoursAgo: fc.oneof(fc.integer({ min: -30, max: 60 }), fc.integer({ min: 0, max: 20_000 })),
      writtenLater: fc.integer({ min: 0, max: 3 }),
      cwd: fc.constantFrom('/work/api', '/work/web'),
      agent: fc.constantFrom('pi' as const, 'neovate' as const),
      name: fc.option(fc.constant('named'), { freq: 8 }),
      labelCount: fc.constantFrom(0, 0, 0, 0, 1),
      selected: fc.constantFrom(true, true, true, false),
      obstacle: fc.option(fc.constant('unreadable'), { nil: undefined, freq: 8 }),
      parent: fc.option(fc.integer({ min: 0, max: 14 }), { nil: undefined, freq: 3 }),
    }),
    { maxLength: 14 },
  )
  .map((all) =>
    all.map(({ hoursAgo, writtenLater, parent, ...facts }, index) => {
      const modified = NOW - hoursAgo * HOUR;
      const forkOf = parent === undefined ? {} : { forkOf: `s${parent}` };
      const fileModified = modified + writtenLater * HOUR;
      return makeCandidate(`s${index}`, 0, { ...facts, ...forkOf, modified, fileModified });
    }),
  );

const count = fc.constantFrom(0, 0, 1, 2, 5);
const policyOf: fc.Arbitrary<Policy> = fc
  .record({
    periods: fc.record({
      last: count,
      hourly: count,
      daily: count,
      weekly: count,
      monthly: count,
      yearly: count,
    }),
    named: fc.boolean(),
    labeled: fc.boolean(),
    withinDays: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    olderDays: fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined }),
    groupBy: fc.constantFrom('project' as const, 'agent' as const, 'none' as const),
    includeParents: fc.boolean(),
    allowEmpty: fc.boolean(),
    byId: fc.boolean(),
  })
  .map(({ periods, named, labeled, withinDays, olderDays, byId, ...rest }) =>
    makePolicy({
      ...rest,
      activeBefore:
        olderDays === undefined ? undefined : { value: NOW - olderDays * DAY, text: 'older' },
      keep: {
        periods,
        named,
        labeled,
        within:
          withinDays === undefined
            ? undefined
            : { before: (time) => time - withinDays * DAY, text: `${withinDays}d` },
        paths: new Set(byId ? ['/store/s3.jsonl'] : []),
      },
    }),
  );

test('keeps exactly what a naive reckoning keeps', () => {
  fc.assert(
    fc.property(sessionsOf, policyOf, (sessions, policy) => {
      const plan = planPrune(sessions, policy, NOW);
      const kept = plan.filter(({ action }) => action === 'keep');
      const paths = kept.map(({ candidate }) => candidate.path).toSorted();
      expect(paths).toEqual([...planNaively(sessions, policy, NOW)].toSorted());
    }),
    { numRuns: 2000 },
  );
});

test('kept and removed are all sessions, each once and with a reason', () => {
  const limit = (max: number) =>
    fc.option(
      fc.integer({ min: 0, max }).map((value) => ({ value, text: 'over' })),
      { nil: undefined },
    );
  const budgets = fc.record({ maxBytes: limit(15_000), maxSessions: limit(14) });
  fc.assert(
    fc.property(sessionsOf, policyOf, budgets, (sessions, policy, budget) => {
      const plan = planPrune(sessions, { ...policy, ...budget }, NOW);
      expect(new Set(plan.map(({ candidate }) => candidate))).toEqual(new Set(sessions));
      expect(plan).toHaveLength(sessions.length);
      expect(plan.every(({ reasons }) => reasons.length > 0)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});

test('a budget only ever keeps more, and more of the young', () => {
  fc.assert(
    fc.property(sessionsOf, policyOf, fc.nat(14), (sessions, policy, value) => {
      const removed = (rules: Policy) =>
        planPrune(sessions, rules, NOW)
          .filter(({ action }) => action === 'remove')
          .map(({ candidate }) => candidate.path);
      const all = removed({ ...policy, allowEmpty: true });
      const some = removed({ ...policy, allowEmpty: true, maxSessions: { value, text: 'over' } });
      expect(all).toEqual(expect.arrayContaining(some));
      const selected = sessions.filter((one) => one.selected).length;
      expect(some.length).toBe(Math.min(all.length, Math.max(0, selected - value)));
    }),
    { numRuns: 1000 },
  );
});
