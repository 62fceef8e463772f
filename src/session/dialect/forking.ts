import type { ReadPayload } from './fold.ts';
import type { LeftSummary } from './hooks/tree-hooks.ts';
import type { SessionRows } from './surroundings/rows.ts';
import type { JsonObject } from '../jsonl/edit/json.ts';
import type { Piece } from '../jsonl/write/compose-file.ts';
import type { NoteChange } from '../jsonl/write/change-note.ts';
import type { LineTransform } from '../jsonl/write/line-transform.ts';
import type { Entry, LineSpan } from '../model/entry.ts';
import type { Session } from '../model/session.ts';
import type { Summarizer } from '../model/text/summarizer.ts';
import type { LeftPath, Tree } from '../model/tree/tree.ts';

/** Makes a file that continues others one that holds all of its path itself. */
export interface FlattenDialect {
  /** Returns a header that names no other file; undefined where the line cannot be a header. */
  withoutBase(header: Buffer): Buffer | undefined;
  /** Selects those of the entries in other files, oldest first, that the file gets. */
  selectInherited(entries: readonly Entry[]): readonly Entry[];
}

/** The place at which a fork leaves its source. Entries go by id, label, or unique prefix of an id. */
export type ForkStart =
  /** The current leaf. */
  | { readonly kind: 'leaf' }
  | { readonly kind: 'at'; readonly entry: string }
  /** The entry before a user message, whose text goes back to the person. */
  | { readonly kind: 'before'; readonly entry: string }
  /** Every entry of every branch. */
  | { readonly kind: 'whole' }
  /** A session for each branch. */
  | { readonly kind: 'each-leaf' };

export interface ForkRequest {
  readonly start: ForkStart;
  /** Absolute; the source's own unless given, which keeps the fork beside its source. */
  readonly cwd?: string | undefined;
  /** The absolute directory for the file; unless given, the one that the agent would choose. */
  readonly directory?: string | undefined;
  /** The id of the new session; a new one unless given. */
  readonly id?: string | undefined;
  /** The name of the new session; the one on the path unless given. */
  readonly name?: string | undefined;
}

/** Facts that a new session needs and no file holds. */
export interface ForkWorld {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A new UUID of version 7. */
  readonly createId: () => string;
  /** The working directory of a source whose header names none. */
  readonly cwd: string;
}

/** The way to summarize the branch that a fork leaves. */
export interface SummarizeLeft {
  readonly summarizer: Summarizer;
  readonly instructions?: string | undefined;
}

/** One new session file, before it is written. */
export interface ForkPlan {
  readonly path: string;
  readonly id: string;
  /** The lines of the file, header first. */
  readonly pieces: readonly Piece[];
  /** The entries that a list counts in the new file: all lines but a header. */
  readonly entryCount: number;
  readonly leafId: string | null;
  /** The ids of its entries. */
  readonly ids: ReadonlySet<string>;
  /** The part of the source's current path that is not in it; undefined if it was not looked for. */
  readonly left: LeftPath<Entry> | undefined;
  /** The user message that the fork was made before. */
  readonly message?: Entry | undefined;
  /** The way to find a file with the same id, for agents that keep the id in no other way. */
  readonly sameId?: SameId | undefined;
  /** Lines that are appended to files that the agent keeps of many sessions, once the fork is there. */
  readonly notes?: readonly ForkNote[] | undefined;
  /** The rows for agents that keep names in a database only. */
  readonly rows?: ForkRows | undefined;
}

/** The rows about a fork to add to the databases of an agent, once its file exists. */
export interface ForkRows {
  /** The user message that the session is known by. */
  readonly prompt: Entry | undefined;
  /** Makes the rows from the header of the source, and the text of that message. */
  toRows(header: JsonObject, text: string): SessionRows;
}

/** A way to find a session of the same id. */
export interface SameId {
  /** Directories, each with all that is below. */
  readonly places: readonly string[];
  readonly isNamed: (name: string) => boolean;
}

/** A line without its LF, and the file that it is appended to. */
export interface ForkNote {
  readonly path: string;
  readonly line: string;
}

