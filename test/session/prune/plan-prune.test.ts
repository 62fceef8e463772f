import { sized } from '../../harness/runs.ts';
import { describe, expect, test } from 'vitest';
import type { Candidate } from '../../../src/session/prune/candidate.ts';
import { planPrune } from '../../../src/session/prune/plan-prune.ts';
import { DAY, keepPeriods, makeCandidate as at, makePolicy, NOW } from './make-candidate.ts';

type PolicyParts = Parameters<typeof makePolicy>[0];

interface Case {
  readonly name: string;
  readonly sessions: readonly Candidate[];
  readonly policy: PolicyParts;
  /** Every session by id: `keep: …` or `remove: …`, with its reasons. */
  readonly expected: Readonly<Record<string, string>>;
}

/** Local time, so that the expectations hold in every zone. */
function onDay(id: string, text: string, facts: Partial<Candidate> = {}): Candidate {
  const modified = new Date(text).getTime();
  return at(id, 0, { modified, fileModified: modified, ...facts });
}

const older30 = {
  activeBefore: { value: NOW - 30 * DAY, text: 'older than 30d' },
  selectors: ['older than 30d'],
};

const within = (days: number) => ({
  within: { before: (time: number) => time - days * DAY, text: `${days}d` },
});

const cases: readonly Case[] = [
  {
    name: 'without a rule, removes what is selected',
    sessions: [at('old', 61), at('young', 2)],
    policy: older30,
    expected: { young: 'keep: not older than 30d', old: 'remove: older than 30d' },
  },
  {
    name: 'keeps the last n of each project, whatever their age',
    sessions: [at('a', 40), at('b', 50), at('c', 60), at('other', 70, { cwd: '/work/web' })],
    policy: { ...older30, keep: keepPeriods({ last: 2 }) },
    expected: {
      a: 'keep: last 2',
      b: 'keep: last 2',
      c: 'remove: older than 30d',
      other: 'keep: last 2',
    },
  },
  {
    name: 'keeps all names of one file, whatever was active at the same moment',
    sessions: [at('a', 50, { file: '1:2' }), at('b', 50), at('c', 50, { file: '1:2' })],
    policy: { keep: keepPeriods({ last: 1 }) },
    expected: { a: 'keep: last 1', b: 'remove: no rule keeps it', c: 'keep: last 1' },
  },
  {
    name: 'counts the young ones among the last n',
    sessions: [at('a', 1), at('b', 2), at('c', 60)],
    policy: { ...older30, keep: keepPeriods({ last: 2 }) },
    expected: { a: 'keep: last 2', b: 'keep: last 2', c: 'remove: older than 30d' },
  },
  {
    name: 'counts only what the other selectors chose',
    sessions: [at('big', 50), at('small', 2, { selected: false }), at('big2', 60)],
    policy: { selectors: ['larger than 1MB'], keep: keepPeriods({ last: 1 }) },
    expected: {
      big: 'keep: last 1',
      small: 'keep: not selected',
      big2: 'remove: larger than 1MB',
    },
  },
  {
    name: 'keeps the newest of each hour, of the hours that have one',
    sessions: [
      onDay('a', '2026-03-10T10:59'),
      onDay('b', '2026-03-10T10:01'),
      onDay('c', '2026-03-10T07:30'),
      onDay('d', '2026-03-10T06:30'),
    ],
    policy: { keep: keepPeriods({ hourly: 2 }) },
    expected: {
      a: 'keep: hourly 2',
      b: 'remove: no rule keeps it',
      c: 'keep: hourly 2',
      d: 'remove: no rule keeps it',
    },
  },
  {
    name: 'keeps the newest of each local day',
    sessions: [
      onDay('a', '2026-03-10T00:01'),
      onDay('b', '2026-03-09T23:59'),
      onDay('c', '2026-03-09T00:00'),
      onDay('d', '2026-02-01T12:00'),
    ],
    policy: { keep: keepPeriods({ daily: 3 }) },
    expected: {
      a: 'keep: daily 3',
      b: 'keep: daily 3',
      c: 'remove: no rule keeps it',
      d: 'keep: daily 3',
    },
  },
  {
    name: 'weeks go from Monday to Sunday, also over the new year',
    sessions: [
      onDay('mon', '2026-01-05T00:00'),
      onDay('sun', '2026-01-04T23:59'),
      onDay('thu', '2026-01-01T12:00'),
      onDay('wed', '2025-12-31T12:00'),
      onDay('sun2', '2025-12-28T23:59'),
    ],
    policy: { keep: keepPeriods({ weekly: 9 }) },
    expected: {
      mon: 'keep: weekly 9',
      sun: 'keep: weekly 9',
      thu: 'remove: no rule keeps it',
      wed: 'remove: no rule keeps it',
      sun2: 'keep: weekly 9',
    },
  },
  {
    name: 'one session can stand for several periods, and names each rule',
    sessions: [
      onDay('a', '2026-03-10T12:00'),
      onDay('b', '2026-02-20T12:00'),
      onDay('c', '2026-02-10T12:00'),
      onDay('d', '2025-02-10T12:00'),
    ],
    policy: { keep: keepPeriods({ last: 1, monthly: 2, yearly: 2 }) },
    expected: {
      a: 'keep: last 1, monthly 2, yearly 2',
      b: 'keep: monthly 2',
      c: 'remove: no rule keeps it',
      d: 'keep: yearly 2',
    },
  },
  {
    name: 'keeps the newest of each day within a time of the newest of its group',
    sessions: [at('a', 40), at('b', 40.1), at('c', 43), at('d', 48)],
    policy: { keep: { withinPeriods: { daily: within(7).within } } },
    expected: {
      a: 'keep: daily within 7d',
      b: 'remove: no rule keeps it',
      c: 'keep: daily within 7d',
      d: 'remove: no rule keeps it',
    },
  },
  {
    name: 'keeps the newest of every week for ever',
    sessions: [at('a', 1), at('b', 2), at('c', 700)],
    policy: { keep: keepPeriods({ weekly: Number.POSITIVE_INFINITY }) },
    expected: {
      a: 'keep: weekly unlimited',
      b: 'remove: no rule keeps it',
      c: 'keep: weekly unlimited',
    },
  },
  {
    name: 'keeps what is within a time of the latest of its group',
    sessions: [at('a', 100), at('b', 105), at('c', 120)],
    policy: { keep: within(7) },
    expected: { a: 'keep: within 7d', b: 'keep: within 7d', c: 'remove: no rule keeps it' },
  },
  {
    name: 'keeps what has a name, a label or was asked for by id',
    sessions: [
      at('a', 50, { name: 'auth' }),
      at('b', 51, { labelCount: 2 }),
      at('c', 52),
      at('d', 53),
    ],
    policy: { keep: { named: true, labeled: true, paths: new Set(['/store/c.jsonl']) } },
    expected: {
      a: 'keep: named',
      b: 'keep: labeled',
      c: 'keep: by id',
      d: 'remove: no rule keeps it',
    },
  },
  {
    name: 'groups by agent, or not at all',
    sessions: [
      at('a', 2, { cwd: '/a' }),
      at('b', 3, { cwd: '/b' }),
      at('c', 4, { agent: 'neovate' }),
    ],
    policy: { groupBy: 'agent', keep: keepPeriods({ last: 1 }) },
    expected: { a: 'keep: last 1', b: 'remove: no rule keeps it', c: 'keep: last 1' },
  },
  {
    name: 'reckons the age of a whole lineage',
    sessions: [at('root', 90), at('mid', 60, { forkOf: 'root' }), at('tip', 1, { forkOf: 'mid' })],
    policy: older30,
    expected: {
      tip: 'keep: not older than 30d',
      mid: 'keep: not older than 30d, as forks of it are newer',
      root: 'keep: not older than 30d, as forks of it are newer',
    },
  },
  {
    name: 'forks of a parent that is gone are one lineage',
    sessions: [at('a', 90, { forkOf: 'gone' }), at('b', 1, { forkOf: 'gone' })],
    policy: older30,
    expected: {
      b: 'keep: not older than 30d',
      a: 'keep: not older than 30d, as forks of it are newer',
    },
  },
  {
    name: 'keeps every ancestor of a kept fork',
    sessions: [at('root', 90), at('mid', 60, { forkOf: 'root' }), at('tip', 50, { forkOf: 'mid' })],
    policy: { keep: keepPeriods({ last: 1 }) },
    expected: {
      tip: 'keep: last 1',
      mid: 'keep: parent of a kept fork',
      root: 'keep: parent of a kept fork',
    },
  },
  {
    name: 'knows a parent by its file name when the store was moved',
    sessions: [at('root', 90), at('tip', 50, { parentSessionPath: 'C:\\old\\root.jsonl' })],
    policy: { keep: keepPeriods({ last: 1 }) },
    expected: { tip: 'keep: last 1', root: 'keep: parent of a kept fork' },
  },
  {
    name: 'knows a parent whose file has another extension since it was migrated',
    sessions: [at('root', 90), at('tip', 50, { parentSessionPath: '/s/root.json' })],
    policy: { keep: keepPeriods({ last: 1 }) },
    expected: { tip: 'keep: last 1', root: 'keep: parent of a kept fork' },
  },
  {
    name: 'knows a parent that was renamed by the id that its name ended with',
    sessions: [at('root', 90), at('tip', 50, { parentSessionPath: '/s/2026-01-01T00_root.jsonl' })],
    policy: { keep: keepPeriods({ last: 1 }) },
    expected: { tip: 'keep: last 1', root: 'keep: parent of a kept fork' },
  },
  {
    name: 'removes parents of kept forks when told to, and says how many name them',
    sessions: [
      at('root', 90),
      at('x', 60, { forkOf: 'root', name: 'x' }),
      at('y', 50, { forkOf: 'root', name: 'y' }),
    ],
    policy: { keep: { named: true }, includeParents: true },
    expected: {
      y: 'keep: named',
      x: 'keep: named',
      root: 'remove: no rule keeps it, 2 kept forks name it',
    },
  },
  {
    name: 'removes a fork before all of its parents, of which one is a fork of the other',
    sessions: [
      at('first', 40),
      at('a', 40, { parentSessionPath: at('first', 0).path }),
      at('b', 40, { parentSessionPath: at('first', 0).path, otherParents: [at('a', 0).path] }),
    ],
    policy: { ...older30, allowEmpty: true },
    expected: {
      first: 'remove: older than 30d',
      a: 'remove: older than 30d',
      b: 'remove: older than 30d',
    },
  },
  {
    name: 'keeps sessions that fork each other in a circle when one is kept',
    sessions: [at('a', 50, { forkOf: 'b' }), at('b', 60, { forkOf: 'a' }), at('c', 70)],
    policy: { keep: keepPeriods({ last: 1 }) },
    expected: {
      a: 'keep: last 1',
      b: 'keep: parent of a kept fork',
      c: 'remove: no rule keeps it',
    },
  },
  {
    name: 'keeps sessions whose files a kept one names, and others that these name',
    sessions: [
      at('a', 90, { referrers: ['/store/b.jsonl'] }),
      at('b', 80, { referrers: ['/store/c.jsonl', '/store/gone.jsonl'] }),
      at('c', 70, { name: 'c' }),
      at('d', 60, { referrers: ['/store/e.jsonl', '/store/d.jsonl'] }),
      at('e', 50, { referrers: ['/store/d.jsonl'] }),
    ],
    policy: { keep: { named: true } },
    expected: {
      e: 'remove: no rule keeps it',
      d: 'remove: no rule keeps it',
      c: 'keep: named',
      b: 'keep: a kept session refers to its files',
      a: 'keep: a kept session refers to its files',
    },
  },
  {
    name: 'keeps the files that a session in the folder of a kept one names',
    sessions: [
      at('a', 90, { referrers: ['/store/b/part.jsonl'] }),
      at('b', 80, { name: 'b', referrers: ['/store/b/part.jsonl'] }),
      at('b/part', 70),
      at('c', 60, { referrers: ['/store/c/part.jsonl'] }),
      at('c/part', 50),
    ],
    policy: { keep: { named: true } },
    expected: {
      a: 'keep: a kept session refers to its files',
      b: 'keep: named',
      'b/part': 'keep: kept with the session that it belongs to',
      c: 'remove: no rule keeps it',
      'c/part': 'remove: removed with the session that it belongs to',
    },
  },
  {
    name: 'removes another one where a budget meets a session that is referred to',
    sessions: [
      at('a', 90, { referrers: ['/store/c.jsonl'] }),
      at('b', 80),
      at('c', 70, { name: 'c' }),
    ],
    policy: { keep: { named: true }, maxSessions: { value: 2, text: 'over 2 sessions' } },
    expected: {
      a: 'keep: a kept session refers to its files',
      b: 'remove: over 2 sessions',
      c: 'keep: named',
    },
  },
  {
    name: 'keeps what a file may refer to that cannot be read',
    sessions: [at('a', 90, { unreadReferrer: '/store/x.jsonl' }), at('b', 80)],
    policy: older30,
    expected: {
      a: 'keep: /store/x.jsonl cannot be read, and may refer to its files',
      b: 'remove: older than 30d',
    },
  },
  {
    name: 'removes what kept sessions refer to when told to, and says so',
    sessions: [at('a', 90, { referrers: ['/store/b.jsonl'] }), at('b', 1)],
    policy: { ...older30, includeReferred: true },
    expected: {
      a: 'remove: older than 30d, a kept session refers to its files',
      b: 'keep: not older than 30d',
    },
  },
  {
    name: 'a fork of itself is nobody’s parent',
    sessions: [at('a', 50), at('b', 60, { forkOf: 'b' })],
    policy: { keep: keepPeriods({ last: 1 }) },
    expected: { a: 'keep: last 1', b: 'remove: no rule keeps it' },
  },
];

