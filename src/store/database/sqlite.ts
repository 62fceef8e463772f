import { FileError, UsageError } from '../../errors.ts';

/** The part of `node:sqlite` that is used. */
export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

export interface Statement {
  all(...values: readonly unknown[]): readonly unknown[];
  run(...values: readonly unknown[]): { readonly changes: number | bigint };
  setReadBigInts(enabled: boolean): void;
}

export type OpenDatabase = (path: string) => Connection;

interface NodeSqlite {
  readonly DatabaseSync: new (path: string) => Connection;
}

/**
 * Opens a database of an agent for writing: only with the SQLite that Node has itself, which takes the locks that
 * the agent takes, and keeps its log.
 * @throws FileError where this Node has none.
 */
export function openSqlite(path: string): Connection {
  const sqlite = loadQuietly();
  if (!sqlite) throw withoutSqlite(path);
  return new sqlite.DatabaseSync(path);
}

/** The error for a database, or the directory of some, that this Node cannot write to. */
export function withoutSqlite(path: string): FileError {
  return new FileError(path, 'ENOSQLITE', CANNOT_WRITE);
}

/** @throws UsageError where this Node cannot write to databases of agents: call this before anything is changed. */
export function requireSqlite(): void {
  if (!hasSqlite()) throw new UsageError(`${CANNOT_WRITE}; nothing was changed`);
}

/** Returns whether this Node can write to databases of agents. */
export function hasSqlite(): boolean {
  return loadQuietly() !== undefined;
}

const NODE = `Node ${process.versions.node}`;
const REMEDY = 'use Node 22.13 or newer, or the commands of the agent';
const CANNOT_WRITE = `${NODE} cannot write to the databases of the agent, which may have rows of its sessions; ${REMEDY}`;
/** The reason to keep a session that has rows there. */
export const UNWRITABLE = `it may have rows in databases that ${NODE} cannot write to`;

/** Loads the module without the warning that it is new: users of a program cannot heed it. */
function loadQuietly(): NodeSqlite | undefined {
  const warn = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Node 20, whose types these are, has none
    return process.getBuiltinModule('node:sqlite') as NodeSqlite | undefined;
  } finally {
    process.emitWarning = warn;
  }
}
