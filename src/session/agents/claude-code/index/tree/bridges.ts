import type { ClaudeCodeEntry } from '../../entry/to-entry.ts';
import { isState } from '../leaf/leaf-record.ts';
import { countLeading } from '../../../../model/count-leading.ts';

/** How much older an entry may be to stand in for a parent that is not there, in milliseconds. */
const MAX_GAP = 5_000;

/** The most entries that are tried: only those attached to the orphan itself do not fit. */
const MAX_TRIES = 1_000;

/**
 * Finds what the client attaches an orphan to: the entry with the greatest time that is not later
 * than its own, if it is not more than five seconds older (2.1.133 to 2.1.332). Of one time, the first.
 */
export class Bridges {
  /** Oldest first; of one time, the last first. Sub-agents have a list of their own. */
  readonly #sides: readonly (readonly ClaudeCodeEntry[])[];

  /** `nodes` in their order. */
  constructor(nodes: readonly ClaudeCodeEntry[]) {
    const timed = nodes
      .filter((entry) => !Number.isNaN(entry.time) && !isState(entry))
      .toReversed();
    this.#sides = [false, true].map((isSide) =>
      timed
        .filter(({ isSidechain = false }) => isSidechain === isSide)
        .toSorted((a, b) => a.time - b.time),
    );
  }

  /** Finds a bridge. `isTaken`: whether an entry is attached to the orphan. */
  find(
    orphan: ClaudeCodeEntry,
    isTaken: (entry: ClaudeCodeEntry) => boolean,
  ): ClaudeCodeEntry | undefined {
    if (Number.isNaN(orphan.time)) return undefined;
    const byTime = this.#sides[orphan.isSidechain ? 1 : 0] ?? [];
    const last = countLeading(byTime, ({ time }) => time <= orphan.time) - 1;
    for (let at = last; at >= 0 && last - at < MAX_TRIES; at -= 1) {
      const entry = byTime[at];
      if (!entry || orphan.time - entry.time > MAX_GAP) return undefined;
      if (entry !== orphan && !isTaken(entry)) return entry;
    }
    return undefined;
  }
}
