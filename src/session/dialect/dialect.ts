import type { SummaryTurn, TurnContent } from '../model/text/conversation.ts';
import type { SentBlock, SentMessage } from '../model/text/sent-message.ts';
import type { CompactionDialect } from './compaction.ts';
import type { FlattenDialect, ForkDialect } from './forking.ts';
import type { Entry, ModelRef } from '../model/entry.ts';
import type { HistoryDialect } from './surroundings/history.ts';
import type { JsonObject } from '../jsonl/edit/json.ts';
import type { LeaseDialect, LivenessDialect } from './surroundings/liveness.ts';
import type { ReductionDialect } from './reduction.ts';
import type { SidecarDialect } from './surroundings/sidecars.ts';
import type {
  ConversionDialect,
  MigrationDialect,
  NewIdentity,
  RelocationDialect,
} from './migration.ts';
import type { SessionRecords } from './surroundings/records.ts';
import type { RowDialect } from './surroundings/rows.ts';
import type { PinDialect } from './surroundings/pins.ts';
import type { LookedAt, Rule } from './rule.ts';
import type { Agent } from '../model/agent.ts';
import type { Session } from '../model/session.ts';
import type { SessionSummary, Unread } from '../model/summary.ts';
import type { EntryUsage } from '../model/usage.ts';
import type { SessionNotes } from './surroundings/notes.ts';
import type { SpawnedDialect, SubagentDialect } from './surroundings/subagents.ts';
import type { AgentWorld, StoreWorld } from './surroundings/world.ts';
import type { Framing, IndexFold, LineFold, PlainFold, ReadPayload } from './fold.ts';
import type { FindingLevel } from './levels.ts';

/** A store that a project names in its settings. The project may be a stranger's. */
export interface ProjectStore {
  readonly path: string;
  /** The settings file that names it. */
  readonly settings: string;
}

/** The thinking level and the model that a path ends with. */
export interface ContextSettings {
  readonly thinkingLevel: string;
  readonly model: ModelRef | null;
}

/** The conversation as the model sees it, in the agent's own message shapes. */
export interface SessionContext extends ContextSettings {
  readonly messages: readonly JsonObject[];
}

/** An entry in a listing of the tree. */
export interface EntryDescription {
  /** Raw text of the session, shortened. */
  readonly preview: string;
  /**
   * The kind of entry for a user who looks for a place in the tree: `silent` is an answer without words,
   * `bookkeeping` a change of settings, and `never` is not part of the conversation.
   */
  readonly visibility: 'user' | 'tool' | 'other' | 'silent' | 'bookkeeping' | 'never';
}

/** The records that an agent keeps of its sessions, beside their files. */
export interface Surroundings {
  /** The JSON file that may say more of the session at `path`. */
  findFile(path: string): string;
  /**
   * Makes a function from what that file says: it finds the working directory of a session at a path, where
   * that is sure.
   */
  createCwdFinder(content: JsonObject): (path: string) => string | undefined;
  /**
   * The name that the agent gives to a working directory, and perhaps to others. The name of a directory below
   * begins with it.
   */
  readonly toName: (cwd: string) => string;
}

/** The capability to recognize the lines of the agent. */
export interface LineDialect {
  /** Returns whether an object could be a line of one of this agent's session files. */
  recognizes(value: JsonObject): boolean;
  /** Returns whether an object is a line of a type that releases of this agent are known to write. */
  isKnown(value: JsonObject): boolean;
  /** Returns whether an object is a line of something else that the agent keeps beside its sessions. */
  disowns?(value: JsonObject): boolean;
  /** An old release kept all lines of a session in one JSON array. */
  readonly inArrays?: true;
}

/** How the directories below one are named, where a store has one for the sessions of each project. */
export interface ProjectNaming {
  /** An absolute path. */
  readonly below: string;
  readonly toName: (cwd: string) => string;
}

