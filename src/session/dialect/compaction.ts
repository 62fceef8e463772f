import type { Session } from '../model/session.ts';
import type { Entry, ModelRef } from '../model/entry.ts';
import type { JsonObject, JsonValue } from '../jsonl/edit/json.ts';
import type { FileOperations } from '../model/text/file-operations.ts';
import type { SpokenMessage } from '../model/text/summarizer.ts';
import type { Usage } from '../model/usage.ts';
import type { StoreWorld } from './surroundings/world.ts';
import type { ReadPayload } from './fold.ts';

/** Settings for when and how much to compact, in tokens. */
export interface CompactionSettings {
  /** False when the person wants no compaction unless asked for. */
  readonly enabled: boolean;
  /**
   * The tokens of the context window to leave free; undefined: the agent's own reserve for a window
   * of this size.
   */
  readonly reserveTokens: number | undefined;
  /** The tokens of the latest messages to keep unchanged. */
  readonly keepRecentTokens: number;
  /** Decides whether a session is due where the above is not for that: a project may have set it. */
  readonly due?: Pick<CompactionSettings, 'enabled' | 'reserveTokens'>;
}

/** The work of a context compaction, in pi's words. Messages are as the agent stores them. */
export interface Preparation {
  /** Null where the summary is all that is kept. */
  readonly firstKeptEntryId: string | null;
  /** The cut is inside a turn: its beginning is summarized apart. */
  readonly isSplitTurn: boolean;
  /** The messages that the summary will replace, oldest first. */
  readonly messagesToSummarize: readonly JsonObject[];
  readonly turnPrefixMessages: readonly JsonObject[];
  /** The summary of the compaction before this one. */
  readonly previousSummary: string | undefined;
  /** The prompt and tools in force, for agents that store them in the session. */
  readonly systemMessage: JsonObject | undefined;
  readonly tokensBefore: number;
  /** The tokens of the kept part, the prompt included. */
  readonly tokensKept: number;
  /** How many tokens the model takes, where the session says so. */
  readonly contextWindow?: number | undefined;
  readonly fileOps: FileOperations;
  readonly settings: CompactionSettings;
}

/** The fields of a compaction entry that the preparation does not know. */
export interface NewCompaction {
  readonly summary: string;
  readonly firstKeptEntryId: string | null;
  readonly tokensBefore: number;
  readonly usage?: Usage | undefined;
  /** The details from a hook, stored instead of the file lists. */
  readonly details?: JsonValue | undefined;
  /** The summary was supplied by a hook: its details are not carried on by the next compaction. */
  readonly fromHook: boolean;
  /** The path of the session file. */
  readonly path: string;
  readonly id: string;
  readonly parentId: string;
  /** The path that is compacted, root first. */
  readonly steps: readonly Entry[];
  /** Milliseconds. */
  readonly time: number;
}

/** The lines of one compaction, in the order in which they are appended. */
export interface CompactionEntries {
  /** Lines that must come before the summary; none for most agents. */
  readonly before?: readonly JsonObject[];
  /** The entry that holds the summary. */
  readonly entry: JsonObject;
  /** Lines that must come after it; none for most agents. */
  readonly after?: readonly JsonObject[];
}

/** The capability to compact sessions. */
export interface CompactionDialect {
  /** The oldest version to whose files coppice also appends; the current one unless given. */
  readonly oldestVersion?: number;
  /** Returns the reason why nothing may be appended to a session; undefined if it may. */
  findObstacle?(session: Session): string | undefined;
  /** Undefined when there is nothing to do. */
  prepare(
    path: readonly Entry[],
    readPayload: ReadPayload,
    settings: CompactionSettings,
  ): Promise<Preparation | undefined>;
  toSpokenMessages(messages: readonly JsonObject[]): readonly SpokenMessage[];
  /** Makes an id for an entry: the same for the same text. */
  deriveId(text: string, isTaken: (id: string) => boolean): string;
  /**
   * Returns whether a context has outgrown a model with a window of this many tokens, where no one says
   * how many of them to leave free.
   */
  isOutgrown(tokens: number, contextWindow: number): boolean;
  /** Tokens of what is kept when `firstKeptEntryId` is the first entry kept; an estimate. */
  countKept(
    path: readonly Entry[],
    readPayload: ReadPayload,
    firstKeptEntryId: string | null,
  ): Promise<number>;
  /** Whether an entry holds the summary, and has no place for what it keeps and for details. */
  readonly storesSummaryOnly: boolean;
  /** Makes the lines to append. */
  toEntries(
    preparation: Preparation,
    compaction: NewCompaction,
    readPayload: ReadPayload,
  ): Promise<CompactionEntries>;
  /**
   * The agent's own settings for a session of this directory and model.
   * @throws UsageError when they make no sense.
   */
  readSettings(world: StoreWorld, cwd: string, model: ModelRef | null): Promise<CompactionSettings>;
  /**
   * Returns how many tokens a model takes, if the agent's settings state it.
   * @throws UsageError when the setting makes no sense.
   */
  readContextWindow(world: StoreWorld, model: ModelRef): Promise<number | undefined>;
}

/** The tokens that pi leaves free, and the size of a summary for agents without a size of their own. */
export const DEFAULT_RESERVE_TOKENS = 16_384;

/** The tokens of the latest messages that pi keeps, also for agents without a number of their own. */
export const DEFAULT_KEEP_RECENT_TOKENS = 20_000;

/** The context window of a model that no one has described. */
export const DEFAULT_CONTEXT_WINDOW = 200_000;
