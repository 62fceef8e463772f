import type { Rule } from '../../session/dialect/rule.ts';
import type { Column } from '../text/table.ts';
import type { Level } from '../../session/dialect/levels.ts';

/** A rule as `--list-rules` shows it. */
export interface RuleResult {
  readonly id: string;
  readonly level: Level;
  readonly fixable: boolean;
  readonly summary: string;
  readonly help: string;
}

export function toRuleResult({ id, fixable, summary, help }: Rule, level: Level): RuleResult {
  return { id, level, fixable, summary, help };
}

export function createRuleColumns(): readonly Column<RuleResult>[] {
  return [
    { title: 'RULE', cell: ({ id }) => id },
    { title: 'LEVEL', cell: ({ level }) => level },
    { title: 'FIX', cell: ({ fixable }) => (fixable ? '--fix' : '') },
    { title: 'WHAT IT FINDS', shrinks: 'end', cell: ({ summary }) => summary },
  ];
}
