import { formatConversation } from '../../../../model/text/format-conversation.ts';
import type { JsonObject } from '../../../../jsonl/edit/json.ts';
import { toSpokenMessages } from '../to-spoken.ts';

/** The roles to serialise, without instructions and tools. */
const SERIALIZED: ReadonlySet<unknown> = new Set(['user', 'assistant', 'toolResult']);

/**
 * Writes messages of `convertToLlm` as the plain text that a summariser reads:
 * `serializeConversation` of pi 1.5.2. Thinking is left out; 0.87.1 wrote it, as `[Assistant
 * thinking]`.
 */
export function serializeConversation(messages: readonly JsonObject[]): string {
  return formatConversation(toSpokenMessages(messages.filter(({ role }) => SERIALIZED.has(role))));
}
