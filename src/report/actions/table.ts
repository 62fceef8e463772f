import type { Action, ActionResult } from '../../session/model/action.ts';
import { toPlainLine } from '../text/escape.ts';
import { formatSize } from '../text/numbers.ts';
import { formatPath } from '../text/paths.ts';
import type { Style } from '../text/style.ts';
import type { Column } from '../text/table.ts';

const PAINT: Readonly<Partial<Record<Action, (text: string, style: Style) => string>>> = {
  remove: (text, style) => style.yellow(text),
  fail: (text, style) => style.red(text),
  keep: (text, style) => style.dim(text),
  skip: (text, style) => style.dim(text),
  unchanged: (text, style) => style.dim(text),
};

export const ACTION: Column<ActionResult> = {
  title: 'ACTION',
  cell: ({ action }) => action,
  paint: (text, style, { action }) => PAINT[action]?.(text, style) ?? style.bold(text),
};

export const REASON: Column<ActionResult> = {
  title: 'REASON',
  shrinks: 'end',
  cell: ({ reasons }) => toPlainLine(reasons.join(', ')),
};

/** The columns that the results of every command have in common. */
export function createActionColumns(home: string): readonly Column<ActionResult>[] {
  return [
    ACTION,
    { title: 'SESSION', shrinks: 'start', cell: ({ path }) => formatPath(path, home) },
    { title: 'SIZE', align: 'right', isMinor: true, cell: formatChange },
    REASON,
  ];
}

/** The size of a session, before and after where that differs. */
export function formatChange({ bytesBefore, bytesAfter }: ActionResult): string {
  const before = formatSize(bytesBefore);
  return bytesBefore === bytesAfter ? before : `${before} → ${formatSize(bytesAfter)}`;
}
