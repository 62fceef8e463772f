import type { Variables } from './world.ts';
import type { DatabaseKind, DatabaseTables, NoteFile } from './records.ts';

/** A value of a row; integers as such, whatever their size. */
export type Value = string | number | bigint | Uint8Array | null;

/** A whole row of a table, by column. */
export type WholeRow = ReadonlyMap<string, Value>;

/** Rows that sessions have in the databases of their agent, by database and by table. */
export type SessionRows = ReadonlyMap<string, ReadonlyMap<string, readonly WholeRow[]>>;

/**
 * Rows of a table that are not restored, since what they belong to is not in the databases of the agent, or the agent
 * would continue by itself because of them.
 */
export interface OmittedRows {
  readonly database: string;
  readonly table: string;
  readonly rows: number;
}

/** A table of an agent's database in which sessions have rows. */
export interface RowTable {
  /** The columns that releases are known to write: not all need be there. */
  readonly columns: readonly string[];
  /** The columns that hold the id of a session: a row belongs to a session that any of them names. */
  readonly keys: readonly string[];
  /** The key of the session that a row is about, if it names others too: a row about another is not restored. */
  readonly about?: string;
  /** It is left out when rows are restored: the database or the agent makes it again. */
  readonly isMade?: true;
  /**
   * Returns whether the agent continues by itself because of a row: an archive may be somebody else's, so such
   * rows are not restored.
   */
  readonly acts?: (row: WholeRow) => boolean;
  /**
   * Columns that a row lacks which the agent has made again from the file: what people gave the session, and what a
   * fork has of its parent.
   */
  readonly given?: readonly string[];
  /** Columns that distinguish the rows of a session where people gave it each row. */
  readonly givenBy?: readonly string[];
  /** Columns of `given` that the agent fills with another one, by its name, where a person gave nothing. */
  readonly copied?: Readonly<Record<string, string>>;
  /** A column that the database numbers by itself: rows that are restored get new numbers. */
  readonly number?: string;
  /** The column that names another session which the one of the row needs: that one is kept. */
  readonly needs?: string;
  /** Columns that name a row of another table: they are empty where that row is gone. */
  readonly names?: Readonly<Record<string, { readonly table: string; readonly column: string }>>;
  /** The column with the absolute path of the session file. */
  readonly path?: string;
}

/** A database of an agent in which sessions have rows, `<name>_<version>.sqlite`. */
export interface RowDatabase {
  readonly name: string;
  /** No one knows what another one needs: it is not written to. */
  readonly version: number;
  /** A row of a table may name one of a table before it. */
  readonly tables: Readonly<Record<string, RowTable>>;
  /** Tables without rows of sessions. With any other table, the database is not written to. */
  readonly others: readonly string[];
}

/** The reasons against removing a session that the agent has recorded. */
export interface Guard {
  /** The reason why it is kept unless the user includes such sessions. */
  readonly pin?: string | undefined;
  /** The path at which the agent has it, in its own words. */
  readonly path?: string | undefined;
  /** The ids of others that need it. */
  readonly neededBy: readonly string[];
}

/** Files of a home, beside its databases, in which programs of the agent note sessions that must be kept. */
export interface GuardNotes {
  readonly files: readonly NoteFile[];
  /** A file of this name may be in each directory of that one. */
  readonly inEach: { readonly directory: string; readonly name: string };
  /** Returns the reasons by the ids of sessions; undefined where the text is not understood. */
  read(name: string, text: string): ReadonlyMap<string, string> | undefined;
}

/** The capability to handle the rows that an agent keeps of its sessions in databases. */
export interface RowDialect {
  readonly databases: readonly RowDatabase[];
  /** The directory of the databases for the session file at a path; undefined where there is none. */
  findHome(path: string): string | undefined;
  /** The ids by which rows name the session of these files. */
  listIds(paths: readonly string[]): readonly string[];
  /** The databases that name the sessions that must be kept; without the first one, that is not known. */
  readonly guarding: readonly DatabaseKind[];
  readonly notes: GuardNotes;
  /** The file of that directory in which the user may have the databases kept elsewhere. */
  readonly settings: string;
  /**
   * Lists other files that may say so. `names`: what is in that directory; `text`: the settings there.
   */
  listOtherSettings(home: string, names: readonly string[], text: string): readonly string[];
  /** The file in a directory of a project that may say so for sessions there, and below it. */
  readonly projectSettings: string;
  /** Returns whether those settings do, or the environment. */
  isElsewhere(settings: string, env: Variables): boolean;
  /** The directories below that one in which other programs of the agent keep databases of their own. */
  readonly alsoIn: readonly string[];
  /** Makes a function that returns the records of a session by its id. */
  createGuards(tables: DatabaseTables): (id: string) => Guard;
}
