import type { Entry } from '../model/entry.ts';

/** Makes a file that continues others one that holds all of its path itself. */
export interface FlattenDialect {
  /** The first line of a file that goes on from no other; undefined where the line cannot be that of one. */
  toWhole(header: Buffer): Buffer | undefined;
  /** Of the entries that other files hold of a path, oldest first, those that the file gets. */
  selectInherited(entries: readonly Entry[]): readonly Entry[];
}
