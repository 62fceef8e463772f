import { toIso } from '../jsonl/edit/json.ts';
import type { LineSpan } from '../model/entry.ts';
import { resolveLabels } from '../model/tree/labels.ts';
import { readSession } from '../read/read-session.ts';
import { treeOf, getCurrentPath } from '../model/tree/tree.ts';
import { requireForking } from './require-forking.ts';

/** A user message that a session can be forked before. */
export interface ForkPoint {
  readonly id: string;
  /** ISO 8601; null where the session has none. */
  readonly timestamp: string | null;
  /** 1-based. */
  readonly line: number;
  readonly label: string | null;
  /** Whether it is on the path to the current leaf. */
  readonly onPath: boolean;
  readonly text: string;
}

/**
 * The user messages of a session that have text and that a fork can be made before, in file order: as pi's `/fork`
 * offers them.
 * @throws FileError if the file cannot be read, is not a session, or its agent's cannot be forked.
 */
export async function readForkPoints(
  path: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<readonly ForkPoint[]> {
  const texts = new Map<string, string>();
  const { session, dialect } = await readSession(path, {
    signal,
    onLine: ({ forking }, line, content, file) => {
      const text = content.kind === 'object' ? forking?.getUserText(content.value) : undefined;
      if (text) texts.set(toKey({ line, file }), text);
    },
  });
  const forking = requireForking(path, dialect);
  const tree = treeOf(session);
  const onPath = new Set(getCurrentPath(tree));
  const labels = resolveLabels(session.entries);
  const isTaken = forking.createBeforeTest(session, tree);
  return session.entries.flatMap((entry) => {
    const { id, line, time, role } = entry;
    const text = role === 'user' ? texts.get(toKey(entry)) : undefined;
    if (id === undefined || text === undefined || !isTaken(entry)) return [];
    const label = labels.get(id)?.text ?? null;
    return [{ id, timestamp: toIso(time) ?? null, line, label, onPath: onPath.has(entry), text }];
  });
}

/** A line of the session's own file, or of one that it continues from. */
function toKey({ line, file = '' }: Pick<LineSpan, 'line' | 'file'>): string {
  return `${line} ${file}`;
}
