import type { ActionResult } from '../../session/model/action.ts';
import { toPlainLine } from '../text/escape.ts';
import { formatCount, formatSize } from '../text/numbers.ts';
import { formatPath } from '../text/paths.ts';
import type { Column } from '../text/table.ts';
import { REASON } from '../actions/table.ts';

/** Sessions that went into the same files. */
export interface Partition {
  readonly action: ActionResult['action'];
  readonly name: string;
  readonly sessions: number;
  readonly bytesAfter: number;
}

const ACTION: Column<Pick<ActionResult, 'action'>> = {
  title: 'ACTION',
  cell: ({ action }) => action,
  paint: (text, style, { action }) =>
    action === 'fail' ? style.red(text) : action === 'skip' ? style.dim(text) : style.bold(text),
};

const SIZE: Column<{ readonly bytesAfter: number }> = {
  title: 'SIZE',
  align: 'right',
  // A preview, a skip and a failure have none.
  cell: ({ bytesAfter }) => (bytesAfter === 0 ? '' : formatSize(bytesAfter)),
};

/** The columns for the files of each month. */
export const PARTITION_COLUMNS: readonly Column<Partition>[] = [
  ACTION,
  { title: 'RESULT', shrinks: 'end', cell: ({ name }) => toPlainLine(name) },
  { title: 'SESSIONS', align: 'right', cell: ({ sessions }) => formatCount(sessions) },
  SIZE,
];

/** Makes the columns for the files of each session. */
export function createExportColumns(home: string): readonly Column<ActionResult>[] {
  return [
    ACTION,
    { title: 'SESSION', shrinks: 'start', cell: ({ path }) => formatPath(path, home) },
    SIZE,
    { ...REASON, title: 'RESULT' },
  ];
}
