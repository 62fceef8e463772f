import type { ActionResult } from '../../session/action.ts';
import { toPlainLine } from '../escape.ts';
import { formatSize } from '../numbers.ts';
import { formatPath } from '../paths.ts';
import type { Column } from '../table.ts';

/** What was made of each session. */
export function createExportColumns(home: string): readonly Column<ActionResult>[] {
  return [
    {
      title: 'ACTION',
      cell: ({ action }) => action,
      paint: (text, style, { action }) =>
        action === 'fail'
          ? style.red(text)
          : action === 'skip'
            ? style.dim(text)
            : style.bold(text),
    },
    { title: 'SESSION', shrinks: true, cell: ({ path }) => formatPath(path, home) },
    { title: 'SIZE', align: 'right', cell: ({ bytesAfter }) => formatSize(bytesAfter) },
    { title: 'RESULT', shrinks: true, cell: ({ reasons }) => toPlainLine(reasons.join(', ')) },
  ];
}
