import type { JsonObject } from '../../jsonl/edit/json.ts';
import type { AgentWorld } from './world.ts';

/** The note of a process about a session that it has open. */
export interface OpenNote {
  readonly pid: number;
  /** Null where the note cannot be read: it may be about any session. */
  readonly sessionId: string | null;
  /** Milliseconds; 0 where the note does not say. */
  readonly updatedAt: number;
}

/** Notes of the processes of an agent on the sessions that they have open. */
export interface OpenNotes {
  /** The directory of the notes in a home of the agent. */
  findDirectory(home: string): string;
  /** The id that notes have for the session in a file of that name. */
  toId(path: string): string;
  /**
   * Parses a file of that directory, from its name and the JSON object in it, if any; undefined for a file
   * that is not a note.
   */
  parse(name: string, content: JsonObject | undefined): OpenNote | undefined;
}

/** The file that a process of an agent locks (`flock`) for as long as it has a session open. */
export interface WriterLock {
  /** If it does not exist, no release that locks has run. */
  readonly directory: string;
  readonly name: string;
  /** Locked, in the same directory, by a process that makes or removes one of the files. */
  readonly coordinator: string;
}

/** The capability to find the sessions that processes of the agent have open. */
export interface LivenessDialect {
  /** The home of the agent that a session file is in; undefined where the agent would not look for it. */
  findHome(path: string): string | undefined;
  /** The user's own homes of the agent: by a link in there, it may have a file open that is elsewhere. */
  listHomes(world: AgentWorld): readonly string[];
  /** Other homes whose sessions are those of one, by a link: a process of such a home may have one open as well. */
  listSharers?(home: string, world: AgentWorld): readonly string[];
  /** The directories of a home that hold sessions. */
  readonly stores: readonly string[];
  /** The directories of a home in which the agent puts the session in a file of that name, if others than these. */
  listDirectories?(path: string): readonly string[];
  readonly notes?: OpenNotes;
  /** The lock, in a home, of the session in a file of that name; undefined for a name that has none. */
  findLock?(home: string, path: string): WriterLock | undefined;
}

/** The capability to find the sessions that a process of the agent has taken for itself, by locks on paths. */
export interface LeaseDialect {
  /** The directories of which one is there if a release that takes leases may have run. */
  listHomes(world: AgentWorld): readonly string[];
  /** The paths on which a process may have locked the session in a file, with the lock's own ending. */
  listLocks(home: string, path: string): readonly string[];
}
