import type { JsonObject } from '../../jsonl/edit/json.ts';
import type { SessionSummary } from '../../model/summary.ts';

/** A fact about sessions that may be in a file beside them. */
export type NotedFact = 'name' | 'state' | 'expiry' | 'cwd';

/** JSON files beside the sessions of an agent that say more of each. */
export interface SessionNotes {
  /** Returns the notes of the session at a path, by purpose; they need not exist. */
  findFiles(path: string): Readonly<Record<string, string>>;
  /** The fact for which each of these is read. */
  readonly facts: Readonly<Record<string, NotedFact>>;
  /**
   * Adds to a summary what they say: nothing where one is not there, undefined where it cannot be read. `times`: when
   * those that are there were last written, in milliseconds.
   */
  complete(
    summary: SessionSummary,
    contents: Readonly<Record<string, JsonObject | undefined>>,
    times: Readonly<Record<string, number>>,
  ): SessionSummary;
}
