import type { StoreEnvironment } from './dialect.ts';
import type { Entry, ModelRef } from './entry.ts';
import type { JsonObject } from './json.ts';
import type { ReadPayload } from './payloads.ts';
import type { SpokenMessage } from './summarizer.ts';
import type { Usage } from './usage.ts';

/** When and how much to compact; tokens. */
export interface CompactionSettings {
  /** False when the person wants no compaction unless asked for. */
  readonly enabled: boolean;
  /** Of the context window: to be left free. */
  readonly reserveTokens: number;
  /** Of the latest messages: to be kept as they are. */
  readonly keepRecentTokens: number;
}

/** What a context compaction would do. Messages are as the agent stores them. */
export interface Preparation {
  readonly firstKeptEntryId: string;
  /** The cut is inside a turn: its beginning is summarised apart. */
  readonly isSplitTurn: boolean;
  /** What the summary is to stand for, oldest first. */
  readonly messages: readonly JsonObject[];
  readonly turnPrefix: readonly JsonObject[];
  /** Of the compaction before this one. */
  readonly previousSummary: string | undefined;
  /** The prompt and tools in force, for agents that store them in the session. */
  readonly systemMessage: JsonObject | undefined;
  readonly tokensBefore: number;
  /** Of what stays, the prompt included. */
  readonly tokensKept: number;
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
}

/** What a compaction entry says that the preparation does not know. */
export interface Checkpoint {
  readonly summary: string;
  readonly usage?: Usage | undefined;
  /** Stored instead of the file lists. */
  readonly details?: JsonObject | undefined;
  /** The summary was supplied by a hook: its details are not carried on by the next compaction. */
  readonly fromHook: boolean;
  readonly id: string;
  readonly parentId: string;
  /** Milliseconds. */
  readonly time: number;
}

/** How an agent compacts. */
export interface CompactionDialect {
  /** Undefined when there is nothing to do. */
  prepare(
    path: readonly Entry[],
    readPayload: ReadPayload,
    settings: CompactionSettings,
  ): Promise<Preparation | undefined>;
  toSpokenMessages(messages: readonly JsonObject[]): readonly SpokenMessage[];
  /** What the agent appends to a summary for the model to see. */
  formatFileLists(lists: Pick<Preparation, 'readFiles' | 'modifiedFiles'>): string;
  /** The entry to append. */
  toEntry(preparation: Preparation, checkpoint: Checkpoint): JsonObject;
  /**
   * The agent's own settings for a session of this directory and model.
   * @throws UsageError when they make no sense.
   */
  readSettings(
    environment: StoreEnvironment,
    cwd: string,
    model: ModelRef | null,
  ): Promise<CompactionSettings>;
  /**
   * How many tokens a model takes, where the agent has been told.
   * @throws UsageError when what it was told makes no sense.
   */
  readContextWindow(environment: StoreEnvironment, model: ModelRef): Promise<number | undefined>;
}

/** Whether a context has outgrown its model. */
export function isDue(
  tokens: number,
  contextWindow: number,
  { enabled, reserveTokens }: CompactionSettings,
): boolean {
  return enabled && tokens > contextWindow - reserveTokens;
}
