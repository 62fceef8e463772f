import { rmdir } from 'node:fs/promises';
import type { PlaceDialect } from '../../session/dialect/dialect.ts';
import { throwIfBug } from '../../session/jsonl/files/file-error.ts';

/** The fact that decides whether an empty directory of sessions is kept. */
export type Emptied = Pick<PlaceDialect, 'needsDirectory'>;

/**
 * Removes a directory of sessions that a run has emptied, unless an open client of its agent may
 * need it.
 */
export async function removeEmptied(directory: string, { needsDirectory }: Emptied): Promise<void> {
  if (needsDirectory) return;
  try {
    await rmdir(directory);
  } catch (error) {
    // Something else is in it, or it is a link, or may not be removed: no harm in it.
    throwIfBug(error);
  }
}
