import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { v7 } from 'uuid';
import type { AgentWorld } from '../session/dialect/surroundings/world.ts';
import { getAgentDir } from '../session/agents/pi/places/agent-dir.ts';

/** Facts that a session manager needs and no file holds. Tests hand in their own. */
export interface SessionWorld {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A new UUID of version 7. */
  readonly createId: () => string;
  /** The directory in which pi keeps its settings and sessions. */
  readonly agentDir: string;
}

/** Returns the facts by which agents find their directories, from this process. */
export function getAgentWorld(): AgentWorld {
  return { env: process.env, home: resolve(homedir()), cwd: process.cwd() };
}

/** The world of this process. */
export function getSessionWorld(): SessionWorld {
  return { now: Date.now, createId: v7, agentDir: getAgentDir(getAgentWorld()) };
}
