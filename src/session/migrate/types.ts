import type { SessionSummary } from '../model/summary.ts';
import { type ActionResult, toUnchanged } from '../model/action.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Agent } from '../model/agent.ts';
import type { FindUse } from '../model/in-use.ts';
import type { Session } from '../model/session.ts';
import type { HeaderChanges, LineProblem } from '../dialect/migration.ts';
import type { PathMove } from '../model/paths.ts';
import type { RunSources } from '../read/summaries/looked-at.ts';

/** A sidecar of a session that moves to another directory. */
export interface SidecarMove extends PathMove {
  readonly kind: 'directory' | 'file';
}

/** Looks at and writes what is around a session that moves. */
export interface Neighbourhood {
  /**
   * Finds the sidecars in the directory of a session, and where they go when it moves to another; or the reason
   * why they cannot. `findUse`: of sessions in its folder.
   * @throws FileError, `EEXIST`, if something is there already.
   */
  findSidecars(
    dialect: Dialect,
    session: Session,
    directory: string,
    findUse: FindUse,
  ): Promise<readonly SidecarMove[] | string>;
  /** Lists the files of sub-agents, which follow their session. */
  listSubagents(dialect: Dialect, path: string): Promise<readonly string[]>;
  /** Removes what killed runs have left in a directory beside the session that is written to. */
  cleanUp(directory: string): Promise<void>;
}

/** A session that goes somewhere else, or whose parent does. */
export interface Relocation {
  readonly changes: HeaderChanges;
  /** The move of its project; undefined if only its parent has moved. */
  readonly move: PathMove | undefined;
  /** The new path of the file; undefined if it is not moved. */
  readonly moveTo: string | undefined;
  /** The moves of the folders of sessions that are in its directory, or were. */
  readonly folders?: readonly PathMove[] | undefined;
  /** The path to which the session in whose folder it is has taken it; undefined if it is where it was found. */
  readonly at?: string | undefined;
  /** Whether a session that moves as well was there when all was planned: it may hold the same only until then. */
  readonly meetsLeaving?: boolean | undefined;
  readonly reasons: readonly string[];
  /** The reason why it cannot be done. */
  readonly obstacle: string | undefined;
}

export type Hold = <T>(agent: Agent, path: string, work: () => Promise<T>) => Promise<T>;

/** Does the work of moving a session, and changes its rows along with it. */
export type MoveRows = (
  agent: Agent,
  path: string,
  move: (directory: string) => string | undefined,
  work: () => Promise<MigrationResult>,
) => Promise<MigrationResult>;

export interface MigrateOptions {
  /** False: only find out what would be done. */
  readonly apply: boolean;
  readonly findUse: FindUse;
  readonly relocation?: (Relocation & { readonly around: Neighbourhood }) | undefined;
  /** The working directory of sessions that do not name theirs. */
  readonly assumedCwd?: string | undefined;
  /** Does work while no process of the agent can open the session. */
  readonly hold?: Hold | undefined;
  readonly moveRows?: MoveRows | undefined;
  /** Absent: nothing is read of databases, and what was found about files is not kept for the next session. */
  readonly sources?: RunSources | undefined;
  /** Write to this path, which must be free, and leave the source alone. */
  readonly out?: string | undefined;
  /** Keep the old file under its name with this behind it. */
  readonly backupSuffix?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The outcome for one session, or the outcome that applying would have. */
export interface MigrationResult extends ActionResult {
  readonly fromVersion: number | null;
  readonly toVersion: number | null;
  /** The path of the result, if not `path`. */
  readonly newPath: string | null;
  /** The path at which the old file is kept. */
  readonly backupPath: string | null;
  readonly problems: readonly LineProblem[];
}

/** Makes the result for a session that is as it was. */
export function toUnchangedResult(
  { path, size, formatVersion }: Pick<SessionSummary, 'path' | 'size' | 'formatVersion'>,
  { action, reasons }: Pick<MigrationResult, 'action' | 'reasons'>,
): MigrationResult {
  return {
    ...toUnchanged({ path, size }, action, reasons),
    fromVersion: formatVersion,
    toVersion: formatVersion,
    newPath: null,
    backupPath: null,
    problems: [],
  };
}
