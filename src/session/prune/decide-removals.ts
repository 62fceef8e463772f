import { Budget } from './budget.ts';
import { addTo } from '../model/tree/group-by.ts';
import { byActivity, type Candidate, isDamaged } from './candidate.ts';
import type { Lineages } from './lineages.ts';
import type { Dependent, Policy } from './policy.ts';
import { REFERRED, toUnreadReason } from './referrers.ts';

/** The sessions that are judged, and their relations. */
export interface Pool {
  /** All but those in another session's folder. */
  readonly judged: readonly Candidate[];
  readonly lineages: Lineages;
  /** The sessions in a session's folder, which are removed with it. */
  readonly parts: ReadonlyMap<Candidate, readonly Candidate[]>;
  /** Sessions that are kept because of lines that could not be read. */
  readonly damaged: readonly Candidate[];
}

const PARENT_KEPT = 'parent of a kept fork';
/** The reason why a session is kept that a kept one cannot be opened without. */
export const BASE_KEPT = 'a kept fork continues from it';
const COPY_KEPT = 'shares its sidecars with a kept copy';
const IN_BUDGET = 'within the budget';
/** The reason why a session is kept that was needed until a budget removed all that needed it. */
const NEED_GONE = 'was needed by a session that is removed; the next run decides';
const LAST_OF_STORE = 'the last session of its store (--allow-empty)';
const NO_RULE = 'no rule keeps it';

/** The sessions that are removed, and those that are kept, each with the reasons. */
export interface Removals {
  readonly removals: ReadonlyMap<Candidate, readonly string[]>;
  readonly kept: ReadonlyMap<Candidate, readonly string[]>;
}

type Reasons = ReadonlyMap<Candidate, readonly string[]>;

/**
 * Picks the sessions to remove among those without a keep reason, oldest first, and forks before their parents. Decides
 * again until no kept session needs a removed one, and each store has one left: a budget removes others in their place.
 * The last session of a store is chosen if nothing else is kept there. From then on it is kept, and so is all that it
 * needs.
 */
export function decideRemovals(pool: Pool, keepReasons: Reasons, policy: Policy): Removals {
  const refers = policy.includeReferred !== true && pool.judged.some(isReferredTo);
  const mayNeed = refers || pool.judged.some(isRelated);
  const outside = findOutside(pool, policy);
  const list = (removals: Reasons): readonly (readonly [Candidate, string])[] =>
    mayNeed ? listNeeded(removals, pool.lineages, { ...policy, refers }) : [];
  const held = new Map(keepReasons);
  const heldForOthers = new Map<Candidate, readonly string[]>();
  for (;;) {
    const { removals, kept } = decideByBudget(pool, held, outside, policy);
    const needed = list(removals);
    for (const [one, reason] of needed)
      for (const map of [held, heldForOthers]) map.set(one, [reason]);
    if (needed.length > 0) continue;
    const last = policy.allowEmpty ? [] : listLastOfStores(pool, outside, removals);
    for (const one of last) held.set(one, [LAST_OF_STORE]);
    if (last.length > 0) continue;
    for (const [one, reasons] of removals) nameReasons(one, reasons, removals, pool.lineages);
    const still = new Set(list(new Map([...removals, ...heldForOthers])).map(([one]) => one));
    for (const one of heldForOthers.keys()) {
      const hasKeptFork = pool.lineages.forksOf(one).some((fork) => !removals.has(fork));
      if (!still.has(one)) kept.set(one, [hasKeptFork ? PARENT_KEPT : NEED_GONE]);
    }
    return { removals, kept };
  }
}

/** Returns whether a session may be needed by others than its forks. */
function isRelated({ copies = [], possibleForks = [] }: Candidate): boolean {
  return copies.length > 0 || possibleForks.length > 0;
}

/** Returns whether the lines of others name files of a session, or may do so. */
function isReferredTo({ referrers = [], unreadReferrer }: Candidate): boolean {
  return referrers.length > 0 || unreadReferrer !== undefined;
}

/**
 * Lists the sessions with files that kept ones have, too, or that the lines of kept ones name, if those count
 * (`refers`), and those of which kept ones may be forks; with the reason of each.
 */
function listNeeded(
  removals: ReadonlyMap<Candidate, unknown>,
  lineages: Lineages,
  { refers, includeParents }: Pick<Policy, 'includeParents'> & { readonly refers: boolean },
): readonly (readonly [Candidate, string])[] {
  const found = new Map<Candidate, string>();
  const isKept = (one: Candidate): boolean => !removals.has(one) || found.has(one);
  let before: number;
  do {
    before = found.size;
    for (const one of removals.keys()) {
      const { unreadReferrer: unread } = one;
      const mayHaveForks = !includeParents && lineages.possibleForksOf(one).some(isKept);
      if (lineages.copiesOf(one).some(isKept)) found.set(one, COPY_KEPT);
      else if (mayHaveForks) found.set(one, PARENT_KEPT);
      else if (!refers) continue;
      else if (unread !== undefined) found.set(one, toUnreadReason(unread));
      else if (lineages.referrersOf(one).some(isKept)) found.set(one, REFERRED);
    }
  } while (found.size > before);
  return [...found];
}

