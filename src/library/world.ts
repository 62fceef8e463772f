import { homedir } from 'node:os';
import { v7 } from 'uuid';
import type { AgentWorld } from '../session/dialect/surroundings/environment.ts';
import { getAgentDir } from '../session/agents/pi/places/agent-dir.ts';

/** What a session manager needs that no file can tell. Handed in by tests. */
export interface SessionWorld {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** A new UUID of version 7. */
  readonly createId: () => string;
  /** Where pi keeps its settings and sessions. */
  readonly agentDir: string;
}

/** Where agents have their own directories, as this process sees it. */
export function getAgentWorld(): AgentWorld {
  return { env: process.env, home: homedir(), cwd: process.cwd() };
}

/** The world of this process. */
export function getSessionWorld(): SessionWorld {
  return { now: Date.now, createId: v7, agentDir: getAgentDir(getAgentWorld()) };
}
