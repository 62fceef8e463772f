import type { Entry, LineSpan } from '../model/entry.ts';
import type { JsonObject } from '../jsonl/edit/json.ts';
import type { Piece } from '../jsonl/write/compose-file.ts';
import type { LineTransform } from '../jsonl/write/line-transform.ts';
import type { Session } from '../model/session.ts';
import type { LeftPath } from '../model/tree/tree.ts';
import type { Summarizer } from '../model/text/summarizer.ts';
import type { LeftSummary } from './hooks/tree-hooks.ts';
import type { ReadPayload } from './fold.ts';
import type { SessionRows } from './surroundings/rows.ts';

/** Where a fork leaves its source. Entries go by id, label, or unique prefix of an id. */
export type ForkStart =
  /** At the current leaf. */
  | { readonly kind: 'leaf' }
  | { readonly kind: 'at'; readonly entry: string }
  /** Before a user message, whose text goes back to the person. */
  | { readonly kind: 'before'; readonly entry: string }
  /** Every entry of every branch. */
  | { readonly kind: 'whole' }
  /** A session for each branch. */
  | { readonly kind: 'each-leaf' };

export interface ForkRequest {
  readonly start: ForkStart;
  /** Absolute; the source's own unless given, which keeps the fork beside its source. */
  readonly cwd?: string | undefined;
  /** Where the file goes, absolute; unless given, where the agent would put it. */
  readonly directory?: string | undefined;
  /** Of the new session; a new one unless given. */
  readonly id?: string | undefined;
  /** Of the new session; whatever the path says unless given. */
  readonly name?: string | undefined;
}

/** What a new session needs that no file can tell. */
export interface ForkWorld {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A new UUID of version 7. */
  readonly createId: () => string;
  /** For a source whose header names no working directory. */
  readonly cwd: string;
}

/** How what a fork leaves behind is summarised. */
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
  readonly entryCount: number;
  readonly leafId: string | null;
  /** Of its entries. */
  readonly ids: ReadonlySet<string>;
  /** What of the source's current path is not in it; undefined where that is not looked at. */
  readonly left: LeftPath<Entry> | undefined;
  /** The user message that the fork was made before. */
  readonly message?: Entry | undefined;
  /** Where a file with the same id may be, for agents that keep the id in no other way. */
  readonly sameId?: SameId | undefined;
  /** Lines that are appended to files that the agent keeps of many sessions, once the fork is there. */
  readonly notes?: readonly ForkNote[] | undefined;
  /** Where a name is kept in a database of the agent, and nowhere else. */
  readonly rows?: ForkRows | undefined;
}

/** What the databases of an agent are to know of a fork, once its file is there. */
export interface ForkRows {
  /** The user message that the session is known by. */
  readonly prompt: Entry | undefined;
  /** By the header of the source, and the text of that message. */
  toRows(header: JsonObject, text: string): SessionRows;
}

/** How a session of the same id would be found. */
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

/** What is to change in the file of a session itself. */
export interface InPlaceRequest {
  /** Where the current leaf moves to; it stays where it is unless given. */
  readonly move?: Extract<ForkStart, { readonly entry: string }> | undefined;
  /** Whether what the move leaves behind is summarised. */
  readonly summarizes: boolean;
  readonly name?: string | undefined;
  readonly labels: readonly LabelChange[];
}

/** Where the current leaf moves to. */
export interface LeafMove {
  /** Undefined: before the first entry. */
  readonly target: Entry | undefined;
  /** The user message that the leaf moves before. */
  readonly message?: Entry | undefined;
  readonly left: LeftPath<Entry>;
}

/** What becomes of the file. */
export type InPlaceChange =
  /** Entries that are appended, in this order. */
  | { readonly kind: 'append'; readonly entries: readonly JsonObject[] }
  | { readonly kind: 'rewrite'; readonly transform: LineTransform };

/** The bytes of a line, without its LF. */
export type ReadLine = (at: LineSpan) => Promise<Buffer>;

export interface InPlacePlan {
  /** What is to be done, each in a few words; none: there is nothing to do. */
  readonly changes: readonly string[];
  /** What is so already, in the same way. */
  readonly unchanged: readonly string[];
  /** Undefined where the leaf does not move. */
  readonly move?: LeafMove | undefined;
  /** `summary`: of what the move leaves behind, if there is one. */
  toChange(summary: LeftSummary | undefined, readLine: ReadLine): Promise<InPlaceChange>;
}

/** How a session of an agent is changed where it is. */
export interface InPlaceDialect {
  /** Why sessions of this agent have no place for what is asked for. */
  findObstacle(request: InPlaceRequest): string | undefined;
  /** @throws FileError for an entry that is not there, or a session that cannot be changed. */
  plan(session: Session, request: InPlaceRequest, world: ForkWorld): InPlacePlan;
}

/** How the sessions of an agent are forked. */
export interface ForkDialect {
  /**
   * Plans the new sessions that a request makes of one.
   * @throws FileError for a point that is not there or cannot be forked; CoppiceError for a bad id.
   */
  plan(session: Session, request: ForkRequest, world: ForkWorld): readonly ForkPlan[];
  /** The text of a user message, as the agent gives it back to the person; empty without any. */
  getUserText(entry: JsonObject): string;
  /** Absent for an agent whose sessions have no place for a summary of another branch. */
  readonly summaries?: ForkSummaries;
  /** Or why its sessions are never changed where they are. */
  readonly inPlace: InPlaceDialect | string;
}

/** How a fork says what its source went on to do. */
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
