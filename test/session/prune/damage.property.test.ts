import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Candidate } from '../../../src/session/prune/candidate.ts';
import { planPrune } from '../../../src/session/prune/plan-prune.ts';
import type { Policy } from '../../../src/session/prune/policy.ts';
import { HOUR, policyOf, sessionsOf } from './arbitraries.ts';
import { makePolicy, NOW } from './make-candidate.ts';

const damageOf = fc.record({
  at: fc.nat(),
  hoursLost: fc.integer({ min: 0, max: 5000 }),
  losesName: fc.boolean(),
  losesLabels: fc.boolean(),
});

/** What is still known of a session when some of its lines cannot be read; its header can be. */
function damage(one: Candidate, { hoursLost, losesName, losesLabels }: Damage): Candidate {
  const modified = one.modified - hoursLost * HOUR;
  return {
    ...one,
    name: losesName ? null : one.name,
    labelCount: losesLabels ? 0 : one.labelCount,
    modified,
    latest: Math.max(modified, one.fileModified),
    unread: { lines: 1, entries: 0 },
  };
}

interface Damage {
  readonly hoursLost: number;
  readonly losesName: boolean;
  readonly losesLabels: boolean;
}

function listRemoved(sessions: readonly Candidate[], policy: Policy): readonly string[] {
  const removed = planPrune(sessions, policy, NOW).filter(({ action }) => action === 'remove');
  return removed.map(({ candidate }) => candidate.path);
}

const limit = (max: number) =>
  fc.option(
    fc.integer({ min: 0, max }).map((value) => ({ value, text: 'over' })),
    { nil: undefined },
  );
const budgets = fc.record({ maxBytes: limit(8000), maxSessions: limit(8) });
/** Where rules keep nothing, budgets decide alone. */
const anyPolicy = fc.oneof(
  policyOf,
  fc.boolean().map((allowEmpty) => makePolicy({ allowEmpty })),
);

test('damage makes no rule or budget remove what it kept without it', () => {
  fc.assert(
    fc.property(sessionsOf, anyPolicy, budgets, damageOf, (all, rules, budget, how) => {
      const policy = { ...rules, ...budget };
      // Agents write a file when they append to it: the two times are the same.
      const sessions = all.map((one) => ({ ...one, fileModified: one.modified }));
      const at = how.at % Math.max(1, sessions.length);
      const damaged = sessions.map((one, index) => (index === at ? damage(one, how) : one));
      const before = listRemoved(sessions, policy);
      expect(before.filter((path) => path !== sessions[at]?.path)).toEqual(
        expect.arrayContaining([...listRemoved(damaged, policy)]),
      );
    }),
    { numRuns: 1000, seed: 17 },
  );
});
