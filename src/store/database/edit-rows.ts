import { createKeyedQueue } from '../../session/jsonl/files/keyed-queue.ts';
import { FileError } from '../../errors.ts';
import type {
  OmittedRows,
  RowDatabase,
  RowTable,
  SessionRows,
  Value,
  WholeRow,
} from '../../session/dialect/surroundings/rows.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { releaseAfter } from '../../session/jsonl/files/release-after.ts';
import { findDatabases, findStrangeness, toStrange } from './database-files.ts';
import { addRow, findLast, quote } from './insert-row.ts';
import { type Connection, type OpenDatabase, openSqlite } from './sqlite.ts';
import { selectBytes, withTexts } from './whole-texts.ts';

/** How long to wait for a client that is writing. */
const BUSY_MS = 5000;

export interface AddedRows {
  /** How many rows there are more, or have more in them. */
  readonly added: number;
  readonly omitted: readonly OmittedRows[];
}

/** The rows of sessions in the databases of one directory, while no one else can write to those. */
export interface RowEditor {
  /** All rows of the sessions with these ids. */
  read(ids: readonly string[]): SessionRows;
  /** The rows of sessions that need any of these. */
  readNeeding(ids: readonly string[]): SessionRows;
  /** Removes them; with `databases`, only in those of these names. */
  remove(ids: readonly string[], databases?: readonly string[]): void;
  /**
   * Adds rows that are not there: one whose key is there is as it was. What they name in other tables, and
   * is gone, is left empty; a row that cannot be without it, or whose table is not there, is omitted. `fills`: a row
   * that the agent has made again gets what people gave the other one.
   */
  add(rows: SessionRows, fills?: boolean): AddedRows;
  /** Writes values into each row of sessions in a database for which `change` gives some. */
  change(
    database: string,
    ids: readonly string[],
    change: (table: string, row: WholeRow) => Readonly<Record<string, Value>> | undefined,
  ): void;
  /** Writes values into all rows of sessions in a table. */
  set(table: string, ids: readonly string[], values: Readonly<Record<string, Value>>): void;
}

/** One at a time in this process: a second one would wait for the first, which could not continue. */
const enqueue = createKeyedQueue();

/**
 * Lets `act` change rows in the databases of a directory; those that are not there have no rows. Each
 * database is changed in one transaction: all of them after `act` has succeeded, and none where it fails.
 * @throws FileError, before `act` is called, for a database that this Node cannot write to, of another version, or
 * that others continue using; whatever `act` throws.
 */
export async function editRows<T>(
  directory: string,
  databases: readonly RowDatabase[],
  act: (editor: RowEditor) => Promise<T>,
  open: OpenDatabase = openSqlite,
): Promise<T> {
  return enqueue(directory, () => runTurn(directory, databases, act, open));
}

async function runTurn<T>(
  directory: string,
  databases: readonly RowDatabase[],
  act: (editor: RowEditor) => Promise<T>,
  open: OpenDatabase,
): Promise<T> {
  const opened: OpenedDatabase[] = [];
  const work = async (): Promise<T> => {
    for (const { path, kind } of await findDatabases(directory, databases)) {
      opened.push(OpenedDatabase.open(path, kind, open));
    }
    const result = await act(new Editor(opened));
    for (const one of opened) one.commit();
    return result;
  };
  return releaseAfter(work, () => {
    for (const one of opened) one.close();
  });
}

/** A database in a transaction. */
class OpenedDatabase {
  readonly kind: RowDatabase;
  readonly path: string;
  readonly #connection: Connection;
  /** The columns that are there, by table. */
  readonly #columns = new Map<string, readonly string[]>();
  #isClosed = false;

  private constructor(path: string, kind: RowDatabase, connection: Connection) {
    this.path = path;
    this.kind = kind;
    this.#connection = connection;
  }

  static open(path: string, kind: RowDatabase, open: OpenDatabase): OpenedDatabase {
    const connection = attempt(path, 'open', () => open(path));
    const opened = new OpenedDatabase(path, kind, connection);
    try {
      opened.#begin();
      return opened;
    } catch (error) {
      opened.close();
      throw error;
    }
  }

