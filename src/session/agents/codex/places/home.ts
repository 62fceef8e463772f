import { basename, dirname, join } from 'node:path';
import { listAbove } from '../../../model/paths.ts';

/** The directory of sessions, with one for each day. */
const SESSIONS = 'sessions';

/** The directory of archived sessions, without others below it. */
export const ARCHIVED = 'archived_sessions';

/** The directories of sessions in a home. */
export const STORES: readonly string[] = [SESSIONS, ARCHIVED];

/** The id of a thread: a UUID in lower case. */
export const THREAD_ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** The ids of threads in a text. */
export const THREAD_IDS = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g;

/** Returns whether the client has put a rollout away. */
export function isArchived(path: string): boolean {
  return basename(dirname(path)) === ARCHIVED;
}

/** The directory, below that of Codex, of a rollout that is not archived, by the start that its name gives. */
export function toDayDirectory(start: string): string {
  return [SESSIONS, ...start.slice(0, 'yyyy-mm-dd'.length).split('-')].join('/');
}

/** The directory that has both kinds of sessions; undefined for a file that is elsewhere. */
export function findHome(path: string): string | undefined {
  for (const at of listAbove(path)) if (STORES.includes(basename(at))) return dirname(at);
  return undefined;
}

/** Lists the directories of sessions in a home. */
export function listStoresOf(home: string): readonly string[] {
  return STORES.map((name) => join(home, name));
}