/** The places in which the agent keeps its sessions. */
export interface PlaceDialect {
  /** The directories this agent uses by its user's settings, best first; they need not exist. */
  defaultStores(world: StoreWorld): Promise<readonly string[]>;
  /** The store that the project in the working directory has the agent use instead of its own. */
  findProjectStore?(world: StoreWorld): Promise<ProjectStore | undefined>;
  /**
   * Finds the path of a new session: below a directory that replaces the agent's own store, or where the
   * agent itself would put it. Absent if coppice makes no new sessions of the agent.
   */
  findNewPath?(
    identity: NewIdentity,
    store: string | undefined,
    world: StoreWorld,
  ): Promise<string>;
  /**
   * Lists the directories in which the relatives of a session at a path are, by how the agent lays out its
   * stores; none for a file that is elsewhere. Absent if the agent keeps all sessions in one directory.
   */
  listStores?(path: string): readonly string[];
  /** Lists how relatives of the agent name the directory of a project, if by where it is below another one. */
  listNamings?(world: AgentWorld): readonly ProjectNaming[];
  /** Present if a fork names the id of what it was made from, and not where that is. */
  readonly namesParentsById?: true;
  /**
   * Lists the files, by their names, that hold an older part of a session whose latest part is
   * among them.
   */
  listOlder?(paths: readonly string[]): readonly string[];
  /**
   * Present if a process of the agent makes the directory of its session when it starts, and no more when it
   * writes: without the directory, nothing that it has still to write is saved.
   */
  readonly needsDirectory?: true | undefined;
  /** Returns whether the agent leaves empty files behind at paths like this one. */
  leavesEmpty?(path: string): boolean;
  readonly notes?: SessionNotes;
  /** The facts that this agent has of its sessions, and others lack. */
  readonly ownFacts?: readonly OwnFact[];
  readonly subagents?: SubagentDialect;
  readonly spawned?: SpawnedDialect;
  /** Absent where a session file says all. */
  readonly surroundings?: Surroundings;
  /** Absent where the agent keeps no records of its sessions beside them. */
  readonly records?: SessionRecords;
}

/**
 * A fact about sessions of some agents: when they may be deleted, how they were started, whether they are archived,
 * the version of their format.
 */
export type OwnFact = 'expires' | 'source' | 'archived' | 'formatVersion';

/** The capability to read bytes as a session: in one pass, and no more than needed. */
export interface ReadingDialect {
  indexSession(framing: Framing): IndexFold;
  summarize(framing: Framing, options: SummaryOptions): LineFold<SummaryFacts>;
  /** Summarizes in less time and memory, if nothing in a file is unusual. */
  summarizePlain?(options: SummaryOptions): PlainFold<SummaryFacts>;
  /** Undefined for a file that has none. */
  getSessionId(session: Session): string | undefined;
}

/** The capability to compute the messages that the model would be sent. */
export interface ContextDialect {
  /** The entries of a path that the model would see. */
  select(path: readonly Entry[]): readonly Entry[];
  /** Builds the messages that the model is sent when the agent continues at the end of a path, root first. */
  build(path: readonly Entry[], readPayload: ReadPayload): Promise<SessionContext>;
  /** Converts its messages to those that the model is sent, in the shape that every agent's have. */
  toSent(messages: SessionContext['messages']): readonly SentMessage[];
  /**
   * Returns whether the agent itself puts a block in the place of one that is missing. Absent if it does not
   * do so.
   */
  isStopgap?(block: SentBlock): boolean;
  /**
   * Present where lines name the entry at which the agent continues, and not the end of the file alone. A line
   * that could not be read may be outdated then, so that its repair must take nothing from what is sent.
   */
  readonly namesLeaf?: true;
  /** A summary as the model is sent it. Absent if that is its text alone. */
  wrapSummary?(kind: SummaryTurn['kind'], text: string): string;
  getSettings(path: readonly Entry[]): ContextSettings;
  /** The last context edit of each target, by the target's id. Absent if the agent has none. */
  findEdits?(path: readonly Entry[]): ReadonlyMap<string, Entry>;
}

/** How much of a session is shown to a person, or goes into a data set. */
export interface ShowOptions {
  /** Shows what compactions stand for, too. */
  readonly fullHistory: boolean;
  /** Shows all branches, each entry at its place in the tree. */
  readonly allBranches: boolean;
  /** Shows the text that the agent itself sends to the model, and what only a provider can read. */
  readonly harness: boolean;
  /** Shows the calls that the model made and their results, and not the client's notes of what came of them. */
  readonly forModels: boolean;
}

/** The capability to describe one entry, for people and for totals. */
export interface EntryDialect {
  /**
   * Returns its turns in order, with the context edit that is about it; nothing when that takes it out.
   * `role`: of its message, if the index has another than the line. `entry`: its place in the index, for what its line does not say.
   * `shows`: what is shown of the session, if it was selected for that.
   */
  toTurns(
    value: JsonObject,
    role?: string,
    edit?: JsonObject,
    entry?: Entry,
    shows?: ShowOptions,
  ): readonly TurnContent[];
  /**
   * Selects the entries of a path that show a person what happened, each thing once. Absent if each
   * thing has one line, and a person is shown what the model is sent.
   */
  selectShown?(path: readonly Entry[], options: ShowOptions): readonly Entry[];
  /** Present if each thought, text and call of an answer has a line of its own, and none names the answer. */
  readonly splitsAnswers?: true;
  /** Describes it for people. */
  describe(entry: JsonObject): EntryDescription;
  /** Returns its cost, if it has one. */
  getUsage(value: JsonObject): EntryUsage | undefined;
  /** Returns whether it holds the state of an extension or of files, and nothing that was said. */
  isSnapshot(entry: Entry): boolean;
}

