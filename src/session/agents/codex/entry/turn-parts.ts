import type { ShowOptions } from '../../../dialect/dialect.ts';
import { getString, type JsonObject, type JsonValue } from '../../../jsonl/edit/json.ts';
import type { ModelRef } from '../../../model/entry.ts';
import type { Block, ToolResultTurn, TurnContent } from '../../../model/text/conversation.ts';

/** The facts about the entry of a line that only the index knows, and how much of its session is shown. */
export interface Known {
  readonly model?: ModelRef | undefined;
  /** The tool that gave this result. */
  readonly toolName?: string | undefined;
  readonly shows?: ShowOptions | undefined;
}

/** The result of a tool, before its place is known. */
export type ToolResult = Extract<TurnContent, { readonly role: ToolResultTurn['role'] }>;

/** Something that the model said, thought or called. */
export function toAssistant(blocks: readonly Block[], { model }: Known): TurnContent {
  return { role: 'assistant', blocks, model: model?.modelId };
}

/** Converts the result of a tool. */
export function toResult(
  callId: string,
  toolName: string,
  blocks: readonly Block[],
  isError = false,
): ToolResult {
  return { role: 'toolResult', callId, toolName, blocks, isError };
}

/** The id that a call, or what came of it, has in common with the other; undefined where there is none. */
export function getCallId(item: JsonObject): string | undefined {
  return getString(item, 'call_id') ?? getString(item, 'id');
}

/** The name of the tool that an item calls. */
export function getToolName(item: JsonObject): string {
  return getString(item, 'name') ?? (getString(item, 'type') ?? '').replace(/_call$/, '');
}

export function toCall(id: string, name: string, args: JsonValue): Block {
  return { type: 'toolCall', id, name, arguments: args };
}
