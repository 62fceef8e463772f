import { hash } from 'node:crypto';
import type { SessionSummary } from '../summary.ts';
import { areSums, packUsages } from './pack-usages.ts';
import { addTo, type EntryUsage, type Mutable, NO_USAGE, type Usage } from '../usage.ts';

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
 * A summary with what totals need of its usage, packed, and no more: the sums by model and quarter of an hour,
 * or, where entries may be in other sessions, too, each with a hash instead of its key.
 */
export function condenseUsage(summary: SessionSummary, isParent: boolean): SessionSummary {
  if (!summary.entryUsages) return summary;
  const { entryUsages, ...rest } = summary;
  const condensed = sharesEntries(summary, isParent)
    ? entryUsages.map(withHashes)
    : sumUsages(entryUsages).list();
  return { ...rest, packedUsages: packUsages(condensed) };
}

/** A condensed summary, summed if it can be now and is not yet. */
export function sumOwnUsage(summary: SessionSummary, isParent: boolean): SessionSummary {
  const { entryUsages } = summary;
  if (!entryUsages || lacksKeys(summary) || sharesEntries(summary, isParent)) return summary;
  return { ...summary, entryUsages: sumUsages(entryUsages).list() };
}

/** Returns whether entries were summed, so that no other session can be seen to have them, too. */
export function lacksKeys({
  entryUsages = [],
  packedUsages,
}: Pick<SessionSummary, 'entryUsages' | 'packedUsages'>): boolean {
  if (packedUsages) return areSums(packedUsages);
  return entryUsages.some(({ key }) => key === NO_KEY);
}

/** The members are written out: see `docs/performance.md`, Spreads. */
function withHashes({ key, request, isUnique, model, time, usage }: EntryUsage): EntryUsage {
  return {
    key: toHash(key),
    request: request === undefined ? undefined : toHash(request),
    isUnique,
    model,
    time,
    usage,
  };
}

function toHash(text: string): string {
  return hash('sha1', text).slice(0, HASH_DIGITS);
}

export function sumUsages(entries: readonly EntryUsage[]): UsageSums {
  const sums = new UsageSums();
  for (const entry of entries) sums.add(entry);
  return sums;
}

interface Sum {
  readonly model: string | undefined;
  readonly time: number;
  readonly usage: Mutable<Usage>;
}

/** Sums usage by model and quarter of an hour. */
export class UsageSums {
  readonly #sums = new Map<string, Sum>();
  #last: Sum | undefined;
  #lastQuarter = Number.NaN;

  add({ model, time, usage }: Pick<EntryUsage, 'model' | 'time' | 'usage'>): void {
    const quarter = Math.floor(time / QUARTER_MS);
    // Most entries belong to the sum of the one before.
    if (this.#last && quarter === this.#lastQuarter && model === this.#last.model) {
      return addTo(this.#last.usage, usage);
    }
    const place = `${quarter} ${model ?? ''}`;
    const sum = this.#sums.get(place) ?? { model, time, usage: { ...NO_USAGE } };
    addTo(sum.usage, usage);
    this.#last = sum;
    this.#lastQuarter = quarter;
    this.#sums.delete(place);
    this.#sums.set(place, sum);
  }

  /** Lists the sums in the order of their last entry: the model used last is that of the last sum. */
  list(): readonly EntryUsage[] {
    return [...this.#sums.values()].map(({ model, time, usage }) => ({
      key: NO_KEY,
      model,
      time,
      usage,
    }));
  }
}
