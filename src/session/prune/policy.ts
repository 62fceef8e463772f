import type { Candidate } from './candidate.ts';
import type { Period, PeriodRules } from './periods.ts';

export const GROUP_KEYS = ['project', 'agent', 'none'] as const;
/** The property that the sessions of one group share. */
export type GroupKey = (typeof GROUP_KEYS)[number];

/** A limit, and how to say it: `older than 30d`. */
export interface Limit {
  readonly value: number;
  readonly text: string;
}

/** The moment, in milliseconds, this far before another; with its text, `30d`. */
export interface Span {
  readonly before: (time: number) => number;
  readonly text: string;
}

/** Rules of which any keeps a session. */
export interface KeepRules {
  /** How many to keep: the newest of each period, for this many periods that have a session. */
  readonly periods: PeriodRules;
  readonly within?: Span | undefined;
  /** The newest of each period within a time before the newest of the group. */
  readonly withinPeriods: Readonly<Partial<Record<Period, Span | undefined>>>;
  readonly named: boolean;
  readonly labeled: boolean;
  /** Paths of sessions that were asked for by id. */
  readonly paths: ReadonlySet<string>;
}

/** All that decides which sessions are removed. Times in milliseconds, sizes in bytes. */
export interface Policy {
  /** The reasons for the selection: `no user content`, `older than 30d`. */
  readonly selectors: readonly string[];
  /** Only lineages whose last activity is before this. */
  readonly activeBefore?: Limit | undefined;
  /** Only lineages whose last activity is after this. */
  readonly activeAfter?: Limit | undefined;
  readonly keep: KeepRules;
  readonly groupBy: GroupKey;
  /** The budget in bytes; no more is removed than a budget asks for. */
  readonly maxBytes?: Limit | undefined;
  readonly maxSessions?: Limit | undefined;
  /** Sessions used within this time are skipped. */
  readonly grace: number;
  readonly includeParents: boolean;
  /** Removes, too, what a kept fork continues from: the caller makes the fork self-contained first. */
  readonly includeBases?: boolean | undefined;
  /** Removes sessions with files that the lines of a kept session name, too. */
  readonly includeReferred?: boolean | undefined;
  /** Removes sessions with lines that could not be read, too. */
  readonly includeDamaged: boolean;
  /** Removes sessions that are pinned in their agent, or that it continues by itself, too. */
  readonly includePinned: boolean;
  readonly allowEmpty: boolean;
}

/** The decision about one session, with its reasons. */
export interface Decision {
  readonly candidate: Candidate;
  readonly action: 'keep' | 'remove';
  /** Each a few words; never none. */
  readonly reasons: readonly string[];
  /** Whether others are removed in its place: a rule counts it among those that are kept. */
  readonly isCounted?: true | undefined;
  /** The session whose folder holds this one, and with which it is kept or removed. */
  readonly owner?: Candidate | undefined;
  /** The sessions that are removed before this one: where one of them is still there, this one is kept. */
  readonly waitsFor?: readonly Dependent[] | undefined;
}

/** A session that another one is kept for. */
export interface Dependent {
  readonly path: string;
  /** The reason why the other one is kept with it. */
  readonly reason: string;
}

/**
 * Returns whether a session is removed by itself: one in the folder of another is removed along with that.
 */
export function isRemoval({ action, owner }: Decision): boolean {
  return action === 'remove' && !owner;
}

/** The paths of the sessions that are removed for their own sake. */
export function toRemovedPaths(decisions: readonly Decision[]): ReadonlySet<string> {
  return new Set(decisions.filter(isRemoval).map(({ candidate }) => candidate.path));
}

/** The outcome for a session that was to be removed, or the outcome that applying would have. Sizes in bytes. */
export interface RemovalOutcome {
  readonly action: 'remove' | 'skip' | 'fail';
  readonly reasons: readonly string[];
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** The archived file, where there is one. */
  readonly archived?: string;
}
