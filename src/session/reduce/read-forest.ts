import type { Entry } from '../model/entry.ts';
import type { LineContent } from '../jsonl/read/parse-line.ts';
import { type ReadSession, readSession } from '../read/read-session.ts';
import { buildTree, countReached, type TreeOptions } from '../model/tree/tree.ts';
import type { Forest } from '../dialect/reduction.ts';

export interface ReadForest extends ReadSession {
  /** The damage because of which no entries are taken out: the tree may be wrong. */
  readonly damage: string | undefined;
}

const BROKEN: ReadonlySet<LineContent['kind']> = new Set(['malformed', 'oversized']);

/**
 * Reads a session and finds out whether its tree can be trusted.
 * @throws FileError if it cannot be read or is not a session.
 */
export async function readForest(path: string): Promise<ReadForest> {
  let broken: number | undefined;
  const read = await readSession(path, {
    seesKinds: true,
    onLine: (_, line, { kind }) => {
      if (BROKEN.has(kind)) broken ??= line;
    },
  });
  const damage =
    broken === undefined ? findTreeDamage(read.session.entries) : `line ${broken} does not parse`;
  return { ...read, damage };
}

/** `options`: of the session that the entries are of. */
export function toForest(entries: readonly Entry[], options: TreeOptions): Forest {
  return { entries, tree: buildTree(entries, options) };
}

function findTreeDamage(all: readonly Entry[]): string | undefined {
  const entries = all.filter(({ aside }) => !aside);
  const tree = buildTree(entries);
  const orphan = entries.find((entry) => entry.parentId !== null && !tree.parentOf(entry));
  if (orphan) return `the parent of line ${orphan.line} is missing`;
  const nameless = entries.find(({ id }) => id === undefined);
  if (nameless) return `line ${nameless.line} has no id`;
  return countReached(tree) < entries.length ? 'entries share an id, or form a cycle' : undefined;
}
