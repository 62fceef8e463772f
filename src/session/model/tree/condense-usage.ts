import { hash } from 'node:crypto';
import type { SessionSummary } from '../summary.ts';
import { addUsage, type EntryUsage } from '../usage.ts';

/** All time zones begin their days at a quarter of an hour. */
const QUARTER_MS = 900_000;
/** The digits of a hash: 52 bits, which no two of a million keys share by chance. */
const HASH_DIGITS = 13;
/** The key of a sum of several entries, which no other session has. */
const NO_KEY = '';

/**
 * Returns whether entries of a session may be in another one, too: then each counts by itself. Of sessions
 * that name no parent, only those that a fork names (`isParent`), or whose agent copies entries at will.
 */
function sharesEntries(
  { relations, parentSessionPath, branchedFrom, entryUsages = [] }: SessionSummary,
  isParent: boolean,
): boolean {
  return (
    isParent ||
    relations !== undefined ||
    parentSessionPath !== null ||
    branchedFrom !== null ||
    entryUsages.some(({ isUnique }) => isUnique)
  );
}

/**
 * A summary with what totals need of its usage, and no more: the sums by model and quarter of an hour,
 * or, where entries may be in other sessions, too, each with a hash instead of its key.
 */
export function condenseUsage(summary: SessionSummary, isParent: boolean): SessionSummary {
  const { entryUsages } = summary;
  return entryUsages && sharesEntries(summary, isParent)
    ? { ...summary, entryUsages: entryUsages.map(withHashes) }
    : sumOwnUsage(summary, isParent);
}

/** A condensed summary, summed if it can be now. */
export function sumOwnUsage(summary: SessionSummary, isParent: boolean): SessionSummary {
  const { entryUsages } = summary;
  if (!entryUsages || sharesEntries(summary, isParent)) return summary;
  return { ...summary, entryUsages: sumUsages(entryUsages) };
}

/** Returns whether entries were summed that have to count by themselves. */
export function lacksKeys({ entryUsages = [] }: SessionSummary): boolean {
  return entryUsages.some(({ key }) => key === NO_KEY);
}

function withHashes({ key, request, ...rest }: EntryUsage): EntryUsage {
  return {
    ...rest,
    key: toHash(key),
    request: request === undefined ? undefined : toHash(request),
  };
}

function toHash(text: string): string {
  return hash('sha1', text).slice(0, HASH_DIGITS);
}

/** Sums usages in the order of their last entry, so that the model used last is that of the last sum. */
function sumUsages(entries: readonly EntryUsage[]): readonly EntryUsage[] {
  const sums = new Map<string, EntryUsage>();
  for (const { model, time, usage } of entries) {
    const place = `${Math.floor(time / QUARTER_MS)} ${model ?? ''}`;
    const sum = sums.get(place);
    sums.delete(place);
    const total = sum ? addUsage(sum.usage, usage) : usage;
    sums.set(place, { key: NO_KEY, model, time: sum?.time ?? time, usage: total });
  }
  return [...sums.values()];
}
