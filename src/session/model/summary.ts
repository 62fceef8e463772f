import type { Agent } from './agent.ts';
import type { EntryUsage, Usage } from './usage.ts';

/** Why a session cannot be used as it is. */
export interface Problem {
  /** Stable, for programs. */
  readonly code: string;
  /** For people: what is wrong, and what to do. */
  readonly message: string;
}

/** A file that was asked for and could not be used. */
export interface FileProblem {
  readonly path: string;
  readonly problem: Problem;
}

/** What of a session file was not understood. A command that removes sessions asks for it. */
export interface Unread {
  /** Lines that are cut, glued, too long, hold NULs or invalid UTF-8, or are not JSON objects. */
  readonly lines: number;
  /** Entries of a type that no release of the agent is known to write. */
  readonly entries: number;
  /** Messages whose time cannot be read, or makes no sense: the session may have been active later than it says. */
  readonly times: number;
}

/** One session as a listing shows it. Times are ISO 8601 in UTC, sizes in bytes. */
export interface SessionSummary {
  readonly path: string;
  readonly agent: Agent;
  /** 0: a file that predates versions. */
  readonly formatVersion: number;
  readonly id: string;
  readonly cwd: string;
  readonly name: string | null;
  /** Null when the header has no readable time. */
  readonly created: string | null;
  readonly modified: string;
  readonly messageCount: number;
  readonly firstMessage: string;
  readonly parentSessionPath: string | null;
  /** The parent that v1 named in another field, which listings of the agent leave out. */
  readonly branchedFrom: string | null;
  readonly size: number;
  readonly entryCount: number;
  readonly leafCount: number;
  readonly compactionCount: number;
  /** As `provider/model`, in order of first use. */
  readonly models: readonly string[];
  readonly userMessageCount: number;
  /** Entries that somebody's work has left: all but settings and bookkeeping. */
  readonly workCount: number;
  readonly labelCount: number;
  readonly unread: Unread;
  /** When the file itself was last written. */
  readonly fileModified: string;
  /**
   * The latest time of any line, the header too: also of what listings pass over, such as commands,
   * names and compactions. Null where none was read; of all lines only after a reading of the whole.
   */
  readonly lastWritten: string | null;
  /** Present when usage was asked for. */
  readonly usage?: Usage;
  readonly entryUsages?: readonly EntryUsage[];
  /** Present when the agent would not open the file, or only in part. */
  readonly problem?: Problem;
}
