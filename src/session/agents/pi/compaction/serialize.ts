import { formatConversation } from '../../../model/text/format-conversation.ts';
import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { toSpokenMessages } from './to-spoken.ts';

/** What pi puts round a summary for the model. */
const WRAPPERS: ReadonlyMap<unknown, readonly [before: string, after: string]> = new Map([
  [
    'compactionSummary',
    [
      'The conversation history before this point was compacted into the following summary:\n\n<summary>\n',
      '\n</summary>',
    ],
  ],
  [
    'branchSummary',
    [
      'The following is a summary of a branch that this conversation came back from:\n\n<summary>\n',
      '</summary>',
    ],
  ],
]);

/**
 * pi's messages as the plain text that a summariser reads: `serializeConversation` of what
 * `convertToLlm` makes of them, of pi 1.5.2.
 */
export function serializeConversation(messages: readonly JsonObject[]): string {
  return formatConversation(toSpokenMessages(messages.map(toTold)));
}

function toTold(message: JsonObject): JsonObject {
  const wrapper = WRAPPERS.get(message['role']);
  if (!wrapper) return message;
  const [before, after] = wrapper;
  return { role: 'user', content: before + (getString(message, 'summary') ?? '') + after };
}
