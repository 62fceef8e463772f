import type { Entry } from '../../../model/entry.ts';
import { resolveLabels } from '../../../model/tree/labels.ts';
import type { Session } from '../../../model/session.ts';

/**
 * A path as a session of its own, as `createBranchedSession` of pi 1.6.0 makes one: labels are
 * taken out and the rest is attached to each other (a first kept entry that was a label moves on to the
 * next that is kept); labels that are still set come again at the end, and so does the name.
 */
export function placePath(session: Session, path: readonly Entry[]): readonly Entry[] {
  const kept = path.filter(({ type }) => type !== 'label');
  const last = kept.at(-1);
  // Nothing can be attached to an entry without an id.
  const again = last && last.id === undefined ? [] : findAgain(session, kept);
  const firstKept = mapFirstKept(path);
  let parentId: string | null = null;
  return [...kept, ...again].map((entry) => {
    const { firstKeptEntryId } = entry;
    const moved = firstKeptEntryId === undefined ? undefined : firstKept.get(firstKeptEntryId);
    const placed: Entry = {
      ...entry,
      parentId,
      ...(firstKeptEntryId !== undefined && { firstKeptEntryId: moved ?? firstKeptEntryId }),
    };
    parentId = entry.id ?? null;
    return placed;
  });
}

/** Labels of entries that are kept, and the name where it was given on another branch. */
function findAgain({ entries }: Session, kept: readonly Entry[]): readonly Entry[] {
  const ids = new Set(kept.map(({ id }) => id));
  const labels = [...resolveLabels(entries)].filter(([target]) => ids.has(target));
  const name = entries.findLast(({ type }) => type === 'session_info');
  const named = name && kept.findLast(({ type }) => type === 'session_info') !== name;
  const again = labels.map(([, { entry }]) => entry);
  return named ? [...again, name] : again;
}

/** Maps labels to the id of what follows them on the path and is kept. */
function mapFirstKept(path: readonly Entry[]): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  let next: string | undefined;
  for (const { id, type } of path.toReversed()) {
    if (type !== 'label') next = id;
    else if (id !== undefined && next !== undefined) moved.set(id, next);
  }
  return moved;
}
