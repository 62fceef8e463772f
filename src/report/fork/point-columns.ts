import type { ForkPoint } from '../../session/fork/points.ts';
import { toPlainLine } from '../text/escape.ts';
import { formatCounted, formatTime, formatTimeTitle } from '../text/numbers.ts';
import { formatPath } from '../text/paths.ts';
import type { Column } from '../text/table.ts';

/** A point, and the session that it is in. */
export type SourcedPoint = ForkPoint & { readonly source: string };

/** The columns of `fork --points`; the session is named when there are several. */
export function createPointColumns(
  home: string,
  several: boolean,
): readonly Column<SourcedPoint>[] {
  const columns: readonly Column<SourcedPoint>[] = [
    // Whole on every screen: it is what --before takes.
    { title: 'ID', cell: ({ id }) => toPlainLine(id, 200) },
    { title: formatTimeTitle(), isMinor: true, cell: ({ timestamp }) => formatTime(timestamp) },
    {
      title: 'TEXT',
      shrinks: 'end',
      cell: ({ text, label }) =>
        `${label === null ? '' : `[${toPlainLine(label, 60)}] `}${toPlainLine(text)}`,
      paint: (text, style, { onPath }) => (onPath ? text : style.dim(text)),
    },
  ];
  if (!several) return columns;
  return [
    { title: 'SESSION', shrinks: 'start', cell: ({ source }) => formatPath(source, home) },
    ...columns,
  ];
}

/** Formats the line below the points. */
export function formatPointsFooter(points: number, sessions: number): string {
  return `${formatCounted(points, 'user message')} in ${formatCounted(sessions, 'session')}.\n`;
}
