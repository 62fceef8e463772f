import type { ActionResult } from '../../session/model/action.ts';
import type { OmittedRows } from '../../session/dialect/surroundings/rows.ts';
import { ACTION, REASON, formatChange } from '../actions/table.ts';
import { toPlainLine } from '../text/escape.ts';
import { formatAgo, formatSize } from '../text/numbers.ts';
import { formatOnce } from '../text/format-once.ts';
import { formatPath } from '../text/paths.ts';
import type { Column } from '../text/table.ts';

/** The result of prune for one session. Sizes in bytes, sidecars included. */
export interface PruneResult extends ActionResult {
  readonly agent: string | null;
  readonly id: string;
  readonly cwd: string;
  readonly name: string | null;
  /** The name, or else how the session begins. */
  readonly title: string;
  /** ISO 8601; null for a file that cannot be read. */
  readonly lastActive: string | null;
  /** False for a session that the selectors rule out. */
  readonly selected: boolean;
  /** Its path in the archive. */
  readonly archived?: string | undefined;
  /** Rows that were not restored: its agent lacks what they belong to, or would continue by itself. */
  readonly omittedRows?: readonly OmittedRows[] | undefined;
}

/** The columns of a list of kept and removed sessions. */
export function createPruneColumns(now: number, home: string): readonly Column<PruneResult>[] {
  const formatProject = formatOnce((cwd) => formatPath(cwd, home) || '?');
  return [
    ACTION,
    {
      title: 'LAST ACTIVE',
      cell: ({ lastActive }) => (lastActive === null ? '?' : formatAgo(lastActive, now)),
    },
    { title: 'PROJECT', shrinks: 'start', cell: ({ cwd }) => formatProject(cwd) },
    {
      title: 'SESSION',
      shrinks: 'end',
      // Shows the title, or the path of a session without one.
      cell: ({ title, path }) => toPlainLine(title) || formatPath(path, home),
    },
    {
      title: 'SIZE',
      align: 'right',
      isMinor: true,
      cell: (result) =>
        result.action === 'flatten' ? formatChange(result) : formatSize(result.bytesBefore),
    },
    REASON,
  ];
}
