import type { Agent } from './agent.ts';
import type { Base, Entry, Header, LineSpan } from './entry.ts';
import type { Problem } from './summary.ts';
import type { FileStamp } from '../jsonl/files/identity/file-stamp.ts';
import type { PathOrder } from './tree/tree.ts';

export type { Agent } from './agent.ts';
export type { Base } from './entry.ts';

/**
 * A session file as an index: every entry in file order, with the meaning of the current version
 * whatever the version on disk. Payloads stay on disk.
 */
export interface Session {
  readonly path: string;
  readonly agent: Agent;
  /** What the file says; 0 for a file without a version of its own that predates v1. */
  readonly formatVersion: number;
  readonly header: Header | undefined;
  /** Absent where the file holds all of the session. */
  readonly base?: Base | undefined;
  readonly entries: readonly Entry[];
  /** How the agent reads a path; from parent to child unless given. */
  readonly pathOrder?: PathOrder | undefined;
  /**
   * Where the agent goes on, if its files say so: null where the conversation is empty. Absent: at the
   * last entry.
   */
  readonly leaf?: Pick<LineSpan, 'line'> | null | undefined;
  /** Why the agent does not open the session, where that is known. */
  readonly problem?: Problem | undefined;
  readonly stamp: FileStamp;
}
