import type { JsonObject } from '../../jsonl/edit/json.ts';
import type { AgentWorld } from './world.ts';

/** The one list in which an agent keeps what was typed in all of its sessions, a prompt a line. */
export interface HistoryDialect {
  /** The list that has the prompts of the session at a path; undefined where there is none. */
  findFile(path: string): string | undefined;
  /** The list of the sessions of a store; undefined where there is none. */
  findFileOfStore(store: string): string | undefined;
  /** Other homes of the agent that have a list as well, by a link. */
  listSharers(file: string, world: AgentWorld): readonly string[];
  /** The id of the session at a path. */
  toId(path: string): string;
  /** The session in which a line was typed. */
  getSessionId(line: JsonObject): string | undefined;
  /** Returns the time of a line in milliseconds; NaN without one. */
  getTime(line: JsonObject): number;
}

const ENDING = '.prompts';

/** Returns the name of the file that keeps the lines of a removed session, in the trash and in an archive. */
export function getPromptsPath(path: string): string {
  return `${path}${ENDING}`;
}

/** Returns the path of the session beside such a file. */
export function getSessionPath(promptsPath: string): string {
  return promptsPath.slice(0, -ENDING.length);
}

/** Returns whether a file may have the prompts of the session beside it, by its name. */
export function isPromptsFile(path: string): boolean {
  return path.endsWith(`.jsonl${ENDING}`);
}
