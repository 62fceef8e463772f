import type { JsonObject } from '../../jsonl/edit/json.ts';

/** What a process of an agent has noted down of a session that it has open. */
export interface OpenNote {
  readonly pid: number;
  /** Null where the note cannot be read: it may be about any session. */
  readonly sessionId: string | null;
  /** In milliseconds; 0 where the note does not say. */
  readonly updatedAt: number;
}

/** Notes of the processes of an agent on the sessions that they have open. */
export interface OpenNotes {
  /** The directory of such notes, for the session at a path, and its id in them; undefined for none. */
  find(path: string): { readonly directory: string; readonly sessionId: string } | undefined;
  /**
   * What a file of that directory says, by its name and the JSON object in it, if there is one; undefined
   * for a file that is not such a note.
   */
  parse(name: string, content: JsonObject | undefined): OpenNote | undefined;
}

/** The file that a process of an agent locks (`flock`) for as long as it has a session open. */
export interface WriterLock {
  /** Where there is no such directory, no release that locks has been at work. */
  readonly directory: string;
  readonly name: string;
  /** Locked, in the same directory, by whoever makes or removes one of the files. */
  readonly coordinator: string;
}

/** How it is seen which sessions the processes of an agent have open. */
export interface LivenessDialect {
  readonly notes?: OpenNotes;
  /** The lock of the session at a path; undefined where the agent would not look for one. */
  findLock?(path: string): WriterLock | undefined;
}
