import type {
  AgentMessage,
  AssistantMessage,
  ImageContent,
  MessageUsage,
  SystemMessage,
  TextContent,
  UserMessage,
} from './messages.ts';

/** Entries as pi 1.6.0 stores them. Files may hold types that are not listed here. */

export interface SessionHeader {
  type: 'session';
  version?: number;
  id: string;
  /** ISO 8601, here and below. */
  timestamp: string;
  cwd: string;
  parentSession?: string;
}

export interface SessionEntryBase {
  type: string;
  id: string;
  parentId: string | null;
  timestamp: string;
}

export interface SessionMessageEntry extends SessionEntryBase {
  type: 'message';
  message: AgentMessage;
}

export interface ThinkingLevelChangeEntry extends SessionEntryBase {
  type: 'thinking_level_change';
  thinkingLevel: string;
}

export interface ModelChangeEntry extends SessionEntryBase {
  type: 'model_change';
  provider: string;
  modelId: string;
}

/** Counts in totals, not in the context. */
export interface UsageEntry extends SessionEntryBase {
  type: 'usage';
  kind: string;
  provider: string;
  model: string;
  usage: MessageUsage;
  note?: string;
}

export interface CompactionEntry extends SessionEntryBase {
  type: 'compaction';
  summary: string;
  /** The first kept entry; the compaction's own id where it keeps nothing. */
  firstKeptEntryId: string;
  tokensBefore: number;
  details?: unknown;
  usage?: MessageUsage;
  fromHook?: boolean;
  systemMessage?: SystemMessage;
}

export interface BranchSummaryEntry extends SessionEntryBase {
  type: 'branch_summary';
  /** The leaf that was left; `root` where there was none. */
  fromId: string;
  summary: string;
  details?: unknown;
  usage?: MessageUsage;
  fromHook?: boolean;
}

/** State of an extension; never sent to the model. */
export interface CustomEntry extends SessionEntryBase {
  type: 'custom';
  customType: string;
  data?: unknown;
}

/** A message of an extension; sent to the model. */
export interface CustomMessageEntry extends SessionEntryBase {
  type: 'custom_message';
  customType: string;
  content: string | (TextContent | ImageContent)[];
  details?: unknown;
  display: boolean;
}

export type EditableContent = UserMessage['content'] | AssistantMessage['content'];

export interface ContextEditEntry extends SessionEntryBase {
  type: 'context_edit';
  targetId: string;
  /** Null takes the target out of the context. */
  replacement: { content: EditableContent } | null;
}

export interface LabelEntry extends SessionEntryBase {
  type: 'label';
  targetId: string;
  /** Absent or empty: the label is cleared. */
  label?: string;
}

export interface SessionInfoEntry extends SessionEntryBase {
  type: 'session_info';
  name?: string;
}

export type SessionEntry =
  | SessionMessageEntry
  | ThinkingLevelChangeEntry
  | ModelChangeEntry
  | UsageEntry
  | CompactionEntry
  | BranchSummaryEntry
  | CustomEntry
  | CustomMessageEntry
  | ContextEditEntry
  | LabelEntry
  | SessionInfoEntry;

export interface SessionTreeNode {
  entry: SessionEntry;
  /** Oldest first. */
  children: SessionTreeNode[];
  label?: string;
  labelTimestamp?: string;
}

/** The messages that the model is sent. */
export interface ModelContext {
  messages: AgentMessage[];
  thinkingLevel: string;
  model: { provider: string; modelId: string } | null;
}
