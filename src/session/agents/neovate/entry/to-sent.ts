import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { type Block, toParts } from '../../../model/text/conversation.ts';
import { type SentBlock, type SentMessage, toSentImage } from '../../../model/text/sent-message.ts';
import { getParts, isOldToolResult } from '../format.ts';
import { getText, getToolOutcomes, readImage } from './parts.ts';
import { toBlocks } from './to-turn.ts';

/** Messages in the shape that every agent's have. */
export function toSent(messages: readonly JsonObject[]): readonly SentMessage[] {
  return messages.map((message) => {
    const outcomes = getToolOutcomes(message);
    if (outcomes.length > 0 || isOldToolResult(message)) {
      return { role: 'user', blocks: outcomes.map(toSentResult) };
    }
    const blocks =
      getParts(message).length === 0
        ? [{ type: 'text' as const, text: getText(message) }]
        : toBlocks(message['content']).map(toSentBlock);
    return { role: getString(message, 'role') ?? '', blocks };
  });
}

function toSentResult({
  callId,
  isError,
  content,
}: ReturnType<typeof getToolOutcomes>[number]): SentBlock {
  const parts = toParts(content);
  return {
    type: 'toolResult',
    toolCallId: callId,
    isError,
    text: parts.flatMap((part) => getString(part, 'text') ?? []).join('\n'),
    images: parts
      .filter(({ type }) => type === 'image')
      .map(readImage)
      .map(({ mimeType, data }) => toSentImage(mimeType, data)),
  };
}

function toSentBlock(block: Block): SentBlock {
  switch (block.type) {
    case 'thinking':
      return { type: 'thinking', text: block.text };
    case 'image':
      return toSentImage(block.mimeType, block.data);
    default:
      return block;
  }
}
