import type { JsonObject } from '../../session/jsonl/edit/json.ts';

/** Messages as Neovate 0.17.1 stores them. Files may hold fields and parts that are not listed here. */

export interface NeovateText {
  type: 'text';
  text: string;
}

export interface NeovateReasoning {
  type: 'reasoning';
  text: string;
}

export interface NeovateImage {
  type: 'image';
  /** A data URL, or base64. */
  data: string;
  mimeType: string;
}

export interface NeovateToolUse {
  type: 'tool_use';
  id: string;
  name: string;
  input: JsonObject;
  description?: string;
  displayName?: string;
}

export interface NeovateToolResult {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  input: JsonObject;
  result: {
    llmContent: string | (NeovateText | NeovateImage)[];
    returnDisplay?: string | JsonObject;
    isError?: boolean;
  };
}

export interface NeovateUserMessage {
  role: 'user';
  content: string | (NeovateText | NeovateImage)[];
  /** The content that is shown to the person instead. */
  uiContent?: string;
  hidden?: boolean;
}

export interface NeovateAssistantMessage {
  role: 'assistant';
  content: string | (NeovateReasoning | NeovateText | NeovateToolUse)[];
  text?: string;
  /** `<provider>/<model>`. */
  model?: string;
  usage?: { input_tokens: number; output_tokens: number };
}

export interface NeovateToolMessage {
  role: 'tool';
  content: NeovateToolResult[];
}

/** A message that may be appended; `uuid` is a new one unless given. */
export type AppendableNeovateMessage = (
  | NeovateUserMessage
  | NeovateAssistantMessage
  | NeovateToolMessage
) & { uuid?: string };

/** A message as it is in the file. */
export type NeovateMessage = (NeovateUserMessage | NeovateAssistantMessage | NeovateToolMessage) & {
  type: 'message';
  uuid: string;
  parentUuid: string | null;
  /** ISO 8601. */
  timestamp: string;
  sessionId: string;
};

/** Settings of a session. */
export interface NeovateConfig {
  approvalMode?: 'default' | 'autoEdit' | 'yolo';
  approvalTools?: string[];
  /** The title. */
  summary?: string;
  [key: string]: unknown;
}
