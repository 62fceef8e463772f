import type { ReductionDialect } from '../../dialect/reduction.ts';
import type { CheckedSession, Finding, Rule } from '../../dialect/rule.ts';
import type { Entry } from '../../model/entry.ts';
import { treeOf } from '../../model/tree/tree.ts';
import { dropEntries, findAncestors } from '../../reduce/drop-entries.ts';
import { findMoved } from '../../reduce/line-edits.ts';
import type { FixPlan } from './fix-plan.ts';
import type { TakenEntries } from './repairs.ts';
import { readPath } from './plan-line-changes.ts';

/**
 * Plans to take entries that the model must not see out of a file whose lines are repaired; the findings are
 * about that state. Undefined without such entries. With `keepsLeaf`, something stands in for the last entry,
 * if it is one of them.
 */
export function planTakenEntries(
  { after: { session }, toBefore }: FixPlan,
  findings: readonly Finding[],
  checked: CheckedSession,
  rules: readonly Rule[],
  keys: NonNullable<ReductionDialect['keys']>,
  keepsLeaf: boolean,
): TakenEntries | undefined {
  const takers = new Map(rules.map(({ id, takesOutEntries }) => [id, takesOutEntries]));
  const found = findings.filter(({ rule, fixable }) => fixable && takers.get(rule));
  if (found.length === 0) return undefined;
  const { keptLater, firstKept } = findKeptLater(rules, checked);
  const going = findGoing(session.entries, found, keptLater);
  const leaf = keepsLeaf ? session.entries.findLast((entry) => going.has(entry)) : undefined;
  const toLeaf = leaf && takers.get(going.get(leaf) ?? '')?.toLeaf;
  const dropped = new Set([...going.keys()].filter((entry) => !toLeaf || entry !== leaf));
  const left = dropEntries(
    session.entries.map((entry) => keepFrom(entry, firstKept)),
    dropped,
  );
  const toOffsets = (rulesOf: ReadonlyMap<Entry, string>): ReadonlyMap<number, string> =>
    new Map([...rulesOf].map(([{ offset }, rule]) => [toBefore(offset), rule]));
  const offsets = new Map(session.entries.map(({ line, offset }) => [line, toBefore(offset)]));
  const moved = findMoved(session.entries, left, { keys });
  const standIns = new Map<number, Buffer>();
  const leafNow = left.find(({ line }) => toLeaf && line === leaf.line);
  if (toLeaf && leafNow) {
    standIns.set(toBefore(leafNow.offset), Buffer.from(JSON.stringify(toLeaf(leafNow))));
  }
  return {
    taken: toOffsets(going),
    keptLater: toOffsets(keptLater),
    moved: new Map([...moved].map(([line, edits]) => [offsets.get(line) ?? -1, edits])),
    standIns,
    ancestors: findAncestors(treeOf(session), dropped),
    parentKey: keys.parentId,
  };
}

interface Later {
  /** The rule for which each leaves a context. */
  readonly keptLater: ReadonlyMap<Entry, string>;
  readonly firstKept: ReadonlyMap<Entry, Entry>;
}

function findKeptLater(rules: readonly Rule[], checked: CheckedSession): Later {
  const keptLater = new Map<Entry, string>();
  const firstKept = new Map<Entry, Entry>();
  for (const { id, takesOutEntries } of rules) {
    const later = takesOutEntries?.keepLater?.(checked);
    for (const entry of later?.entries ?? []) keptLater.set(entry, id);
    for (const [compaction, first] of later?.firstKept ?? []) firstKept.set(compaction, first);
  }
  return { keptLater, firstKept };
}

/** The entries that are taken out of the file, each with the rule for which it is. */
function findGoing(
  entries: readonly Entry[],
  found: readonly Finding[],
  keptLater: Later['keptLater'],
): ReadonlyMap<Entry, string> {
  const ruleAt = new Map(found.map(({ byteOffset, rule }) => [byteOffset, rule]));
  const going = new Map<Entry, string>();
  const ruleOf = new Map<string, string>();
  for (const entry of entries) {
    if (keptLater.has(entry)) continue;
    // A label or an edit of an entry that is taken out is about nothing any more.
    const rule = ruleAt.get(entry.offset) ?? ruleOf.get(entry.targetId ?? '');
    if (rule === undefined) continue;
    going.set(entry, rule);
    if (entry.id !== undefined) ruleOf.set(entry.id, rule);
  }
  return going;
}

function keepFrom(entry: Entry, firstKept: ReadonlyMap<Entry, Entry>): Entry {
  const first = firstKept.get(entry);
  return first ? { ...entry, firstKeptEntryId: first.id } : entry;
}

/** Returns whether the current path is, but for what was taken out, the one that it would be without that. */
export function keepsPath(
  repaired: FixPlan,
  planned: FixPlan,
  takenEntries: TakenEntries,
): boolean {
  const { taken, standIns } = takenEntries;
  const before = readPath(repaired).filter((at) => !taken.has(at) || standIns.has(at));
  const after = readPath(planned);
  return before.length === after.length && before.every((offset, at) => offset === after[at]);
}
