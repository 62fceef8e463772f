import type { Agent } from './agent.ts';
import type { Base, Entry, Header, LineSpan } from './entry.ts';
import type { Problem } from './summary.ts';
import type { FileStamp } from '../jsonl/files/identity/file-stamp.ts';
import type { PathOrder } from './tree/tree.ts';

/**
 * A session file as an index: every entry in file order, with the meaning of the current version
 * whatever the version on disk. Payloads are on disk.
 */
export interface Session {
  readonly path: string;
  readonly agent: Agent;
  /** The version that the file states; 0 for a file without one that predates v1. */
  readonly formatVersion: number;
  readonly header: Header | undefined;
  /** The release of the agent that its lines name: the one that began it, or that has written last. */
  readonly release?: string | undefined;
  /** Absent where the file holds all of the session. */
  readonly base?: Base | undefined;
  readonly entries: readonly Entry[];
  /** The byte at which the lines end that a fork has copied from another session, if lines are marked. */
  readonly copiedEnd?: number | undefined;
  /** The files that hold earlier parts of this session, each path with such a byte. */
  readonly earlierFiles?: ReadonlyMap<string, number> | undefined;
  /** The order in which the agent reads a path; from parent to child unless given. */
  readonly pathOrder?: PathOrder | undefined;
  /**
   * The line at which the agent continues, if its files name it: null for an empty conversation. Absent: the
   * last entry.
   */
  readonly leaf?: Pick<LineSpan, 'line'> | null | undefined;
  /** The reason why the agent does not open the session, if known. */
  readonly problem?: Problem | undefined;
  readonly stamp: FileStamp;
}
