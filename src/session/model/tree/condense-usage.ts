import type { SessionSummary } from '../summary.ts';
import {
  addUsageTo,
  type CountedUsage,
  type EntryUsage,
  type Mutable,
  NO_USAGE,
  type PackedUsages,
  QUARTER_MS,
  type Usage,
} from '../usage.ts';
import { getParentPath } from './parents.ts';
import { areSums, packUsages, toKeyed, visitUsages } from './pack-usages.ts';

/** The key of a sum of several entries, which no other session has. */
const NO_KEY = '';

/**
 * Returns whether entries of a session may be in another one, too: then each counts by itself. Of sessions
 * that name no parent, only those that a fork names (`isParent`), or whose agent copies entries at will.
 */
function sharesEntries(
  summary: SessionSummary,
  isParent: boolean,
  hasUnique: () => boolean,
): boolean {
  const isRelated = summary.relations !== undefined || getParentPath(summary) !== null;
  return isParent || isRelated || hasUnique();
}

/**
 * A summary with what totals need of its usage, packed, and no more: the sums by model and quarter of an hour,
 * or, where entries may be in other sessions, too, each with a hash instead of its key.
 */
export function condenseUsage(summary: SessionSummary, isParent: boolean): SessionSummary {
  if (!summary.entryUsages) return summary;
  const { entryUsages, ...rest } = summary;
  const hasUnique = (): boolean => entryUsages.some(({ isUnique }) => isUnique);
  const condensed = sharesEntries(summary, isParent, hasUnique)
    ? entryUsages
    : sumUsages(summary).list();
  return { ...rest, packedUsages: packUsages(condensed) };
}

/** A condensed summary, summed if it can be now and is not yet. */
export function sumOwnUsage(summary: SessionSummary, isParent: boolean): SessionSummary {
  const { packedUsages } = summary;
  if (!packedUsages || areSums(packedUsages)) return summary;
  if (sharesEntries(summary, isParent, () => hasUniqueKey(packedUsages))) return summary;
  return { ...summary, packedUsages: packUsages(sumUsages(summary).list()) };
}

function hasUniqueKey(packed: PackedUsages): boolean {
  const { count, isUniqueAt } = toKeyed(packed);
  for (let index = 0; index < count; index += 1) if (isUniqueAt(index)) return true;
  return false;
}

/** Sums the usages of a summary by model and quarter of an hour. */
export function sumUsages(summary: Parameters<typeof visitUsages>[0]): UsageSums {
  const sums = new UsageSums();
  visitUsages(summary, (one) => sums.add(one));
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

  add({ model, time, usage }: CountedUsage): void {
    const quarter = Math.floor(time / QUARTER_MS);
    // Most entries belong to the sum of the one before.
    if (this.#last && quarter === this.#lastQuarter && model === this.#last.model) {
      return addUsageTo(this.#last.usage, usage);
    }
    const place = `${quarter} ${model ?? ''}`;
    const sum = this.#sums.get(place) ?? { model, time, usage: { ...NO_USAGE } };
    addUsageTo(sum.usage, usage);
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
