import type { ReductionDialect } from '../../dialect/reduction.ts';
import type { Finding, Rule } from '../../dialect/rule.ts';
import type { Entry } from '../../model/entry.ts';
import { treeOf } from '../../model/tree/tree.ts';
import { dropEntries, findAncestors } from '../../reduce/drop-entries.ts';
import { findMoved } from '../../reduce/line-edits.ts';
import type { FixPlan } from './fix-plan.ts';
import type { Healing } from './healing.ts';
import { readPath } from './plan-mending.ts';

/**
 * What takes entries that the model must not see out of a file, once its lines are repaired; what was
 * found is about that state. Undefined where there are none. With `keepsLeaf`, something stands in for
 * the last entry, if it is one of them.
 */
export function planHealing(
  { after: { session }, toBefore }: FixPlan,
  findings: readonly Finding[],
  rules: readonly Rule[],
  keys: ReductionDialect['keys'],
  keepsLeaf = false,
): Healing | undefined {
  const takers = new Map(rules.map(({ id, takesOutEntries }) => [id, takesOutEntries]));
  const found = findings.filter(({ rule, fixable }) => fixable && takers.get(rule));
  if (found.length === 0) return undefined;
  const ruleAt = new Map(found.map(({ byteOffset, rule }) => [byteOffset, rule]));
  const going = new Map<Entry, string>();
  const ruleOf = new Map<string, string>();
  for (const entry of session.entries) {
    // A label or an edit of an entry that goes is about nothing any more.
    const rule = ruleAt.get(entry.offset) ?? ruleOf.get(entry.targetId ?? '');
    if (rule === undefined) continue;
    going.set(entry, rule);
    if (entry.id !== undefined) ruleOf.set(entry.id, rule);
  }
  const leaf = keepsLeaf ? session.entries.findLast((entry) => going.has(entry)) : undefined;
  const toLeaf = leaf && takers.get(going.get(leaf) ?? '')?.toLeaf;
  const dropped = new Set([...going.keys()].filter((entry) => !toLeaf || entry !== leaf));
  const left = dropEntries(session.entries, dropped);
  const offsets = new Map(session.entries.map(({ line, offset }) => [line, toBefore(offset)]));
  const moved = findMoved(session.entries, left, { keys });
  const standIns = new Map<number, Buffer>();
  const leafNow = left.find(({ line }) => toLeaf && line === leaf.line);
  if (toLeaf && leafNow) {
    standIns.set(toBefore(leafNow.offset), Buffer.from(JSON.stringify(toLeaf(leafNow))));
  }
  return {
    taken: new Map([...going].map(([{ offset }, rule]) => [toBefore(offset), rule])),
    moved: new Map([...moved].map(([line, edits]) => [offsets.get(line) ?? -1, edits])),
    standIns,
    ancestors: findAncestors(treeOf(session), dropped),
    parentKey: keys.parentId,
  };
}

/** Whether the current path is, but for what was taken out, the one that it would be without that. */
export function keepsPath(repaired: FixPlan, healed: FixPlan, healing: Healing): boolean {
  const { taken, standIns } = healing;
  const before = readPath(repaired).filter((at) => !taken.has(at) || standIns.has(at));
  const after = readPath(healed);
  return before.length === after.length && before.every((offset, at) => offset === after[at]);
}