/** A label for an entry; empty text takes the label away. */
export interface LabelChange {
  /** An id, a label, or a unique prefix of an id. */
  readonly entry: string;
  readonly text: string;
}

/** The changes to make in the file of a session. */
export interface InPlaceRequest {
  /** The new place of the current leaf; it does not move unless given. */
  readonly move?: Extract<ForkStart, { readonly entry: string }> | undefined;
  /** Whether what the move leaves behind is summarized. */
  readonly summarizes: boolean;
  readonly name?: string | undefined;
  readonly labels: readonly LabelChange[];
}

/** The new place of the current leaf. */
export interface LeafMove {
  /** Undefined: before the first entry. */
  readonly target: Entry | undefined;
  /** The user message that the leaf moves before. */
  readonly message?: Entry | undefined;
  readonly left: LeftPath<Entry>;
}

/** The change to the file. */
export type InPlaceChange =
  /** Entries that are appended, in this order. */
  | { readonly kind: 'append'; readonly entries: readonly JsonObject[] }
  | { readonly kind: 'rewrite'; readonly transform: LineTransform };

/** The bytes of a line, without its LF. */
export type ReadLine = (at: LineSpan) => Promise<Buffer>;

export interface InPlacePlan {
  /** The changes, each in a few words; empty if there are none. */
  readonly changes: readonly string[];
  /** The requested states that hold already, in the same form. */
  readonly unchanged: readonly string[];
  /** Undefined where the leaf does not move. */
  readonly move?: LeafMove | undefined;
  /** The file beside the session that repeats its name: it changes along, if it is there. */
  readonly note?: NoteChange | undefined;
  /** `summary`: of what the move leaves behind, if there is one. */
  toChange(summary: LeftSummary | undefined, readLine: ReadLine): Promise<InPlaceChange>;
}

/** The capability to change a session in its own file. */
export interface InPlaceDialect {
  /** Returns the reason why sessions of this agent cannot hold the requested change. */
  findObstacle(request: InPlaceRequest): string | undefined;
  /** @throws FileError for an entry that is not there, or a session that cannot be changed. */
  plan(session: Session, request: InPlaceRequest, world: ForkWorld): InPlacePlan;
}

/** The capability to fork sessions. */
export interface ForkDialect {
  /**
   * Plans the new sessions that a request makes of one.
   * @throws FileError for a point that is not there or cannot be forked; CoppiceError for a bad id.
   */
  plan(session: Session, request: ForkRequest, world: ForkWorld): readonly ForkPlan[];
  /** Finds the last entry of every branch, in file order: what a fork of each ends with. */
  findEnds(session: Session, tree: Tree): readonly Entry[];
  /**
   * Makes the test of whether `plan` takes a message to fork before it.
   * @throws FileError for a session of which `plan` makes no fork at all.
   */
  createBeforeTest(session: Session, tree: Tree): (message: Entry) => boolean;
  /** The text of a user message, as the agent gives it back to the person; empty without any. */
  getUserText(entry: JsonObject): string;
  /** Absent for an agent whose sessions have no place for a summary of another branch. */
  readonly summaries?: ForkSummaries;
  /** Or why its sessions are never changed where they are. */
  readonly inPlace: InPlaceDialect | string;
}

/** The capability to summarize, in a fork, the branch that it leaves. */
export interface ForkSummaries {
  /** The entries that are left, as they are in the current version of the format. */
  readLeft(left: readonly Entry[], readPayload: ReadPayload): Promise<readonly JsonObject[]>;
  /**
   * Undefined where nothing that is left says anything to the model.
   * @throws SummaryError when there is no good summary.
   */
  summarizeLeft(
    entries: readonly JsonObject[],
    options: SummarizeLeft & { readonly signal: AbortSignal },
  ): Promise<LeftSummary | undefined>;
  /** The plan with the summary as its last entry. */
  addSummary(plan: ForkPlan, summary: LeftSummary, world: ForkWorld): ForkPlan;
}
