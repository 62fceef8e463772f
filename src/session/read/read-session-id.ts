import type { Agent } from '../model/agent.ts';
import { readOpening } from './read-opening.ts';

export interface SessionIdentity {
  readonly id: string;
  readonly agent: Agent;
}

/**
 * The id of a session, from the start of its file only; undefined when the file is no session or
 * names none there.
 * @throws FileError if the file cannot be read.
 */
export async function readSessionId(path: string): Promise<SessionIdentity | undefined> {
  const opening = await readOpening(path);
  if (opening.kind !== 'session') return undefined;
  const { dialect, result } = opening;
  const id = dialect.getSessionId(result.session);
  return id === undefined ? undefined : { id, agent: dialect.agent };
}
