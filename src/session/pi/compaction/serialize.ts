import { formatConversation } from '../../format-conversation.ts';
import type { JsonObject } from '../../json.ts';
import { toSpokenMessages } from './to-spoken.ts';

/** pi's messages as the plain text that a summariser reads: `serializeConversation` of pi 0.87.1. */
export function serializeConversation(messages: readonly JsonObject[]): string {
  return formatConversation(toSpokenMessages(messages));
}
