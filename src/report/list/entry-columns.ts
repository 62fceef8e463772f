import type { ListedEntry } from '../../session/read/read-entries.ts';
import { toPlainLine } from '../text/escape.ts';
import { formatCount, formatTime, formatTimeTitle } from '../text/numbers.ts';
import type { Column } from '../text/table.ts';

const MAX_INDENT = 20;

/** The columns of `list --entries`: the tree is in the indentation, the current path in the marks. */
export const createEntryColumns = (): readonly Column<ListedEntry>[] => [
  { title: 'LINE', align: 'right', isMinor: true, cell: ({ line }) => formatCount(line) },
  // Whole where there is room: `--at` takes it, and the ids of one moment begin alike.
  { title: 'ID', shrinks: 'end', cell: ({ id }) => toPlainLine(id ?? '?', 200) },
  { title: formatTimeTitle(), isMinor: true, cell: ({ timestamp }) => formatTime(timestamp) },
  {
    title: 'ENTRY',
    cell: ({ type, role, branchDepth, onPath }) => {
      const indent = '  '.repeat(Math.min(branchDepth, MAX_INDENT));
      return `${indent}${onPath ? '•' : '◦'} ${toPlainLine(role ?? type, 40)}`;
    },
    paint: (text, style, { role, onPath }) => {
      if (!onPath) return style.dim(text);
      return role === 'user' ? style.bold(text) : text;
    },
  },
  {
    title: 'TEXT',
    shrinks: 'end',
    cell: ({ label, preview }) =>
      `${label === null ? '' : `[${toPlainLine(label, 60)}] `}${toPlainLine(preview)}`,
    paint: (text, style, { onPath }) => (onPath ? text : style.dim(text)),
  },
];
