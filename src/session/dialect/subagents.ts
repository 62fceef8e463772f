import type { JsonObject } from '../jsonl/edit/json.ts';
import type { SessionSummary, Subagent } from '../model/summary.ts';
import type { SummaryFacts, SummaryOptions } from './dialect.ts';
import type { LineFold } from './fold.ts';

/** A directory that may hold the sub-agents of a session. */
export interface SubagentPlace {
  readonly directory: string;
  /** All in it, also in directories below, are of the session; else only files with its mark are. */
  readonly isOwn: boolean;
}

/** Sub-agents that an agent keeps in files which are not sessions. */
export interface SubagentDialect {
  /** Where those of the session at a path may lie. */
  listPlaces(path: string): readonly SubagentPlace[];
  /** Whether a file of that name may hold one. */
  isFile(name: string): boolean;
  /** What the first line of a file has that lies among those of other sessions. */
  toMark(path: string): string;
  /** The JSON file that says more of the sub-agent at a path. */
  findNote(path: string): string;
  createFold(options: SummaryOptions): LineFold<SummaryFacts>;
  toSubagent(summary: Omit<SessionSummary, 'unread' | 'lastWritten'>, note?: JsonObject): Subagent;
}
