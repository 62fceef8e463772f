import type { SessionSummary } from '../summary.ts';
import type { InheritedUsages } from '../usage.ts';
import { byStart } from './by-start.ts';
import { walkLineages } from './lineage.ts';
import { areSums, type KeyedUsages, packUsages, toKeyed } from './pack-usages.ts';
import { findParents, getParentPath, toParentKey } from './parents.ts';

/**
 * Finds the usages that each session holds only because a fork copies what came before it. Within a
 * lineage every entry counts for the session that started first; forks of a parent that is gone
 * are one lineage too. Sessions that inherit nothing are not in it.
 */
export function findInheritedUsages(summaries: readonly SessionSummary[]): InheritedUsages {
  const keyed = new Map(
    summaries.flatMap((one) => {
      const usages = getKeyed(one);
      return usages ? [[one, usages] as const] : [];
    }),
  );
  // Most are of one session alone.
  const repeated = findRepeated([...keyed.values()]);
  const inherited = new Map<string, ReadonlySet<number>>();
  if (repeated.size === 0) return inherited;
  const seenByLineage = new Map<string, SeenEntries>();
  const seenAnywhere = new SeenEntries();
  const parents = findParents(summaries);
  const roots = findRoots(summaries, parents);
  // Parents before their forks, also where a clock was wrong.
  for (const { summary } of walkLineages([...keyed.keys()].toSorted(byStart), parents)) {
    const usages = keyed.get(summary);
    if (!usages) continue;
    const root = roots.get(summary.path) ?? summary.path;
    const seen = seenByLineage.get(root) ?? new SeenEntries();
    seenByLineage.set(root, seen);
    const choose = (index: number): SeenEntries => (usages.isUniqueAt(index) ? seenAnywhere : seen);
    const shared = listRepeated(usages, repeated);
    const copied = shared.filter((index) =>
      choose(index).has(usages.keyAt(index), usages.requestAt(index)),
    );
    for (const index of shared) {
      choose(index).add(usages.keyAt(index), usages.requestAt(index));
    }
    if (copied.length > 0) inherited.set(summary.path, new Set(copied));
  }
  return inherited;
}

/** Undefined where usages were summed, so that no other session can be seen to have them, too. */
function getKeyed({ entryUsages, packedUsages }: SessionSummary): KeyedUsages | undefined {
  const packed = packedUsages ?? (entryUsages && packUsages(entryUsages));
  return packed && !areSums(packed) ? toKeyed(packed) : undefined;
}

/** Finds the keys that occur more than once. */
function findRepeated(all: readonly KeyedUsages[]): ReadonlySet<number> {
  const keys = new Float64Array(all.reduce((sum, { count }) => sum + count, 0));
  let end = 0;
  for (const { count, keyAt } of all) {
    for (let index = 0; index < count; index += 1) {
      keys[end] = keyAt(index);
      end += 1;
    }
  }
  keys.sort();
  const repeated = new Set<number>();
  for (let at = 1; at < end; at += 1) {
    const key = keys[at] ?? 0;
    if (key === keys[at - 1]) repeated.add(key);
  }
  return repeated;
}

/** Lists the places of usages with such keys. */
function listRepeated(
  { count, keyAt }: KeyedUsages,
  repeated: ReadonlySet<number>,
): readonly number[] {
  const found: number[] = [];
  for (let index = 0; index < count; index += 1) if (repeated.has(keyAt(index))) found.push(index);
  return found;
}

/** Entries that have been counted. One that names no request is the same as any of its key. */
class SeenEntries {
  /** The request of a key, or several; undefined where one of them names none. */
  readonly #requests = new Map<number, number | Set<number> | undefined>();

  has(key: number, request: number): boolean {
    const seen = this.#requests.get(key);
    if (seen === undefined) return this.#requests.has(key);
    if (request === 0) return true;
    return typeof seen === 'number' ? seen === request : seen.has(request);
  }

  add(key: number, request: number): void {
    const seen = this.#requests.get(key);
    if (seen === undefined) {
      if (!this.#requests.has(key)) this.#requests.set(key, request === 0 ? undefined : request);
    } else if (request === 0) this.#requests.set(key, undefined);
    else if (typeof seen !== 'number') seen.add(request);
    else if (seen !== request) this.#requests.set(key, new Set([seen, request]));
  }
}

/** The oldest ancestor that is known by name, there or not. One that is gone may be named by several paths. */
function findRoots(
  summaries: readonly SessionSummary[],
  found: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const parents = new Map(
    summaries.flatMap((one) => {
      const named = getParentPath(one);
      if (named === null) return [];
      return [[one.path, found.get(one.path) ?? `\0${toParentKey(named)}`]];
    }),
  );
  const roots = new Map<string, string>();
  for (const path of parents.keys()) {
    if (roots.has(path)) continue;
    const walked = new Set([path]);
    let at = path;
    for (let next = parents.get(at); next !== undefined; next = parents.get(at)) {
      const ahead = roots.get(next) ?? next;
      if (walked.has(ahead)) break;
      walked.add(ahead);
      at = ahead;
    }
    for (const one of walked) roots.set(one, at);
  }
  return roots;
}