  /** @throws FileError where it is of a schema that is not known in whole. */
  #begin(): void {
    this.run(
      `PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; ` +
        'PRAGMA secure_delete = ON; BEGIN IMMEDIATE',
    );
    const [letter] = this.all("SELECT length(CAST('a' AS BLOB)) AS bytes");
    if (letter?.get('bytes') !== 1n) throw toStrange(this.path, 'is in UTF-16');
    const tables = this.all("SELECT name FROM sqlite_schema WHERE type = 'table'");
    for (const row of tables) {
      const name = String(row.get('name'));
      if (name.startsWith('sqlite_')) continue;
      const columns = this.all('SELECT name FROM pragma_table_info(?)', [name]);
      this.#columns.set(
        name,
        columns.map((one) => String(one.get('name'))),
      );
    }
    const strange = findStrangeness(this.kind, this.#columns);
    if (strange !== undefined) throw toStrange(this.path, strange);
  }

  run(sql: string): void {
    attempt(this.path, 'write', () => this.#connection.exec(sql));
  }

  all(sql: string, values: readonly Value[] = []): readonly WholeRow[] {
    return attempt(this.path, 'read', () => {
      const statement = this.#connection.prepare(sql);
      statement.setReadBigInts(true);
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- values that SQLite has
      const rows = statement.all(...values) as readonly Record<string, Value>[];
      return rows.map((row) => new Map(Object.entries(row)));
    });
  }

  /** Whole rows of a table. */
  readRows(table: string, where: string, values: readonly Value[]): readonly WholeRow[] {
    const columns = selectBytes(this.listColumns(table));
    const sql = `SELECT ${columns} FROM ${quote(table)} WHERE ${where}`;
    return this.all(sql, values).map((row) => {
      const whole = withTexts(row);
      if (whole) return whole;
      const message = `cannot read the database: a text in ${table} is not UTF-8`;
      throw new FileError(this.path, 'EBADDB', message);
    });
  }

  change(sql: string, values: readonly Value[]): number {
    return attempt(this.path, 'write', () => {
      return Number(this.#connection.prepare(sql).run(...values).changes);
    });
  }

  /** Writes values into rows of a table, but for columns that are not there. Returns how many rows it has found. */
  update(
    table: string,
    values: Readonly<Record<string, Value>>,
    where: string,
    wanted: readonly Value[],
  ): number {
    const known = new Set(this.listColumns(table));
    const set = Object.entries(values).filter(([column]) => known.has(column));
    if (set.length === 0) return 0;
    const assignments = set.map(([column]) => `${quote(column)} = ?`).join(', ');
    const sql = `UPDATE ${quote(table)} SET ${assignments} WHERE ${where}`;
    return this.change(sql, [...set.map(([, value]) => value), ...wanted]);
  }

  /** Adds a row. Returns how many there are more; undefined where it belongs to one that is gone. */
  insert(sql: string, values: readonly Value[]): number | undefined {
    try {
      return this.change(sql, values);
    } catch (error) {
      if (error instanceof FileError && error.message.includes(NO_PARENT)) return undefined;
      throw error;
    }
  }

  /** The tables that are there, each after those that its rows name. */
  listTables(): readonly (readonly [string, RowTable])[] {
    return Object.entries(this.kind.tables).filter(([name]) => this.#columns.has(name));
  }

  listColumns(table: string): readonly string[] {
    return this.#columns.get(table) ?? [];
  }

  commit(): void {
    this.run('COMMIT');
  }

  /** Rolls back what is not committed. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    attempt(this.path, 'close', () => this.#connection.close());
  }
}

/** The message of SQLite for a row that belongs to another one, which is not there. */
const NO_PARENT = 'FOREIGN KEY constraint failed';

/** The number of ids in one query. */
const MAX_IDS = 500;

class Editor implements RowEditor {
  readonly #databases: readonly OpenedDatabase[];

  constructor(databases: readonly OpenedDatabase[]) {
    this.#databases = databases;
  }

  read(ids: readonly string[]): SessionRows {
    return this.#readBy(ids, (_, { keys }) => keys);
  }

  readNeeding(ids: readonly string[]): SessionRows {
    return this.#readBy(ids, (columns, { needs }) => {
      return needs !== undefined && columns.includes(needs) ? [needs] : [];
    });
  }

  /** The rows in which any of some columns has one of these ids. */
  #readBy(
    ids: readonly string[],
    choose: (columns: readonly string[], table: RowTable) => readonly string[],
  ): SessionRows {
    return new Map(
      this.#databases.map((database) => {
        const tables = database.listTables().map(([name, table]) => {
          const keys = choose(database.listColumns(name), table);
          const groups = keys.length === 0 ? [] : toGroups(ids);
          const rows = groups.flatMap((some) => {
            const { where, values } = toCondition(keys, some);
            return database.readRows(name, where, values);
          });
          return [name, keys.length > 1 ? withoutDoubles(rows) : rows] as const;
        });
        return [database.kind.name, new Map(tables)] as const;
      }),
    );
  }

  remove(ids: readonly string[], databases?: readonly string[]): void {
    for (const database of this.#databases) {
      if (databases && !databases.includes(database.kind.name)) continue;
      for (const [name, table] of database.listTables().toReversed()) {
        for (const some of toGroups(ids)) {
          const { where, values } = toCondition(table.keys, some);
          database.change(`DELETE FROM ${quote(name)} WHERE ${where}`, values);
        }
      }
    }
  }

  add(rows: SessionRows, fills = false): AddedRows {
    let added = 0;
    const left = new Map([...rows].map(([name, tables]) => [name, new Map(tables)]));
    for (const database of this.#databases) {
      const waiting = left.get(database.kind.name);
      for (const [name, table] of database.listTables()) {
        const given = waiting?.get(name) ?? [];
        const last = given.length === 0 ? undefined : findLast(database, name, table);
        const target = { name, table, fills, last };
        const counts = given.map((row) => [row, addRow(database, target, row)] as const);
        for (const [, count = 0] of counts) added += count;
        const stray = counts.filter(([, count]) => count === undefined);
        waiting?.set(
          name,
          stray.map(([row]) => row),
        );
      }
    }
    const omitted = [...left].flatMap(([database, tables]) => {
      const filled = [...tables].filter(([, some]) => some.length > 0);
      return filled.map(([table, some]) => ({ database, table, rows: some.length }));
    });
    return { added, omitted };
  }

  change(
    database: string,
    ids: readonly string[],
    change: (table: string, row: WholeRow) => Readonly<Record<string, Value>> | undefined,
  ): void {
    for (const one of this.#databases.filter(({ kind }) => kind.name === database)) {
      for (const [name, table] of one.listTables()) {
        for (const some of toGroups(ids)) {
          const { where, values } = toCondition(table.keys, some);
          const sql = `SELECT rowid AS ${quote(ROW)}, * FROM ${quote(name)} WHERE ${where}`;
          for (const row of one.all(sql, values)) {
            one.update(name, change(name, row) ?? {}, 'rowid = ?', [row.get(ROW) ?? null]);
          }
        }
      }
    }
  }

  set(table: string, ids: readonly string[], values: Readonly<Record<string, Value>>): void {
    for (const database of this.#databases) {
      const [, found] = database.listTables().find(([name]) => name === table) ?? [];
      if (!found) continue;
      for (const some of toGroups(ids)) {
        const { where, values: wanted } = toCondition(found.keys, some);
        database.update(table, values, where, wanted);
      }
    }
  }
}

