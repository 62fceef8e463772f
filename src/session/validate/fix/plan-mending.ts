import type { Rule } from '../../dialect/rule.ts';
import { treeOf, getPath } from '../../model/tree/tree.ts';
import type { FixPlan } from './fix-plan.ts';
import type { Mended, Mending } from './healing.ts';

/**
 * The changes to lines that repair what rules have found in a file, once its lines are repaired: the
 * first choice, and what is left of it where that would take something from the current path. None
 * where there is nothing to change.
 */
export async function planMendings(
  { after, toBefore }: FixPlan,
  rules: readonly Rule[],
): Promise<readonly Mending[]> {
  const menders = rules.filter(({ mend }) => mend);
  if (menders.length === 0) return [];
  const findings = await after.conclude();
  const checked = await after.relate();
  const fixable = new Set(
    findings.flatMap((one) => (one.fixable ? toKey(one.rule, one.byteOffset) : [])),
  );
  const all = menders.flatMap((rule): readonly Mended[] => {
    const mends = rule.mend?.(checked) ?? [];
    return mends
      .filter(({ offset }) => fixable.has(toKey(rule.id, offset)))
      .map((mend) => ({ ...mend, rule: rule.id }));
  });
  const onPath = new Set(checked.path.map(({ offset }) => offset));
  const choices = [
    all,
    all.filter(({ offset, followedBy }) => followedBy !== undefined || onPath.has(offset)),
    all.filter(({ followedBy }) => followedBy !== undefined),
  ];
  return choices
    .filter((choice, index) => choice.length > 0 && choice.length !== choices[index - 1]?.length)
    .map(
      (choice) => new Map(choice.flatMap(splitMoves).map((mend) => [toBefore(mend.offset), mend])),
    );
}

/** A line that moves has a change at its old place, too. */
function splitMoves(mend: Mended): readonly Mended[] {
  const { preceded, rule } = mend;
  return preceded ? [mend, { rule, offset: preceded.from, edits: [], isMoved: true }] : [mend];
}

function toKey(rule: string, offset: number): string {
  return `${rule} ${offset}`;
}

/** Returns whether the current path holds all that it held before. */
export function extendsPath(repaired: FixPlan, mended: FixPlan): boolean {
  const after = new Set(readPath(mended));
  return readPath(repaired).every((offset) => after.has(offset));
}

/** The current path, by where its lines began before any repair. */
export function readPath({ after: { session }, toBefore }: FixPlan): readonly number[] {
  const tree = treeOf(session);
  return getPath(tree, tree.leaf).map(({ offset }) => toBefore(offset));
}
