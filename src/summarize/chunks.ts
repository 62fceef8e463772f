import { formatMessage } from '../session/model/text/format-conversation.ts';
import type { SpokenMessage } from '../session/model/text/summarizer.ts';

const SEPARATOR = '\n\n';

/**
 * A conversation as text, in pieces of at most this many characters, cut between messages where that
 * is possible and inside one only where it is longer than a piece.
 */
export function* splitConversation(
  messages: readonly SpokenMessage[],
  maxCharacters: number,
): Generator<string> {
  let pending: string[] = [];
  let length = 0;
  for (const paragraph of messages.flatMap(formatMessage)) {
    for (const part of cut(paragraph, maxCharacters)) {
      const added = part.length + SEPARATOR.length;
      if (length > 0 && length + added > maxCharacters) {
        yield pending.join(SEPARATOR);
        pending = [];
        length = 0;
      }
      pending.push(part);
      length += added;
    }
  }
  if (pending.length > 0) yield pending.join(SEPARATOR);
}

function* cut(text: string, length: number): Generator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length);
}