/** No column of an agent is called that. */
const ROW = 'row of coppice';

function toGroups(ids: readonly string[]): readonly (readonly string[])[] {
  const groups = [];
  for (let at = 0; at < ids.length; at += MAX_IDS) groups.push(ids.slice(at, at + MAX_IDS));
  return groups;
}

function toCondition(keys: readonly string[], ids: readonly string[]) {
  const marks = ids.map(() => '?').join(', ');
  return {
    where: keys.map((key) => `${quote(key)} IN (${marks})`).join(' OR '),
    values: keys.flatMap(() => ids),
  };
}

/** A row that names two of many sessions may be found with each. */
function withoutDoubles(rows: readonly WholeRow[]): readonly WholeRow[] {
  return [...new Map(rows.map((row) => [[...row.values()].map(String).join('\0'), row])).values()];
}

function attempt<T>(path: string, what: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof FileError) throw error;
    const isSqlite = error instanceof Error && !('syscall' in error);
    if (!isSqlite) throw toFileError(error, path, what);
    const isBusy = /locked|busy/i.test(error.message);
    const reason = isBusy ? 'another program keeps using it' : error.message;
    const message = `cannot ${what} the database: ${reason}`;
    throw new FileError(path, isBusy ? 'EBUSY' : 'EBADDB', message, { cause: error });
  }
}
