import { listAbove } from '../../../session/model/paths.ts';
import type { FoundFile } from '../../select/found-file.ts';

/** The sessions that a file may belong to, outermost first, by its path. */
export type Owners = ReadonlyMap<string, readonly FoundFile[]>;

/**
 * Finds the sessions that files may belong to: those in whose folder they are, and `x.jsonl` for `x.json`, the array that
 * it may have been migrated from. Whether a file does belong to one, only the copy of that session says.
 */
export function findOwners(files: readonly FoundFile[]): Owners {
  const known = new Map(files.map((file) => [file.path, file]));
  const owners = files.map(({ path }) => {
    const folders = [...listAbove(path)].toReversed();
    const names = [...folders.flatMap((at) => [`${at}.json`, `${at}.jsonl`]), `${path}l`];
    return [path, names.flatMap((name) => known.get(name) ?? [])] as const;
  });
  return new Map(owners.filter(([, found]) => found.length > 0));
}
