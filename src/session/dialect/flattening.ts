import type { Entry } from '../model/entry.ts';

/** Makes a file that continues others one that holds all of its path itself. */
export interface FlattenDialect {
  /** The first line of a file that continues from no other; undefined where the line cannot be that of one. */
  toWhole(header: Buffer): Buffer | undefined;
  /** Selects those of the entries in other files, oldest first, that the file gets. */
  selectInherited(entries: readonly Entry[]): readonly Entry[];
}
