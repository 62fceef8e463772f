import type { EntryUsage } from '../../../model/usage.ts';

/**
 * The usage of every answer of a file, once: its lines repeat it, and the last has it as it was in the
 * end. Lines of one message that name different requests are different answers.
 */
export class UsageTable {
  /** Nearly all keys have one answer, and then no list. */
  readonly #byKey = new Map<string, EntryUsage | EntryUsage[]>();

  add(usage: EntryUsage): void {
    const known = this.#byKey.get(usage.key);
    if (!known) this.#byKey.set(usage.key, usage);
    else if (!Array.isArray(known)) {
      const isSame = isSameAnswer(known, usage);
      this.#byKey.set(usage.key, isSame ? toLast(known, usage) : [known, usage]);
    } else {
      const at = known.findIndex((one) => isSameAnswer(one, usage));
      const before = known[at];
      if (before) known[at] = toLast(before, usage);
      else known.push(usage);
    }
  }

  list(): readonly EntryUsage[] {
    return [...this.#byKey.values()].flat();
  }
}

function isSameAnswer(one: EntryUsage, other: EntryUsage): boolean {
  return one.request === undefined || other.request === undefined || one.request === other.request;
}

/** The last line of an answer counts, with the request that one of them names. */
function toLast({ request }: EntryUsage, last: EntryUsage): EntryUsage {
  return last.request === undefined ? { ...last, request } : last;
}
