import type { JsonObject } from '../jsonl/edit/json.ts';

/** What a process of an agent has noted down of a session that it has open. */
export interface OpenNote {
  readonly pid: number;
  /** Null where the note cannot be read: it may be about any session. */
  readonly sessionId: string | null;
  /** In milliseconds; 0 where the note does not say. */
  readonly updatedAt: number;
}

/** How the processes of an agent note down which sessions they have open. */
export interface LivenessDialect {
  /** The directory of such notes, for the session at a path, and its id in them; undefined for none. */
  find(path: string): { readonly directory: string; readonly sessionId: string } | undefined;
  /**
   * What a file of that directory says, by its name and the JSON object in it, if there is one; undefined
   * for a file that is not such a note.
   */
  parse(name: string, content: JsonObject | undefined): OpenNote | undefined;
}
