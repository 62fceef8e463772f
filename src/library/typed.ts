import type { JsonObject } from '../session/jsonl/edit/json.ts';
import type { LlmMessage } from './manager/messages.ts';
import type { NeovateConfig, NeovateMessage } from './neovate/neovate-messages.ts';
import type { ModelContext, SessionEntry, SessionHeader } from './manager/entries.ts';

/**
 * Gives parsed JSON the types that callers know, as pi itself does: nothing is checked, since files with
 * surprises must still open. `coppice validate` checks.
 */
/* oxlint-disable typescript/no-unsafe-type-assertion */

export function asEntry(record: JsonObject): SessionEntry {
  return record as unknown as SessionEntry;
}

export function asHeader(record: JsonObject): SessionHeader {
  return record as unknown as SessionHeader;
}

export function asContext(context: object): ModelContext {
  return context as ModelContext;
}

export function asLlmMessages(messages: readonly JsonObject[]): LlmMessage[] {
  return messages as unknown as LlmMessage[];
}

export function asNeovateMessage(record: JsonObject): NeovateMessage {
  return record as unknown as NeovateMessage;
}

export function asNeovateConfig(record: JsonObject): NeovateConfig {
  return record;
}

/** The other way round: what callers hand in is what will be written as JSON. */
export function asRecord(value: object): JsonObject {
  return value as JsonObject;
}
