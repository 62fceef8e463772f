import type { JsonObject } from '../../jsonl/edit/json.ts';
import type { SessionSummary } from '../../model/summary.ts';

/** JSON files beside the sessions of an agent that say more of each. */
export interface SessionNotes {
  /** Those of the session at a path, by what they are for; they need not be there. */
  findFiles(path: string): Readonly<Record<string, string>>;
  /** Adds to a summary what they say: nothing where one is not there, undefined where it cannot be read. */
  complete(
    summary: SessionSummary,
    contents: Readonly<Record<string, JsonObject | undefined>>,
  ): SessionSummary;
}
