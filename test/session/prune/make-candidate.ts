import type { Candidate } from '../../../src/session/prune/candidate.ts';
import type { KeepRules, Policy } from '../../../src/session/prune/policy.ts';

export const DAY = 24 * 60 * 60 * 1000;
/** A Wednesday, at noon in whatever zone the tests run. */
export const NOW = new Date(2026, 2, 18, 12).getTime();

/** A session of 1,000 bytes at `/store/<project>/<id>.jsonl`, last active so many days ago. */
export function makeCandidate(
  id: string,
  daysAgo: number,
  facts: Partial<Candidate> & { readonly forkOf?: string } = {},
): Candidate {
  const { forkOf, ...rest } = facts;
  const cwd = facts.cwd ?? '/work/api';
  const modified = NOW - daysAgo * DAY;
  return {
    path: `/store/${id}.jsonl`,
    stores: ['/store'],
    agent: 'pi',
    id,
    cwd,
    name: null,
    title: id,
    modified,
    latest: facts.modified ?? modified,
    fileModified: facts.modified ?? modified,
    bytes: 1000,
    labelCount: 0,
    parentSessionPath: forkOf === undefined ? null : `/store/${forkOf}.jsonl`,
    unread: { lines: 0, entries: 0 },
    selected: true,
    ...rest,
  };
}

const NO_RULES: KeepRules = {
  periods: { last: 0, hourly: 0, daily: 0, weekly: 0, monthly: 0, yearly: 0 },
  withinPeriods: {},
  named: false,
  labeled: false,
  paths: new Set(),
};

export function makePolicy({
  keep,
  ...rest
}: Partial<Omit<Policy, 'keep'>> & { readonly keep?: Partial<KeepRules> } = {}): Policy {
  return {
    selectors: [],
    keep: { ...NO_RULES, ...keep },
    groupBy: 'project',
    grace: DAY / 2,
    includeParents: false,
    includeDamaged: false,
    includePinned: false,
    allowEmpty: true,
    ...rest,
  };
}

/** Keep this many of each period that is named. */
export function keepPeriods(counts: Partial<KeepRules['periods']>): Pick<KeepRules, 'periods'> {
  return { periods: { ...NO_RULES.periods, ...counts } };
}
