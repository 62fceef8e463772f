import { dirname } from 'node:path';
import { createCleaner } from '../../session/jsonl/files/temp-file.ts';
import { refuseLink } from './refuse-link.ts';

export interface ForkPlace {
  /** The path of the session that is forked. */
  readonly source: string;
  /** Whether the user named the directory: then links are their own business. */
  readonly isChosen: boolean;
}

/**
 * Makes the function that prepares the directory of a fork: one that a working directory leads to must not be a symbolic
 * link, and files that runs before have left halfway are removed. `now`: milliseconds.
 */
export function createForkClearer(
  now: number,
): (place: ForkPlace) => (directory: string) => Promise<void> {
  const clean = createCleaner(now);
  return ({ source, isChosen }) =>
    async (directory) => {
      const isBeside = directory === dirname(source);
      if (!isChosen && !isBeside) await refuseLink(dirname(directory), directory);
      await clean(directory);
    };
}
