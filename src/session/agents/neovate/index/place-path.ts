import type { Entry } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';

/**
 * A path as a session of its own: settings and titles, then the messages, each where it was in the
 * file. What the first one is attached to and is not there goes.
 */
export function placePath({ entries }: Session, path: readonly Entry[]): readonly Entry[] {
  const placed = new Map(path.map((entry) => [entry.offset, entry]));
  const ids = new Set(path.map(({ id }) => id));
  return entries.flatMap((entry) => {
    // Backups of files are about a message.
    if (entry.aside) return entry.targetId === undefined || ids.has(entry.targetId) ? entry : [];
    const found = placed.get(entry.offset);
    if (!found) return [];
    const isRoot = found.parentId !== null && !ids.has(found.parentId);
    return isRoot ? { ...found, parentId: null } : found;
  });
}
