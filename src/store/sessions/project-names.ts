import type { Dirent } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileError } from '../../errors.ts';
import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
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
  readonly #home: string;
  readonly #named = new Map<string, NamesByKey>();

  /** `home`: that of the user, in which there is more than projects. */
  constructor({ home }: Pick<AgentWorld, 'home'>) {
    this.#home = home;
  }

  list(path: string): readonly string[] {
    const directory = dirname(path);
    const store = dirname(directory);
    const own = basename(directory);
    if (store === this.#home || store === dirname(store)) return [own];
    const named = this.#named.get(store) ?? findNames(store);
    this.#named.set(store, named);
    if (named.size === 0) return [own];
    const keys = [directory, path].map((one) => orPath(getFileKey, one));
    const others = keys.flatMap((key) => named.get(key) ?? []).toSorted();
    return [...new Set([own, ...others])];
  }
}

function findNames(store: string): NamesByKey {
  const found = new Map<string, string[]>();
  for (const one of list(store)) {
    const directory = join(store, one.name);
    if (one.isSymbolicLink()) addTo(found, orPath(getFileKey, directory), one.name);
    if (!one.isDirectory()) continue;
    const links = list(directory).filter((it) => it.isSymbolicLink() && isSessionName(it.name));
    for (const link of links)
      addTo(found, orPath(getFileKey, join(directory, link.name)), one.name);
  }
  return found;
}

/** The entries of a directory; none where it cannot be read, since that keeps all sessions of a store. */
function list(directory: string): readonly Dirent[] {
  const entries = orFileErrorSync(() => listEntries(directory));
  return entries instanceof FileError ? [] : entries;
}
