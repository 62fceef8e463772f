import { basename, dirname, join, relative, sep } from 'node:path';
import { FileError } from '../../errors.ts';
import type { OrphanDialect } from '../../session/dialect/surroundings/sidecars.ts';
import { listEntries } from '../../session/jsonl/files/list-directory.ts';
import { readIdIfAny } from '../find/targets.ts';
import { isMissing, orFileError } from '../../session/jsonl/files/file-error.ts';
import { isPacked, listAll } from '../files/list-all.ts';
import { getRealPath } from '../files/stat-file.ts';
import { readPieces } from '../files/read-pieces.ts';

/** The facts known of the sidecars that seem to be without a session. */
export interface Search {
  readonly dialect: OrphanDialect;
  /** The ids that the sidecars name, by the real path of each: in it, its own id is not evidence. */
  readonly owners: ReadonlyMap<string, string>;
  /** Returns whether a file in a sidecar may be the log of a sub-agent, which is not a session. */
  isSubagent(name: string): boolean;
  /** Returns whether the session of an id is there. */
  isThere(id: string): boolean;
}

/**
 * Finds the ids of the sessions of which something may be left. In stores, an id is held if the name or
 * the content of any file has it that is not the session's own sidecar, hidden directories and what links
 * lead to included; if a session is in the sidecar; or if the sidecar is a log with lines of a session that is
 * there, such as a fork that has resumed a sub-agent. In trashes, where sidecars lie as well, an id is
 * held by the name of a session's file, and by the content of other JSONL files.
 * @throws FileError when a directory or a file of a store, or in a trash, cannot be read, or a link in a store leads
 * nowhere: sessions may be there.
 */
export async function findHeldIds(
  search: Search,
  stores: readonly string[],
  trashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const seen = new Set<string>();
  for (const store of stores) await searchStore(found, search, store, seen);
  for (const trash of trashes) {
    // macOS lets no program look there that no one has allowed to.
    const top = await orFileError(() => Promise.resolve(trash).then(listEntries));
    if (!(top instanceof FileError)) await searchTrash(found, search.dialect, trash);
  }
  return found;
}

async function searchStore(
  found: Set<string>,
  search: Search,
  store: string,
  seen: Set<string>,
): Promise<void> {
  const { files, unread } = listAll(store);
  const [hidden] = unread;
  if (hidden !== undefined) {
    const problem = 'is a link that leads nowhere, or cannot be read: sessions may be behind it';
    throw new FileError(hidden, 'ENOENT', problem);
  }
  for (const path of files) {
    const real = getRealPath(path);
    const owner = findOwner(search, real);
    const add = (ids: readonly string[]): void => {
      for (const id of ids) if (id !== owner) found.add(id);
    };
    // Names on the way to a file behind a link count too.
    add(listNamed(search.dialect, [relative(store, path), basename(real)]));
    if (seen.has(real)) continue;
    seen.add(real);
    const isInside = owner !== undefined && !search.owners.has(real);
    const isLog = search.isSubagent(basename(real));
    const isBeside = owner !== undefined && !isInside && isLog;
    let mayHold = isInside && isPacked(basename(real));
    for await (const text of readPieces(real)) {
      add(search.dialect.listIds(text));
      if (isBeside && search.dialect.listIds(text).some((id) => search.isThere(id))) {
        found.add(owner);
      }
      mayHold ||= isInside && OWN_FIELD.test(text) && search.dialect.listIds(text).includes(owner);
    }
    if (owner !== undefined && !isLog && (mayHold || (await isSession(real)))) found.add(owner);
  }
}

/** Lists the ids in paths, also those that are a part of a longer name. */
function listNamed(
  { listIds, listHeldIds }: OrphanDialect,
  paths: readonly string[],
): readonly string[] {
  return paths.flatMap((path) => [
    ...listIds(path),
    ...path.split(sep).flatMap((name) => listHeldIds(name)),
  ]);
}

/** The id of the sidecar that a file is, or is in. */
function findOwner({ owners }: Search, path: string): string | undefined {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const owner = owners.get(at);
    if (owner !== undefined) return owner;
  }
  return undefined;
}

/**
 * A member that shows, in a folder of sidecars, a line of a session in whatever file: of a tar, or in UTF-16.
 */
const OWN_FIELD = /"sessionId"/;

async function isSession(path: string): Promise<boolean> {
  return (await readIdIfAny(path)) !== undefined;
}

/** A trash may add more to a name, as `moveWithNote` does, or a number. */
const SESSION_FILE = /\.jsonl?(?![a-z])/i;
/** The mark that coppice adds to names in a trash. */
const MARK = /\.[\da-f]{12}$/;

async function searchTrash(
  found: Set<string>,
  dialect: OrphanDialect,
  trash: string,
): Promise<void> {
  const isSidecar = (name: string, kind: string): boolean =>
    dialect.places.some((place) => place.kind === kind && place.pattern.test(name));
  const pending = [trash];
  for (let directory = pending.pop(); directory !== undefined; directory = pending.pop()) {
    for (const entry of listEntries(directory)) {
      const path = join(directory, entry.name);
      for (const id of dialect.listHeldIds(entry.name)) found.add(id);
      if (entry.isDirectory() && !isSidecar(entry.name, 'directory')) pending.push(path);
      if (!entry.isFile() || !SESSION_FILE.test(entry.name)) continue;
      if (isSidecar(entry.name.replace(MARK, ''), 'file')) continue;
      await searchTrashed(found, dialect, path);
    }
  }
}

async function searchTrashed(
  found: Set<string>,
  dialect: OrphanDialect,
  path: string,
): Promise<void> {
  try {
    for await (const text of readPieces(path)) {
      for (const id of dialect.listIds(text)) found.add(id);
    }
  } catch (error) {
    // Somebody has emptied the trash meanwhile.
    if (!(error instanceof FileError) || !isMissing(error)) throw error;
  }
}
