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
