import type { Entry } from '../../session/model/entry.ts';
import type { Session } from '../../session/model/session.ts';
import type { Problem, SessionSummary } from '../../session/model/summary.ts';
import type { Tree } from '../../session/model/tree/tree.ts';
import { formatCounted } from '../../session/model/text/numbers.ts';

/** The content of an export. */
interface Shown {
  readonly entries: readonly Entry[];
  /** The entries from its first to the one where it ends. */
  readonly path: readonly Entry[];
  /** Every branch. */
  readonly isTree: boolean;
}

/** Finds the parts of a session that are missing from an export of these entries. */
export function findGaps(
  { session, summary }: { readonly session: Session; readonly summary: SessionSummary },
  tree: Tree,
  shown: Shown,
): readonly Problem[] {
  // The part of the session in another file that is missing.
  const missing = session.base && session.problem ? [session.problem] : [];
  const cut = shown.isTree ? findLost(session, tree) : findCut(shown);
  return [...findUnread(summary), ...missing, ...cut];
}

function findUnread({ unread: { lines } }: SessionSummary): readonly Problem[] {
  if (lines === 0) return [];
  const them = lines === 1 ? 'it' : 'them';
  const message = `${formatCounted(lines, 'line')} could not be read: the export lacks ${them}`;
  return [{ code: 'lines-unreadable', message }];
}

/**
 * Finds a cut before the first entry; a compaction there replaces the earlier entries, so nothing is missing.
 */
function findCut({ entries, path: [first] }: Shown): readonly Problem[] {
  if (first === undefined || first.parentId === null || !entries.includes(first)) return [];
  return [{ code: 'path-cut', message: `the path is cut: ${describeOrphan(first)}` }];
}

function findLost(session: Session, tree: Tree): readonly Problem[] {
  const [first, ...others] = session.entries.filter(
    ({ aside, parentId }) => !aside && parentId !== null && !tree.get(parentId),
  );
  if (!first) return [];
  const more = others.length === 0 ? '' : ` (and ${formatCounted(others.length, 'other')})`;
  return [{ code: 'path-cut', message: `a branch is cut: ${describeOrphan(first)}${more}` }];
}

function describeOrphan({ line }: Entry): string {
  return `the parent of the entry on line ${line} is not in the file`;
}
