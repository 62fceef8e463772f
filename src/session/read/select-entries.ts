import type { Dialect, ShowOptions } from '../dialect/dialect.ts';
import type { Entry } from '../model/entry.ts';
import { findEntry } from '../model/tree/find-entry.ts';
import type { Session } from '../model/session.ts';
import { getPath, type Tree, walkTree } from '../model/tree/tree.ts';

/** The choice of entries of a session. */
export interface Scope {
  /** The end of the path, or its id, label or unique prefix of its id; the current leaf unless given. */
  readonly branch?: string | Entry | undefined;
  /** Every entry of every branch, depth first. */
  readonly allBranches: boolean;
  /** Shows what compactions stand for, too. */
  readonly fullHistory: boolean;
  /** Shows the text that the agent itself sends to the model. */
  readonly harness?: boolean | undefined;
  /** Shows what the model saw and said, and not what a person is shown of that. */
  readonly forModels?: boolean | undefined;
}

export interface SelectedEntries {
  /** The entries in the order of turnSource. */
  readonly entries: readonly Entry[];
  /** The end of the path. */
  readonly leaf: Entry | undefined;
  /** Context edits that count, by the id of their target. */
  readonly edits: ReadonlyMap<string, Entry>;
  readonly shows: ShowOptions;
}

/**
 * The entries to read as turns: those that the model would see, with the bookkeeping between them; or all of
 * the path; or all there are. Edits are those of the path, which is the current one for all branches.
 * @throws FileError when the branch is not there, or more than one fits.
 */
export function selectEntries(
  session: Session,
  dialect: Dialect,
  tree: Tree,
  { branch, allBranches, fullHistory, harness = false, forModels = false }: Scope,
): SelectedEntries {
  const leaf =
    typeof branch === 'string' ? findEntry(session, tree, branch) : (branch ?? tree.leaf);
  const path = getPath(tree, leaf);
  const context = selectContext(dialect, path);
  const shows = { fullHistory: fullHistory || allBranches, allBranches, harness, forModels };
  const edits = shows.fullHistory ? findEdits(dialect, path) : context.edits;
  if (allBranches) {
    const all = Array.from(walkTree(tree), ({ entry }) => entry);
    return { entries: dialect.entries.selectShown?.(all, shows) ?? all, leaf, edits, shows };
  }
  const shown = dialect.entries.selectShown?.(path, shows);
  if (shown) return { entries: shown, leaf, edits, shows };
  return { entries: fullHistory ? path : context.entries, leaf, edits, shows };
}

/** The entries of a path that the model would see, bookkeeping among them, and the edits of them. */
export function selectContext(
  dialect: Dialect,
  path: readonly Entry[],
): Pick<SelectedEntries, 'entries' | 'edits'> {
  const context = dialect.context.select(path);
  return { entries: withoutOlderSummaries(context), edits: findEdits(dialect, context) };
}

function findEdits({ context }: Dialect, path: readonly Entry[]): ReadonlyMap<string, Entry> {
  return context.findEdits?.(path) ?? NO_EDITS;
}

const NO_EDITS: ReadonlyMap<string, Entry> = new Map();

/** An older compaction inside the range that a newer one keeps has no say. */
function withoutOlderSummaries(context: readonly Entry[]): readonly Entry[] {
  const [first] = context;
  if (first?.type !== 'compaction') return context;
  return context.filter((entry) => entry === first || entry.type !== 'compaction');
}
