import { type Dirent, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { OrphanDialect } from '../../session/dialect/surroundings/sidecars.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { readStart } from '../files/read-start.ts';
import { orFileError } from '../sessions/read-prunable.ts';
import { getRealPath } from '../files/stat-file.ts';

/** A directory, and the names of those around it below the one where the search began. */
interface Place {
  readonly directory: string;
  readonly around: readonly string[];
}

/** A project that was put into a trash as a whole is a directory there. */
const TRASH_DEPTH = 2;

/**
 * Finds the ids of the sessions of which some file is left, by names and by how files begin: anywhere in
 * stores, hidden directories included, and near the top of trashes.
 * @throws FileError when a directory or a file of a store cannot be read.
 */
export async function findHeldIds(
  dialect: OrphanDialect,
  stores: readonly string[],
  trashes: readonly string[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const seen = new Set<string>();
  for (const store of stores)
    await addHeldIds(found, dialect, store, Number.POSITIVE_INFINITY, seen);
  for (const trash of trashes) {
    // macOS lets no program look there that nobody has allowed to.
    await orFileError(() => addHeldIds(found, dialect, trash, TRASH_DEPTH));
  }
  return found;
}

async function addHeldIds(
  found: Set<string>,
  dialect: OrphanDialect,
  root: string,
  depth: number,
  seen = new Set<string>(),
): Promise<void> {
  const pending: Place[] = [{ directory: root, around: [] }];
  for (let at = pending.pop(); at; at = pending.pop()) {
    const { directory, around } = at;
    const real = getRealPath(directory);
    if (seen.has(real)) continue;
    seen.add(real);
    for (const entry of listEntries(directory)) {
      const path = join(directory, entry.name);
      for (const id of await listIds(dialect, path, entry, around)) found.add(id);
      if (entry.isFile() || around.length + 1 >= depth) continue;
      pending.push({ directory: path, around: [...around, entry.name] });
    }
  }
}

/** Lists the ids that one file holds. A file in the folder of a session is a sidecar, whatever its name. */
async function listIds(
  dialect: OrphanDialect,
  path: string,
  entry: Dirent,
  around: readonly string[],
): Promise<readonly string[]> {
  const isAround = (id: string): boolean => around.some((one) => one.toLowerCase() === id);
  const names = entry.isSymbolicLink() ? [entry.name, basename(getRealPath(path))] : [entry.name];
  const ids = names.flatMap((name) => dialect.listHeldIds(name)).filter((id) => !isAround(id));
  if (ids.length > 0 || !mayBeRenamed(dialect, entry, around)) return ids;
  const id = dialect.readHeldId(await readStart(path));
  return id === undefined ? [] : [id];
}

const SESSION_FILE = /\.jsonl?$/;

/**
 * Returns whether a file with a name of its own may be a session; in a folder of a session are logs of
 * sub-agents.
 */
function mayBeRenamed(
  { places }: OrphanDialect,
  entry: Dirent,
  around: readonly string[],
): boolean {
  if (!entry.isFile() || !SESSION_FILE.test(entry.name)) return false;
  const isOf = (name: string, kind: string): boolean =>
    places.some((place) => place.kind === kind && place.pattern.test(name));
  return !isOf(entry.name, 'file') && !around.some((name) => isOf(name, 'directory'));
}

/** Lists the entries of a directory; none if it does not exist. */
export function listEntries(directory: string): readonly Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    const problem = toFileError(error, directory, 'search');
    if (problem.code === 'ENOENT' || problem.code === 'ENOTDIR') return [];
    throw problem;
  }
}
