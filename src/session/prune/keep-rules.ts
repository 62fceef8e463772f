import { dirname } from 'node:path';
import { describeUnread } from '../read/summaries/unread.ts';
import { type Candidate, isDamaged } from './candidate.ts';
import type { Lineages } from './lineages.ts';
import { PERIODS, type Period, toPeriod } from './periods.ts';
import type { GroupKey, KeepRules, Span } from './policy.ts';
import { addTo, groupBy } from '../model/tree/group-by.ts';

/** The sessions that rules keep. */
export interface Kept {
  readonly reasons: ReadonlyMap<Candidate, readonly string[]>;
  /** The sessions that have a place among a number of them, or from which a time is counted back. */
  readonly places: ReadonlySet<Candidate>;
}

/** Returns what the rules keep, group by group. `candidates`: latest activity first. */
export function applyKeepRules(
  candidates: readonly Candidate[],
  rules: KeepRules,
  groupKey: GroupKey,
  lineages: Lineages,
): Kept {
  const reasons = new Map<Candidate, string[]>();
  const places = new Set<Candidate>();
  const keep = (candidate: Candidate, reason: string): void => {
    addTo(reasons, candidate, reason);
  };
  const place = (candidate: Candidate, reason: string): void => {
    places.add(candidate);
    keep(candidate, reason);
  };
  const groups = [...toGroups(candidates, groupKey)];
  const within = findWithin(groups, rules.within, lineages);
  for (const group of groups) {
    for (const period of PERIODS) {
      const count = rules.periods[period];
      const text = count === Number.POSITIVE_INFINITY ? 'unlimited' : count;
      for (const one of selectNewest(group, period, count)) place(one, `${period} ${text}`);
      const span = rules.withinPeriods[period];
      for (const one of selectWithinPeriods(group, period, span)) {
        place(one, `${period} within ${span?.text}`);
      }
    }
    const newest = rules.within && findNewest(group);
    if (newest) places.add(newest);
    for (const one of group) {
      const reason = within.get(one);
      if (reason !== undefined) keep(one, reason);
      for (const own of listOwnReasons(one, rules)) keep(one, own);
    }
  }
  return { reasons, places };
}

/**
 * Returns why sessions are kept by their time. If one is, so is all of its lineage: without the rest, it would be as old as
 * itself in the next run.
 */
function findWithin(
  groups: readonly (readonly Candidate[])[],
  within: Span | undefined,
  lineages: Lineages,
): ReadonlyMap<Candidate, string> {
  if (!within) return new Map();
  const { before, text } = within;
  const own = groups.flatMap((group) => selectWithin(group, before, lineages));
  const kept = new Set(own.map((one) => lineages.lineageOf(one)));
  const rest = groups.flat().filter((one) => kept.has(lineages.lineageOf(one)));
  const reasons = new Map(rest.map((one) => [one, `of a lineage within ${text}`]));
  for (const one of own) reasons.set(one, `within ${text}`);
  return reasons;
}

/** Returns the reasons for which the rules keep a session whatever others there are. */
export function listOwnReasons(one: Candidate, rules: KeepRules): readonly string[] {
  const reasons: string[] = [];
  const doubt = rules.named || rules.labeled ? describeUnread(one, 'entries') : undefined;
  if (rules.named && one.name !== null) reasons.push('named');
  else if (rules.named && one.hasNamedPart === true) reasons.push('a part of it is named');
  else if (rules.named && doubt !== undefined) reasons.push(`perhaps named: ${doubt}`);
  if (rules.labeled && one.labelCount === null) reasons.push('its agent has no labels');
  else if (rules.labeled && (one.labelCount ?? 0) > 0) reasons.push('labeled');
  else if (rules.labeled && doubt !== undefined) reasons.push(`perhaps labeled: ${doubt}`);
  if (rules.paths.has(one.path)) reasons.push('by id');
  return reasons;
}

/** Groups the candidates, in their order. */
function toGroups(candidates: readonly Candidate[], by: GroupKey): Iterable<Candidate[]> {
  return groupBy(candidates, (candidate) => toGroupKey(candidate, by)).values();
}

/** Returns the property that the sessions of a group share. */
export function toGroupKey(candidate: Candidate, by: GroupKey): string | null {
  if (by === 'none') return null;
  return by === 'agent' ? candidate.agent : toProject(candidate);
}

/** The working directory; if it is not known, the directory in which the agent keeps the sessions of a project. */
function toProject({ cwd, path }: Candidate): string {
  return cwd === '' ? dirname(path) : cwd;
}

/** Finds the session from which a time is counted back: one without damaged lines, if there is any. */
function findNewest(group: readonly Candidate[]): Candidate | undefined {
  return group.find((one) => !isDamaged(one)) ?? group[0];
}

/**
 * The newest of each period, for the latest `count` periods that have any. Those with damaged lines are kept in addition:
 * they take no place.
 */
function* selectNewest(
  group: readonly Candidate[],
  period: Period,
  count: number,
): Generator<Candidate> {
  if (count === 0) return;
  const isLast = period === 'last';
  const known = new Set<string>();
  for (const candidate of group) {
    const key = toPeriod(period, candidate.modified, candidate.file ?? candidate.path);
    if (known.has(key)) {
      // No two sessions are alike, but for the names of one file.
      if (isLast) yield candidate;
    } else if (known.size < count) {
      if (!isDamaged(candidate)) known.add(key);
      yield candidate;
    } else if (!isLast) return;
  }
}

/**
 * Selects the newest of each period among those that were active within a time before the newest of
 * all.
 */
function selectWithinPeriods(
  group: readonly Candidate[],
  period: Period,
  span: Span | undefined,
): Iterable<Candidate> {
  const newest = findNewest(group);
  if (!span || !newest) return [];
  const limit = span.before(newest.modified);
  const recent = group.filter(({ modified }) => modified >= limit);
  return selectNewest(recent, period, Number.POSITIVE_INFINITY);
}

/**
 * Selects those whose lineage was active within a time before the latest of the group, as in restic: a dormant
 * project keeps some. A fork that takes no place in the group does not count for the latest.
 */
function selectWithin(
  group: readonly Candidate[],
  before: (time: number) => number,
  lineages: Lineages,
): readonly Candidate[] {
  const newest = findNewest(group);
  if (!newest) return [];
  const limit = before(newest.modified);
  return group.filter((one) => lineages.activityOf(one).latestUse >= limit);
}
