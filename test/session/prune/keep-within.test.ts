import { expect, it } from 'vitest';
import { planPrune } from '../../../src/session/prune/plan-prune.ts';
import { DAY, makeCandidate as at, makePolicy, NOW } from './make-candidate.ts';

it.each([
  ['in another group', 2, { cwd: '/other' }],
  ['with a date in the future', -400, {}],
  ['with lines that could not be read', 2, { unread: { lines: 1, entries: 0 } }],
])('counts back from a session of the group, not from a fork %s', (_, age, facts) => {
  const within = { before: (time: number) => time - 7 * DAY, text: '7d' };
  const fork = at('fork', age, { forkOf: 'b', ...facts });
  const sessions = [at('a', 100), at('b', 105), at('c', 120), fork];
  const plan = planPrune(sessions, makePolicy({ keep: { within } }), NOW);
  const actions = new Map(plan.map(({ candidate, action }) => [candidate.id, action]));
  expect(Object.fromEntries(actions)).toEqual({ a: 'keep', b: 'keep', c: 'remove', fork: 'keep' });
});

it('keeps a whole lineage, also what is in another group: the next run would find the rest old', () => {
  const within = { before: (time: number) => time - 10 * DAY, text: '10d' };
  const policy = makePolicy({ keep: { within } });
  const fork = at('fork', 20, { forkOf: 'old', cwd: '/other' });
  const sessions = [at('new', 1, { cwd: '/other' }), fork, at('a', 25), at('old', 40), at('b', 50)];
  const plan = planPrune(sessions, policy, NOW);
  const kept = plan.filter(({ action }) => action === 'keep');
  const reasons = kept.map(({ candidate, reasons: [reason] }) => [candidate.id, reason]);
  expect(Object.fromEntries(reasons)).toEqual({
    new: 'within 10d',
    fork: 'of a lineage within 10d',
    a: 'within 10d',
    old: 'within 10d',
  });
});
