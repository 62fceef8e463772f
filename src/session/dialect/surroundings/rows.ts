import type { Variables } from './environment.ts';
import type { DatabaseKind, DatabaseTables } from './records.ts';

/** A value of a row; integers as such, whatever their size. */
export type Value = string | number | bigint | Uint8Array | null;

/** A whole row of a table, by column. */
export type WholeRow = ReadonlyMap<string, Value>;

/** Rows that sessions have in the databases of their agent, by database and by table. */
export type SessionRows = ReadonlyMap<string, ReadonlyMap<string, readonly WholeRow[]>>;

/** A table of an agent's database in which sessions have rows. */
export interface RowTable {
  /** The columns that releases are known to write: not all need be there. */
  readonly columns: readonly string[];
  /** Those that hold the id of a session: a row in which any of them does is a row of that session. */
  readonly keys: readonly string[];
  /** It is left out when rows are put back: the database makes it anew. */
  readonly isMade?: true;
  /**
   * Whether the agent goes on by itself because of a row: an archive may be somebody else's, so such rows
   * are not put back.
   */
  readonly acts?: (row: WholeRow) => boolean;
  /** A column that the database numbers by itself: rows that are put back get new numbers. */
  readonly number?: string;
  /** Columns that name a row of another table: they are empty where that row is gone. */
  readonly names?: Readonly<Record<string, { readonly table: string; readonly column: string }>>;
  /** The column with the absolute path of the session file. */
  readonly path?: string;
}

/** A database of an agent in which sessions have rows, `<name>_<version>.sqlite`. */
export interface RowDatabase {
  readonly name: string;
  /** Nobody knows what another one needs: it is not written to. */
  readonly version: number;
  /** A row of a table may name one of a table before it. */
  readonly tables: Readonly<Record<string, RowTable>>;
  /** Tables without rows of sessions. With any other table, the database is not written to. */
  readonly others: readonly string[];
}

/** What an agent has written down of a session that speaks against its removal. */
export interface Guard {
  /** Why it is kept unless the user wants such sessions removed, too. */
  readonly pin?: string | undefined;
  /** The ids of others that need it. */
  readonly neededBy: readonly string[];
}

/** What an agent keeps of its sessions in databases. */
export interface RowDialect {
  readonly databases: readonly RowDatabase[];
  /** The directory of the databases for the session file at a path; undefined where there is none. */
  findHome(path: string): string | undefined;
  /** The ids by which rows name the session of these files. */
  listIds(paths: readonly string[]): readonly string[];
  /** What is read to know which sessions must be kept; without the first database, nobody knows. */
  readonly guarding: readonly DatabaseKind[];
  /** The file of that directory in which the user may have the databases kept elsewhere. */
  readonly settings: string;
  /** Whether those settings do, or the environment. */
  isElsewhere(settings: string, env: Variables): boolean;
  /** What was written down of sessions, by their ids. */
  createGuards(tables: DatabaseTables): (id: string) => Guard;
}
