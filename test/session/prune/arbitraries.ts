import fc from 'fast-check';
import type { Candidate } from '../../../src/session/prune/candidate.ts';
import type { Policy } from '../../../src/session/prune/policy.ts';
import { DAY, makeCandidate, makePolicy, NOW } from './make-candidate.ts';

export const HOUR = DAY / 24;

/** A store of up to 14 sessions, some of them forks of each other. */
export const sessionsOf: fc.Arbitrary<readonly Candidate[]> = fc
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
const spanOf = fc.option(
  fc.integer({ min: 0, max: 100 }).map((days) => ({
    before: (time: number) => time - days * DAY,
    text: `${days}d`,
  })),
  { nil: undefined, freq: 4 },
);
/** Rules of every kind, without budgets. */
export const policyOf: fc.Arbitrary<Policy> = fc
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
    withinPeriods: fc.record({ daily: spanOf, weekly: spanOf }),
    withinDays: fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined }),
    olderDays: fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined }),
    groupBy: fc.constantFrom('project' as const, 'agent' as const, 'none' as const),
    includeParents: fc.boolean(),
    allowEmpty: fc.boolean(),
    byId: fc.boolean(),
  })
  .map(({ periods, withinPeriods, named, labeled, withinDays, olderDays, byId, ...rest }) =>
    makePolicy({
      ...rest,
      activeBefore:
        olderDays === undefined ? undefined : { value: NOW - olderDays * DAY, text: 'older' },
      keep: {
        periods,
        withinPeriods,
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
