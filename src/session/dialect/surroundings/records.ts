import type { JsonObject } from '../../jsonl/edit/json.ts';
import type { Variables } from './world.ts';
import type { SessionSummary } from '../../model/summary.ts';

/** A row of a table of an agent's database: its values by column, of those that are there. */
export type Row = Readonly<Record<string, string | number | bigint | Uint8Array | null>>;

/** The rows of tables, by their name; a table that was not found is not in here. */
export type DatabaseTables = ReadonlyMap<string, readonly Row[]>;

/** A database that an agent keeps, as `<name>_<version>.sqlite`. */
export interface DatabaseKind {
  readonly name: string;
  /** Other versions are not read: the meaning of their columns is not known. */
  readonly version: number;
  /** The columns that are read, by table. */
  readonly tables: Readonly<Record<string, readonly string[]>>;
}

/** Reads databases in a directory: those that are there and can be read. */
export type ReadTables = (
  directory: string,
  databases: readonly DatabaseKind[],
) => Promise<DatabaseTables>;

/** The records of an agent that were found. */
export interface FoundRecords {
  /** The tables of all databases that could be read. */
  readonly tables: DatabaseTables;
  /** The objects in its notes. One that cannot be read keeps all sessions, as it may pin any. */
  readonly notes: readonly JsonObject[];
  /** Lines of each file that could be read, by its name. */
  readonly lines: ReadonlyMap<string, readonly JsonObject[]>;
  /** Lines of them that could not be read, as they stand there; empty for a whole file or database. */
  readonly unread: readonly string[];
}

/** Adds the facts in the records of its home to a summary. `own`: rows of the session that these do not have. */
export type CompleteByRecords = (summary: SessionSummary, own?: DatabaseTables) => SessionSummary;

/** A file of a program of the agent that holds one JSON object. */
export interface NoteFile {
  readonly name: string;
  /** The agent reads this one where the other is not there. */
  readonly backup: string;
}

/** The records of many sessions that an agent keeps in databases and files of its own. */
export interface SessionRecords {
  /** The directory that has the records of the session at a path; undefined where none can. */
  findHome(path: string): string | undefined;
  readonly databases: readonly DatabaseKind[];
  /** The directories that may have the databases of a home; absent: the home alone. */
  readonly listDirectories?: (
    home: string,
    files: {
      readonly readStart: (path: string) => Promise<string | undefined>;
      readonly env: Variables;
    },
  ) => Promise<readonly string[]>;
  /** Names of JSONL files. */
  readonly files: readonly string[];
  readonly notes: readonly NoteFile[];
  createCompleter(records: FoundRecords): CompleteByRecords;
}