/** Lists what has to be removed before a session, if both are. */
export function listDependents(
  one: Candidate,
  removals: ReadonlyMap<Candidate, unknown>,
  lineages: Lineages,
  policy: Policy,
): readonly Dependent[] {
  const isRemoved = (other: Candidate): boolean => removals.has(other);
  const forks = lineages.forksOf(one).filter(isRemoved);
  const referrers = policy.includeReferred === true ? [] : lineages.referrersOf(one);
  const possible = policy.includeParents ? [] : lineages.possibleForksOf(one);
  return [
    ...forks.flatMap((fork) => {
      const isBase = lineages.basesOf(fork).includes(one);
      if (!isBase && policy.includeParents) return [];
      // A copy of an earlier state goes before the session, which takes along what both have.
      if (!isBase && lineages.copiesOf(fork).includes(one)) return [];
      return [{ path: fork.path, reason: isBase ? BASE_KEPT : PARENT_KEPT }];
    }),
    ...possible.filter(isRemoved).map(({ path }) => ({ path, reason: PARENT_KEPT })),
    ...referrers.filter(isRemoved).map(({ path }) => ({ path, reason: REFERRED })),
    ...lineages.copiesOf(one).map(({ path }) => ({ path, reason: COPY_KEPT })),
  ];
}

interface Decided {
  readonly removals: Map<Candidate, string[]>;
  readonly kept: Map<Candidate, readonly string[]>;
}

/** `held`: what is kept whatever the budget says. `outside`: what no budget counts. */
function decideByBudget(
  pool: Pool,
  held: Reasons,
  outside: ReadonlySet<Candidate>,
  policy: Policy,
): Decided {
  const { judged, lineages } = pool;
  const removals = new Map<Candidate, string[]>();
  const kept = new Map(held);
  const budget = fillBudget(pool, outside, policy);
  const mayGo = judged.filter((one) => !held.has(one)).toSorted(lineages.byRemovalOrder);
  for (const one of mayGo) {
    const forks = lineages.forksOf(one).filter((fork) => !removals.has(fork));
    const isBase = forks.some((fork) => lineages.basesOf(fork).includes(one));
    const excess = budget.findExcess();
    if (isBase && !policy.includeBases) kept.set(one, [BASE_KEPT]);
    else if (forks.length > 0 && !policy.includeParents) kept.set(one, [PARENT_KEPT]);
    else if (excess?.length === 0) kept.set(one, [IN_BUDGET]);
    else {
      removals.set(one, [...policy.selectors, ...(excess ?? [])]);
      for (const gone of [one, ...(pool.parts.get(one) ?? [])]) budget.subtract(gone, gone !== one);
    }
  }
  return { removals, kept };
}

/** Returns the sessions that no budget counts, and that are not the last of their store. */
function findOutside(
  pool: Pool,
  { includeParents }: Pick<Policy, 'includeParents'>,
): ReadonlySet<Candidate> {
  return includeParents ? new Set(pool.damaged) : withParents(pool);
}

/**
 * Returns damaged sessions and their parents: they are kept in addition to those that would be kept
 * without the damage, so that nothing is removed in their place.
 */
function withParents({ damaged, lineages }: Pool): ReadonlySet<Candidate> {
  const found = new Set(damaged);
  // A set that grows is walked to its end.
  for (const one of found) for (const parent of lineages.parentsOf(one)) found.add(parent);
  return found;
}

function fillBudget(
  { judged, parts }: Pool,
  outside: ReadonlySet<Candidate>,
  policy: Policy,
): Budget {
  const budget = new Budget(policy);
  // The sums are only compared with limits.
  if (budget.findExcess() === undefined) return budget;
  for (const one of judged) {
    if (!one.selected || outside.has(one)) continue;
    budget.add(one, false);
    for (const part of parts.get(one) ?? []) budget.add(part, true);
  }
  return budget;
}

/** Lists the newest readable session of each store that would have none left. */
function listLastOfStores(
  pool: Pool,
  outside: ReadonlySet<Candidate>,
  removals: ReadonlyMap<Candidate, unknown>,
): readonly Candidate[] {
  if (removals.size === 0) return [];
  return groupByStore(pool, outside).flatMap((sessions) => {
    if (sessions.some((one) => !removals.has(one))) return [];
    const [newest] = sessions.toSorted(byActivity);
    return newest ?? [];
  });
}

/** Lists the newest readable session that is left in each store from which something is removed. */
export function listLeftInStores(
  pool: Pool,
  removals: ReadonlyMap<Candidate, unknown>,
  policy: Pick<Policy, 'includeParents'>,
): readonly Candidate[] {
  const stores = new Set([...removals.keys()].flatMap((one) => one.stores));
  return groupByStore(pool, findOutside(pool, policy)).flatMap((sessions) => {
    const left = sessions.filter((one) => {
      return !removals.has(one) && one.stores.some((store) => stores.has(store));
    });
    return left.length === 0 ? [] : left.reduce((a, b) => (byActivity(a, b) < 0 ? a : b));
  });
}

/**
 * Groups by store the sessions of which one is left there: those without damaged lines, or any where there are no
 * others.
 */
function groupByStore(
  { judged }: Pool,
  outside: ReadonlySet<Candidate>,
): readonly (readonly Candidate[])[] {
  const stores = new Map<string, Candidate[]>();
  for (const one of judged) {
    if (one.obstacle !== undefined || outside.has(one)) continue;
    for (const store of one.stores) addTo(stores, store, one);
  }
  return [...stores.values()].map((sessions) => {
    const readable = sessions.filter((one) => !isDamaged(one));
    return readable.length > 0 ? readable : sessions;
  });
}

function nameReasons(
  one: Candidate,
  reasons: string[],
  removals: ReadonlyMap<Candidate, unknown>,
  lineages: Lineages,
): void {
  if (reasons.length === 0) reasons.push(NO_RULE);
  const orphaned = lineages.forksOf(one).filter((fork) => !removals.has(fork)).length;
  if (orphaned > 0) {
    reasons.push(orphaned === 1 ? 'a kept fork names it' : `${orphaned} kept forks name it`);
  }
  if (lineages.referrersOf(one).some((other) => !removals.has(other))) reasons.push(REFERRED);
}