/** The capability to write a path as a session of its own, in the current version of the format. */
export interface CopyDialect {
  /** The entries of the new file, each at its place there. */
  placePath(session: Session, path: readonly Entry[]): readonly Entry[];
  /** A line of any version as the current version has it, at the place that the index says. */
  toCurrentLine(bytes: Buffer, value: JsonObject, entry: Entry, session: Session): Buffer;
  /** Returns the header of the current version. Absent if sessions have none, or one that does not change. */
  toCurrentHeader?(bytes: Buffer, value: JsonObject, session: Session): Buffer;
}

/** The capability to find the file that a session continues, and to read the two as one. */
export interface BaseDialect {
  /** The directories where it may be, the likeliest first; each with all that is below. */
  listPlaces(path: string): readonly string[];
  /** The directory around all files of the session in a file: files of one name in two of these are two. */
  findPlace(path: string): string;
  /** The id that a file of this name has; undefined for any other file. */
  readonly toFileId: (name: string) => string | undefined;
  /** The id that a file with this first line continues from; undefined if it continues from none. */
  findBase(first: JsonObject): string | undefined;
  /** A session with what it continues from: entries of the other file name that file. */
  join(base: Session, session: Session): Session;
}

/** The capability to rewrite session files, with the files that must keep their bytes for others. */
export interface RepairDialect {
  /** Returns the reason why a file must not be changed, and what to do; undefined if its lines may change. */
  findObstacle(session: Session, files: LookedAt): Promise<string | undefined>;
}

/** The capability to read compressed session files, `x.jsonl.zst`. */
export interface PackingDialect {
  /** Returns the reason why the agent would not find the compressed file; undefined if it would. */
  findObstacle(path: string): string | undefined;
}

/**
 * All that differs between agents; the only place that knows one agent from another. The first
 * groups are what every agent has. The others are absent where the agent, or coppice for it, cannot
 * do the thing: commands then skip its sessions and give the reason.
 */
export interface Dialect {
  readonly agent: Agent;
  /** The newest version that is written; files of a newer one are reported and never changed. */
  readonly currentVersion: number;
  readonly lines: LineDialect;
  readonly places: PlaceDialect;
  readonly reading: ReadingDialect;
  readonly context: ContextDialect;
  readonly entries: EntryDialect;
  readonly copying: CopyDialect;
  readonly rules: readonly Rule[];
  /** The levels of shared rules that differ for this agent. */
  readonly levels?: ReadonlyMap<string, FindingLevel>;
  /** Present if the sidecars of a session are known: other sessions are neither removed nor restored. */
  readonly sidecars?: SidecarDialect;
  /** Present if the agent keeps the prompts of all sessions in one list, from which they may be removed. */
  readonly history?: HistoryDialect;
  /** Present if a file may continue another one. */
  readonly bases?: BaseDialect;
  /** Present if a file that continues others can hold all of its path itself. */
  readonly flattening?: FlattenDialect;
  /** Present if sessions have rows in databases of the agent, which are removed and restored with them. */
  readonly rows?: RowDialect;
  /** Present if the agent notes beside its store which sessions are pinned, or at work without a user. */
  readonly pins?: PinDialect;
  /** Present if a repair of lines can do harm to other files. */
  readonly repairing?: RepairDialect;
  /** Present if the agent reads session files that are compressed with zstd, `x.jsonl.zst`. */
  readonly packing?: PackingDialect;
  /** Present if processes of the agent note which sessions they have open. */
  readonly liveness?: LivenessDialect;
  /** Present if a process of the agent locks each session that it has written to, without a home around it. */
  readonly leases?: LeaseDialect;
  /** Present if sessions can hold compactions. */
  readonly compaction?: CompactionDialect;
  /** Present if files can be made smaller. */
  readonly reduction?: ReductionDialect;
  /** Present if sessions can be forked. */
  readonly forking?: ForkDialect;
  /** Present if the agent has old versions of its format. */
  readonly migration?: MigrationDialect;
  /** Present if sessions without a header can follow a project that has moved. */
  readonly relocation?: RelocationDialect;
  /** The other agents to which its sessions can be brought. */
  readonly conversions?: Readonly<Partial<Record<Agent, ConversionDialect>>>;
}

export interface SummaryOptions {
  /** Collects the usage of every entry that has one, too. */
  readonly usage: boolean;
  /**
   * Allows sums by model and quarter of an hour instead, for a session of which no entry can be in another one.
   */
  readonly sumsUsage?: boolean;
  /** Checks every line completely, also where a look at its ends would do for a listing. */
  readonly whole?: boolean;
}

/** A summary as a dialect makes it; `read/summaries/unread.ts` adds what was not understood. */
export interface SummaryFacts extends Omit<SessionSummary, 'unread' | 'lastWritten'> {
  /** The messages of users and assistants of which no time can be read, and whether there is a name that is not shown. */
  readonly unread: Pick<Unread, 'times' | 'otherName'>;
}
