import type { JsonObject } from '../../jsonl/edit/json.ts';
import type { SessionSummary, Subagent } from '../../model/summary.ts';
import type { LineFold } from '../fold.ts';

/** A directory that may hold the sub-agents of a session. */
export interface SubagentPlace {
  readonly directory: string;
  /** All in it, also in directories below, are of the session; else only those are that name it. */
  readonly holdsOneSession: boolean;
}

/** The facts read from the file of a sub-agent, as if it were a session. */
export type SubagentFacts = Omit<SessionSummary, 'unread' | 'lastWritten'>;

/** Sub-agents that an agent keeps in files which are not sessions. */
export interface SubagentDialect {
  /** Lists the places in which the sub-agents of the session at a path may be. */
  listPlaces(path: string): readonly SubagentPlace[];
  /** Returns whether a file of that name may hold one. */
  isFile(name: string): boolean;
  /**
   * Decides from the beginning of a file, among those of other sessions, whether it belongs to the
   * session at a path.
   */
  isOf(start: string, path: string): boolean;
  /** The JSON file that says more of the sub-agent at a path. */
  findNote(path: string): string;
  /** `usage`: also collect what every answer cost. */
  createFold(options: { readonly usage: boolean }): LineFold<SubagentFacts>;
  toSubagent(facts: SubagentFacts, note?: JsonObject): Subagent;
}

/** Sub-agents whose files are session files like others: the session that began them names them. */
export interface SpawnedDialect {
  /** The ids of those that a line says were begun. */
  listBegun(value: JsonObject): readonly string[];
  /** The directories where their files may be, the likeliest first, by the path of that session. */
  listPlaces(path: string): readonly string[];
  /** The id of the session that a file of this name has; undefined for any other file. */
  readonly toId: (name: string) => string | undefined;
  /** A word that is in the first line of each of these files, and of few others. */
  readonly word: string;
  /** Reads from the first object of a file which session it is, and which one began that; undefined if none did. */
  findStart(first: JsonObject): { readonly id: string; readonly by: string } | undefined;
}
