import type { AgentWorld } from './surroundings/world.ts';
import type { Header } from '../model/entry.ts';
import type { JsonObject } from '../jsonl/edit/json.ts';
import type { LineTransform } from '../jsonl/write/line-transform.ts';
import type { LineVisitor } from '../jsonl/read/line-splitter.ts';
import type { Framing, LineFold, ReadPayload } from './fold.ts';
import type { Piece } from '../jsonl/write/compose-file.ts';
import type { Session } from '../model/session.ts';
import type { LookedAt } from './rule.ts';
import type { PathMove } from '../model/paths.ts';

/** The facts that decide whether a session is migrated. */
export interface MigrationFacts {
  readonly framing: Framing;
  /** The version that the header states. */
  readonly version: number;
  readonly header: Header | undefined;
  /** False when something that parses stands before it. */
  readonly startsWithHeader: boolean;
  /** Entries that are older than the header says; counted only under a header that is current. */
  readonly oldEntries: OldEntries;
  /** The working directory that a person gives to sessions that do not say theirs. */
  readonly assumedCwd?: string | undefined;
}

export interface OldEntries {
  readonly withoutId: number;
  readonly withOldRole: number;
}

export const NO_OLD_ENTRIES: OldEntries = { withoutId: 0, withOldRole: 0 };

export interface MigrationPlan {
  readonly action: 'migrate' | 'unchanged' | 'skip' | 'fail';
  /** Reasons for people: each a few words. */
  readonly reasons: readonly string[];
}

/** Something in a line that could not be carried over, or that the agent stumbles over. */
export interface LineProblem {
  /** 1-based, in the file before. */
  readonly line: number;
  /** Stable, for programs. */
  readonly code: string;
  readonly message: string;
}

/** Values for the header that replace its own. */
export interface HeaderChanges {
  readonly cwd?: string | undefined;
  readonly parentSession?: string | undefined;
}

export interface MigratorOptions {
  readonly framing: Framing;
  readonly changes: HeaderChanges;
  /** Ids that the entries of the file have. */
  readonly takenIds: Iterable<string>;
  /** The time of lines of an array before the first that has one, in milliseconds. */
  readonly startTime: number;
  /** False: only the changes of the header, whatever the version. */
  readonly upgrades: boolean;
  /** The header that the opening has. */
  readonly header?: Header | undefined;
  readonly assumedCwd?: string | undefined;
}

/** Brings the lines of one file to the current version; to be handed every line in file order. */
export interface Migrator {
  readonly transform: LineTransform;
  /** The problems found so far. */
  readonly problems: readonly LineProblem[];
  /** Latest activity so far, in milliseconds; 0 when there is none. */
  readonly lastActivity: number;
}

/** Looks through a file whose header is current for entries that are not. */
export interface OldEntryFinder {
  readonly visit: LineVisitor;
  readonly found: OldEntries;
  readonly takenIds: ReadonlySet<string>;
}

/** Looks through an array for the first time that a line has. */
export interface StartFinder {
  readonly visit: LineVisitor;
  /** Milliseconds; NaN where none has been found. */
  readonly time: number;
}

/** The capability to upgrade old versions. */
export interface MigrationDialect {
  /** The version that older files are brought to; the current one unless given. */
  readonly toVersion?: number;
  isHeader(value: JsonObject): boolean;
  plan(facts: MigrationFacts): MigrationPlan;
  /** Absent where the header is always right. */
  createFinder?(): OldEntryFinder;
  createStartFinder?(): StartFinder;
  createMigrator(options: MigratorOptions): Migrator;
  /** The name of the directory that holds the sessions of a project, where each has one. */
  readonly toProjectDirectoryName?: (cwd: string) => string;
  /** Finds how the store of a session names these directories, if its own one is named after `cwd`. */
  readonly findNaming?: (path: string, cwd: string) => (cwd: string) => string;
}

/** Rows that name where a session works, and rows that count the bytes of its file. */
export interface RowChanges {
  readonly table: string;
  readonly column: string;
  readonly ids: readonly string[];
  /** The agent makes these again. */
  readonly stale: { readonly databases: readonly string[]; readonly ids: readonly string[] };
}

/** A file of an agent that names projects. */
export interface ProjectList {
  readonly path: string;
  /** Its name in messages. */
  readonly name: string;
}

/** The capability to move sessions with their project, for agents that name the directory in many lines. */
export interface RelocationDialect {
  /** The folders of a project beside its sessions: they move with the last session. */
  readonly projectFolders?: readonly string[];
  /** The name of the directory that holds the sessions of a project, where each has one. */
  readonly toProjectDirectoryName?: (cwd: string) => string;
  /** Lists the files that may name the project of the session at a path, and are not changed. */
  listProjectLists?(path: string, world: Pick<AgentWorld, 'home'>): readonly ProjectList[];
  /** Returns the reason why the file must not be changed; undefined if its lines may change. */
  findObstacle?(session: Session, files: LookedAt): Promise<string | undefined>;
  /** Lists the rows that change in the agent's databases when the file at a path does. */
  listRowChanges?(path: string): RowChanges;
  /** `moves`: of the project, and of what belongs to the session. The first that fits counts. */
  createMigrator(moves: readonly PathMove[]): Migrator;
}

/** The identity of a new session, before it has a path. */
export interface NewIdentity {
  readonly id: string;
  /** The time at which it began, ISO 8601. */
  readonly timestamp: string;
  readonly cwd: string;
}

/** A session that has been read, on its way to another agent. */
export interface Converted {
  readonly session: Session;
  readonly id: string;
  readonly timestamp: string;
  /** A directory that it speaks of, for one whose own is not known. */
  readonly cwdHint: string | undefined;
  /** The reason why it cannot be converted. */
  readonly refusal: string | undefined;
  /** The parts that are lost or altered, in line order. */
  readonly problems: readonly LineProblem[];
  readonly messageCount: number;
  /** The new file: lines of the source, changed, and new ones. */
  toPieces(identity: NewIdentity): readonly Piece[];
}

/** Makes sessions of another agent from an agent's own: from its lines, read once, or from an index. */
export type ConversionDialect =
  | { createConverter(): LineFold<Converted> }
  | {
      /** Converts a session, of several files too; `name`: as it is listed. */
      convert(session: Session, readPayload: ReadPayload, name: string | null): Promise<Converted>;
    };