describe('planPrune', () => {
  test.each(cases)('$name', ({ sessions, policy, expected }) => {
    expect(decide(sessions, policy)).toEqual(expected);
  });

  test('lists latest activity first, the same whatever the order it is given', () => {
    const sessions = [at('b', 2), at('c', 9), at('a', 2)];
    const listed = (given: readonly Candidate[]): string[] =>
      planPrune(given, makePolicy(), NOW).map(({ candidate }) => candidate.id);
    expect(listed(sessions)).toEqual(['a', 'b', 'c']);
    expect(listed(sessions.toReversed())).toEqual(['a', 'b', 'c']);
  });

  test('names what each removal waits for', () => {
    const sessions = [
      at('root', 90),
      at('fork', 80, { forkOf: 'root', referrers: ['/store/other.jsonl'] }),
      at('other', 70),
      at('kept', 1),
    ];
    const listWaiting = (parts: PolicyParts): readonly string[] =>
      planPrune(sessions, makePolicy({ ...older30, ...parts }), NOW).flatMap((one) =>
        (one.waitsFor ?? []).map((other) => `${one.candidate.id}: ${other.path}, ${other.reason}`),
      );
    expect(listWaiting({})).toEqual([
      'fork: /store/other.jsonl, a kept session refers to its files',
      'root: /store/fork.jsonl, parent of a kept fork',
    ]);
    expect(listWaiting({ includeParents: true, includeReferred: true })).toEqual([]);
  });

  test('a lineage of thousands is planned without recursion', () => {
    const sessions = Array.from({ length: sized(4_000, 20_000) }, (_, index) =>
      at(`s${index}`, 40 + index / 1000, { forkOf: `s${index + 1}` }),
    );
    const plan = planPrune(sessions, makePolicy(older30), NOW);
    expect(plan.every(({ action }) => action === 'remove')).toBe(true);
  });
});

function decide(sessions: readonly Candidate[], parts: PolicyParts): Record<string, string> {
  const decisions = planPrune(sessions, makePolicy(parts), NOW);
  return Object.fromEntries(
    decisions.map(({ candidate, action, reasons }) => [
      candidate.id,
      `${action}: ${reasons.join(', ')}`,
    ]),
  );
}
