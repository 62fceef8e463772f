import type { Dirent } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileError } from '../../errors.ts';
import { orFileErrorSync } from '../../session/jsonl/files/file-error.ts';
import { listEntries } from '../../session/jsonl/files/list-directory.ts';
import { addTo } from '../../session/model/tree/group-by.ts';
import { isSessionName } from '../../session/model/session-names.ts';
import { getFileKey, orPath } from '../files/stat-file.ts';

/** The names of directories of projects by the key of what they are, or hold by a link. */
type NamesByKey = ReadonlyMap<string, readonly string[]>;

/**
 * Finds the names under which a store has the directory of a session's project: its own, and those of links, which
 * people make where a project has moved. Reads each store once.
 */
export class ProjectNames {
  readonly #named = new Map<string, NamesByKey>();

  list(path: string): readonly string[] {
    const home = dirname(path);
    const store = dirname(home);
    const named = this.#named.get(store) ?? findNames(store);
    this.#named.set(store, named);
    const keys = [home, path].map((one) => orPath(getFileKey, one));
    const others = keys.flatMap((key) => named.get(key) ?? []).toSorted();
    return [...new Set([basename(home), ...others])];
  }
}

function findNames(store: string): NamesByKey {
  const found = new Map<string, string[]>();
  for (const { name } of listHomes(store)) {
    const home = join(store, name);
    addTo(found, orPath(getFileKey, home), name);
    const links = list(home).filter((one) => one.isSymbolicLink() && isSessionName(one.name));
    for (const link of links) addTo(found, orPath(getFileKey, join(home, link.name)), name);
  }
  return found;
}

function listHomes(store: string): readonly Dirent[] {
  return list(store).filter((one) => one.isDirectory() || one.isSymbolicLink());
}

/** The entries of a directory; none where it cannot be read, since that keeps all sessions of a store. */
function list(directory: string): readonly Dirent[] {
  const entries = orFileErrorSync(() => listEntries(directory));
  return entries instanceof FileError ? [] : entries;
}
