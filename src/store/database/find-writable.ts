import type { RowDatabase } from '../../session/dialect/surroundings/rows.ts';
import { findDatabases } from './database-files.ts';
import { hasSqlite, withoutSqlite } from './sqlite.ts';

/**
 * Finds the path of the first of these databases in a directory; undefined where none is there.
 * @throws FileError where this Node cannot write to it, or it is of an unknown version.
 */
export async function findWritable(
  directory: string,
  kinds: readonly Pick<RowDatabase, 'name' | 'version'>[],
): Promise<string | undefined> {
  const [found] = await findDatabases(directory, kinds);
  if (found && !hasSqlite()) throw withoutSqlite(found.path);
  return found?.path;
}
