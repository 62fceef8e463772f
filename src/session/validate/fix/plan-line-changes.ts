import type { Rule } from '../../dialect/rule.ts';
import { treeOf, getCurrentPath } from '../../model/tree/tree.ts';
import type { FixPlan } from './fix-plan.ts';
import type { PlannedChange, LineChanges } from './repairs.ts';

/**
 * The changes to lines that repair what rules have found in a file, once its lines are repaired: the
 * first choice, and what is left of it where that would take something from the current path. None
 * where there is nothing to change.
 */
export async function planLineChanges(
  { after, toBefore }: FixPlan,
  rules: readonly Rule[],
): Promise<readonly LineChanges[]> {
  const changing = rules.filter(({ changeLines }) => changeLines);
  if (changing.length === 0) return [];
  const findings = await after.conclude();
  const checked = await after.relate();
  const fixable = new Set(
    findings.flatMap((one) => (one.fixable ? toKey(one.rule, one.byteOffset) : [])),
  );
  const all = changing.flatMap((rule): readonly PlannedChange[] => {
    const changes = rule.changeLines?.(checked) ?? [];
    return changes
      .filter(({ offset }) => fixable.has(toKey(rule.id, offset)))
      .map((change) => ({ ...change, rule: rule.id }));
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
      (choice) =>
        new Map(choice.flatMap(splitMoves).map((change) => [toBefore(change.offset), change])),
    );
}

/** A line that moves has a change at its old place, too. */
function splitMoves(change: PlannedChange): readonly PlannedChange[] {
  const { preceded, rule } = change;
  return preceded ? [change, { rule, offset: preceded.from, edits: [], isMoved: true }] : [change];
}

function toKey(rule: string, offset: number): string {
  return `${rule} ${offset}`;
}

/** Returns whether the current path holds all that it held before. */
export function extendsPath(repaired: FixPlan, planned: FixPlan): boolean {
  const after = new Set(readPath(planned));
  return readPath(repaired).every((offset) => after.has(offset));
}

/** The current path, by where its lines began before any repair. */
export function readPath({ after: { session }, toBefore }: FixPlan): readonly number[] {
  return getCurrentPath(treeOf(session)).map(({ offset }) => toBefore(offset));
}
