import { basename, dirname } from 'node:path';

/** The directory of archived sessions, without others below it. */
export const ARCHIVED = 'archived_sessions';

/** Returns whether the client has put a rollout away. */
export function isArchived(path: string): boolean {
  return basename(dirname(path)) === ARCHIVED;
}
