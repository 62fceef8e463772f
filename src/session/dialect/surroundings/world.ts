import type { JsonObject } from '../../jsonl/edit/json.ts';

/** Environment variables, by their names. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** The facts by which agents find their own directories. */
export interface AgentWorld {
  readonly env: Variables;
  readonly home: string;
  readonly cwd: string;
}

/** The facts by which an agent finds its sessions: the environment, and a function that reads settings. */
export interface StoreWorld extends AgentWorld {
  /** The parsed JSON object of a settings file; undefined when there is none. */
  readonly readSettings: (path: string) => Promise<JsonObject | undefined>;
}
