import { basename, join } from 'node:path';
import { FileError } from '../../errors.ts';
import { findDialect } from '../../session/agents/index.ts';
import type { RowDatabase, RowDialect } from '../../session/dialect/surroundings/rows.ts';
import { listDirectory } from '../../session/jsonl/files/list-directory.ts';

const EXTENSION = '.sqlite';

/** Returns the name of the file of a database: `<name>_<version>.sqlite`. */
export function toDatabaseName({ name, version }: Pick<RowDatabase, 'name' | 'version'>): string {
  return `${name}_${version}${EXTENSION}`;
}

/** The rows that an agent keeps of a session, and the directory that their databases are in. */
export interface RowHome {
  readonly rows: RowDialect;
  readonly home: string;
}

/** Finds where the rows of the session at a path are; undefined where its agent, which may be unknown, keeps none. */
export function findRowHome(agent: string | null, path: string): RowHome | undefined {
  const rows = findDialect(agent)?.rows;
  const home = rows?.findHome(path);
  return rows && home !== undefined ? { rows, home } : undefined;
}

/** The databases in a directory. @throws FileError if that cannot be read. */
export function listDatabases(directory: string): readonly string[] {
  return listDirectory(directory, EXTENSION);
}

/** The version of a database of some kind; undefined for one of another kind. */
export function getVersionOf(name: string, path: string): number | undefined {
  const file = basename(path, EXTENSION);
  const version = file.slice(name.length + 1);
  return file.startsWith(`${name}_`) && /^\d{1,9}$/.test(version) ? Number(version) : undefined;
}

/**
 * Finds the databases that are in a directory, with their paths. An older version beside one is left over
 * from an update of the agent.
 * @throws FileError where there is a newer one, or only an older: its rows would be left.
 */
export async function findDatabases<T extends Pick<RowDatabase, 'name' | 'version'>>(
  directory: string,
  kinds: readonly T[],
): Promise<readonly { readonly path: string; readonly kind: T }[]> {
  const there = listDatabases(directory);
  return kinds.flatMap((kind) => {
    const path = join(directory, toDatabaseName(kind));
    const isThere = there.includes(path);
    const other = there.find((one) => {
      const version = getVersionOf(kind.name, one);
      return version !== undefined && (version > kind.version || (!isThere && one !== path));
    });
    if (other !== undefined) throw toStrange(other, 'is of an unknown version');
    return isThere ? [{ path, kind }] : [];
  });
}

/** Returns the reason why a database does not have the known schema; undefined if it does. */
export function findStrangeness(
  { tables, others }: RowDatabase,
  schema: ReadonlyMap<string, readonly string[]>,
): string | undefined {
  for (const [name, columns] of schema) {
    if (others.includes(name)) continue;
    const table = Object.hasOwn(tables, name) ? tables[name] : undefined;
    if (!table) return `has an unknown table (${name})`;
    const column = columns.find((one) => !table.columns.includes(one));
    if (column !== undefined) return `has an unknown column (${name}.${column})`;
  }
  return undefined;
}

/** A database in which the effect of a change is not known. */
export function toStrange(path: string, what: string): FileError {
  return new FileError(
    path,
    'EBADDB',
    `${what}; use the commands of the agent, coppice writes nothing to it`,
  );
}
