import type { ClaudeCodeEntry } from '../entry/to-entry.ts';
import { isLeafCandidate } from '../entry/to-entry.ts';

/** How much older an entry may be to stand in for a parent that is not there, in milliseconds. */
const MAX_GAP = 5_000;

/** How many entries are tried: only those that hang on the orphan itself are no good. */
const MAX_TRIES = 1_000;

/**
 * Finds what the client attaches an orphan to: the entry with the greatest time that is not later
 * than its own, if it is not more than five seconds older (2.1.133 to 2.1.330).
 */
export class Bridges {
  /** Oldest first; of one time, in file order. */
  readonly #byTime: readonly ClaudeCodeEntry[];

  constructor(nodes: readonly ClaudeCodeEntry[]) {
    this.#byTime = nodes
      .filter((entry) => isLeafCandidate(entry) && !Number.isNaN(entry.time))
      .toSorted((a, b) => a.time - b.time || a.offset - b.offset);
  }

  /** `isBelow`: whether an entry hangs on the orphan. */
  find(
    orphan: ClaudeCodeEntry,
    isBelow: (entry: ClaudeCodeEntry) => boolean,
  ): ClaudeCodeEntry | undefined {
    if (Number.isNaN(orphan.time)) return undefined;
    const last = this.#findLast(orphan.time);
    for (let at = last; at >= 0 && last - at < MAX_TRIES; at -= 1) {
      const entry = this.#byTime[at];
      if (!entry || orphan.time - entry.time > MAX_GAP) return undefined;
      if (entry !== orphan && !isBelow(entry)) return entry;
    }
    return undefined;
  }

  /** The place of the last entry that is not later than a time; -1 for none. */
  #findLast(time: number): number {
    let [from, to] = [0, this.#byTime.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      if ((this.#byTime[middle]?.time ?? Infinity) <= time) from = middle + 1;
      else to = middle;
    }
    return from - 1;
  }
}
