import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planPrune } from '../../../src/session/prune/plan-prune.ts';
import type { Policy } from '../../../src/session/prune/policy.ts';
import { policyOf, sessionsOf } from './arbitraries.ts';
import { NOW } from './make-candidate.ts';
import { planNaively } from './naive-plan.ts';
import { runs } from '../../harness/runs.ts';

test('keeps exactly what a naive reckoning keeps', () => {
  fc.assert(
    fc.property(sessionsOf, policyOf, (sessions, policy) => {
      const plan = planPrune(sessions, policy, NOW);
      const kept = plan.filter(({ action }) => action === 'keep');
      const paths = kept.map(({ candidate }) => candidate.path).toSorted();
      expect(paths).toEqual([...planNaively(sessions, policy, NOW)].toSorted());
    }),
    { numRuns: runs(200) },
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
    { numRuns: runs(100) },
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
    { numRuns: runs(100) },
  );
});
