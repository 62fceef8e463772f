import { closeSync, copyFileSync, constants, readSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'node-sqlite3-wasm';
import { FileError } from '../../errors.ts';
import { quote } from './insert-row.ts';
import { makePrivateDirectory } from '../files/private-directory.ts';
import { getRealPath, requireNoDeadLink } from '../files/stat-file.ts';
import type { DatabaseTables, Row } from '../../session/dialect/surroundings/records.ts';
import { isMissing, orFileError, toFileError } from '../../session/jsonl/files/file-error.ts';
import { releaseAfterSync } from '../../session/jsonl/files/release-after.ts';
import { openForReading } from '../../session/jsonl/read/open-for-reading.ts';
import {
  type FileStamp,
  isSameState,
  toStamp,
} from '../../session/jsonl/files/identity/file-stamp.ts';
import { attemptSync } from '../files/attempt.ts';

/** How often a database is copied that somebody continues writing to. */
const MAX_TRIES = 5;
/** The largest database that is copied, in bytes: the copy may be kept in memory. */
const MAX_BYTES = 1024 ** 3;
/** The suffix of the file in which SQLite keeps changes that are not in the database yet. */
const WAL = '-wal';
/** The suffix of the file in which SQLite keeps what a change that is not finished has replaced in the database. */
const JOURNAL = '-journal';
const NO_FILE = 'cannot read: is not a regular file';

/**
 * Reads tables of an SQLite database: of each the columns that are asked for and are there; a table that
 * is not there has no rows.
 *
 * The agent may be writing to it, and SQLite leaves files beside what it opens. So a copy is read, of the
 * database and the changes that are not in it yet, in a private directory that is gone afterwards. Node
 * has an SQLite of its own since 22.13 only; so one that is compiled to WebAssembly reads it everywhere.
 * @throws FileError: `ENOENT` where there is none; if it cannot be copied, or is not a database.
 */
export function readDatabase(
  path: string,
  tables: Readonly<Record<string, readonly string[]>>,
): Promise<DatabaseTables> {
  return withCopy(path, (database) => readTables(database, tables));
}

/** Reads a database, with the columns of all its tables by name. */
export function inspectDatabase(
  path: string,
  tables: Readonly<Record<string, readonly string[]>>,
): Promise<{
  readonly tables: DatabaseTables;
  readonly schema: ReadonlyMap<string, readonly string[]>;
}> {
  return withCopy(path, (database) => ({
    tables: readTables(database, tables),
    schema: readSchema(database),
  }));
}

async function withCopy<T>(path: string, use: (database: Database) => T): Promise<T> {
  requireFit(path);
  if (typeof WebAssembly === 'undefined') {
    const message = 'cannot be read as a database: this Node runs without WebAssembly';
    throw new FileError(path, 'ENOTSUP', message);
  }
  const { default: sqlite } = await import('node-sqlite3-wasm');
  const directory = await makeCopyDirectory(path);
  try {
    const copy = join(directory, 'copy.sqlite');
    copyDatabase(path, copy);
    const database = new sqlite.Database(copy, { fileMustExist: true });
    try {
      // No one else has the copy. Without this, SQLite would want memory that it shares with others.
      database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA trusted_schema = OFF');
      return use(database);
    } finally {
      database.close();
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'SQLite3Error') {
      throw toFileError(error, path, 'read');
    }
    const message = `cannot be read as a database: ${error.message}`;
    throw new FileError(path, 'EBADDB', message, { cause: error });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** @throws FileError about the database: that there is no room for a copy does not mean that it is missing. */
async function makeCopyDirectory(path: string): Promise<string> {
  const directory = await orFileError(makePrivateDirectory);
  if (!(directory instanceof FileError)) return directory;
  const message = `cannot be copied to be read: ${directory.path}: ${directory.message}`;
  throw new FileError(path, 'EBADDB', message, { cause: directory });
}

function requireFit(path: string): void {
  const stats = attemptSync(path, () => statSync(path), 'read');
  if (!stats.isFile()) throw new FileError(path, 'EINVAL', NO_FILE);
  if (stats.size <= MAX_BYTES) return;
  throw new FileError(path, 'EFBIG', 'cannot read: is too large to be copied (more than 1 GiB)');
}

/** Copies both files as they are at one moment. @throws FileError where they never stand still. */
function copyDatabase(linked: string, copy: string): void {
  // SQLite keeps the other file beside the database itself, wherever a link to that is.
  const path = getRealPath(linked);
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const before = getStamps(path);
    // The SQLite in WebAssembly would not undo the change, as that of the agent does.
    if (before[2] && isUnfinished(path + JOURNAL)) continue;
    // A file system that can share the bytes does: these may be gigabytes.
    copyFileSync(path, copy, constants.COPYFILE_FICLONE);
    rmSync(copy + WAL, { force: true });
    if (before[1]) copyFileSync(path + WAL, copy + WAL, constants.COPYFILE_FICLONE);
    const after = getStamps(path);
    if (before.every((stamp, at) => isSame(stamp, after[at]))) return;
  }
  throw new FileError(path, 'EBUSY', 'cannot read: a change to it is not finished');
}

function getStamps(path: string): readonly (FileStamp | undefined)[] {
  return [path, path + WAL, path + JOURNAL].map((name) => {
    const stats = statSync(name, { bigint: true, throwIfNoEntry: false });
    if (!stats) requireNoDeadLink(name);
    else if (!stats.isFile()) throw new FileError(name, 'EINVAL', NO_FILE);
    return stats && toStamp(stats);
  });
}

/** Returns whether a journal is in use: SQLite leaves one that is empty, or begins with a zero, after a change. */
function isUnfinished(journal: string): boolean {
  const start = Buffer.alloc(1);
  try {
    const { fd } = openForReading(journal);
    releaseAfterSync(
      () => readSync(fd, start, 0, 1, 0),
      () => closeSync(fd),
    );
  } catch (error) {
    const problem = toFileError(error, journal, 'read');
    if (!isMissing(problem)) throw problem;
  }
  return start[0] !== 0;
}

function isSame(a: FileStamp | undefined, b: FileStamp | undefined): boolean {
  return a === undefined || b === undefined ? a === b : isSameState(a, b);
}

function readTables(
  database: Database,
  tables: Readonly<Record<string, readonly string[]>>,
): DatabaseTables {
  const read = Object.entries(tables).map(([table, columns]) => {
    // A view of this name could be any program.
    const isTable = database.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?", [
      table,
    ]);
    const there = new Set(
      database.all('SELECT name FROM pragma_table_info(?)', [table]).map(({ name }) => name),
    );
    const found = columns.filter((column) => there.has(column));
    if (!isTable || found.length === 0) return [table, undefined] as const;
    const rows = database.all(`SELECT ${found.map(quote).join(', ')} FROM ${quote(table)}`);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- values that SQLite has
    return [table, rows as readonly Row[]] as const;
  });
  return new Map(read.flatMap(([table, rows]) => (rows ? [[table, rows]] : [])));
}

/** Tables of SQLite itself do not count. */
function readSchema(database: Database): ReadonlyMap<string, readonly string[]> {
  const tables = database.all("SELECT name FROM sqlite_schema WHERE type = 'table'");
  const names = tables.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  const own = names.filter((name) => !name.startsWith('sqlite_'));
  return new Map(
    own.map((table) => {
      const columns = database.all('SELECT name FROM pragma_table_info(?)', [table]);
      return [table, columns.flatMap(({ name }) => (typeof name === 'string' ? [name] : []))];
    }),
  );
}
