import { basename, dirname } from 'node:path';
import { findStoresIfAny } from '../store/find/roots.ts';
import { isFindableId, readKnown, searchStores } from '../store/find/targets.ts';
import type { Context } from '../commands/command.ts';

/** The most files that are looked into. */
const MAX_READ = 200;

/** An id, with the day and the directory of its session. */
export interface IdOffer {
  readonly text: string;
  readonly about: string;
}

/**
 * Finds ids of sessions that begin so, latest first. A shell waits for it, so only files whose names hold what was
 * typed are read, and of these the latest by the day in their names.
 */
export async function completeIds(begun: string, context: Context): Promise<readonly IdOffer[]> {
  const stores = await findStoresIfAny([], context, { followsProject: true, takesUnread: true });
  const { files } = await searchStores(stores);
  const paths = files.map(({ path }) => path).filter((path) => basename(path).includes(begun));
  const latest = paths.toSorted((a, b) => (getDay(a) < getDay(b) ? 1 : -1)).slice(0, MAX_READ);
  const found = await readKnown(latest);
  return found.flatMap(({ path, id }) => {
    const isOnly = found.filter((one) => one.id === id).length === 1;
    // A shell could execute other ids.
    if (!id.startsWith(begun) || !isFindableId(id) || !isOnly) return [];
    return [{ text: id, about: `${getDay(path)} ${basename(dirname(path))}`.trim() }];
  });
}

/** Returns the day in the name of a file, or nothing. */
function getDay(path: string): string {
  return /\d{4}-\d\d-\d\d/.exec(basename(path))?.[0] ?? '';
}
