import type { SpokenCall, SpokenMessage } from './summarizer.ts';
import { toJsonText } from '../../jsonl/edit/json.ts';

/** A summary needs the beginning of an output, and not all of it. */
const MAX_RESULT = 2000;

const SEPARATOR = '\n\n';

/**
 * Writes a conversation as plain text, which no model takes for one that it should continue; labels
 * and order are those of `serializeConversation` of pi 1.6.0, which leaves out thinking.
 */
export function formatConversation(messages: readonly SpokenMessage[]): string {
  return messages.flatMap(formatMessage).join(SEPARATOR);
}

/** The paragraphs of one message. */
export function formatMessage(message: SpokenMessage): readonly string[] {
  switch (message.role) {
    case 'user': {
      const { text, shown = text } = message;
      return shown === '' ? [] : [`[User]: ${shown}`];
    }
    case 'tool':
      return message.text === '' ? [] : [`[Tool result]: ${shorten(message.text)}`];
    case 'assistant': {
      const { text, calls } = message;
      return [
        ...(text === undefined ? [] : [`[Assistant]: ${text}`]),
        ...(calls.length === 0
          ? []
          : [`[Assistant tool calls]: ${calls.map(formatCall).join('; ')}`]),
      ];
    }
  }
}

function formatCall({ name, arguments: args }: SpokenCall): string {
  const parts = Object.entries(args).map(([key, value]) => `${key}=${toJsonText(value ?? null)}`);
  return `${name}(${parts.join(', ')})`;
}

function shorten(text: string): string {
  if (text.length <= MAX_RESULT) return text;
  const more = text.length - MAX_RESULT;
  // pi does not cut a character in two either.
  const splitsPair = /[\ud800-\udbff][\udc00-\udfff]/.test(
    text.slice(MAX_RESULT - 1, MAX_RESULT + 1),
  );
  const head = text.slice(0, splitsPair ? MAX_RESULT - 1 : MAX_RESULT);
  return `${head}\n\n[... ${more} more characters truncated]`;
}

/** Sorted; a file that was modified is not listed as read. */
export interface FileLists {
  readonly readFiles: readonly string[];
  readonly modifiedFiles: readonly string[];
}

/** The lists as they stand at the end of a summary. */
export function formatFileLists({ readFiles, modifiedFiles }: FileLists): string {
  const lists = [
    ['read-files', readFiles],
    ['modified-files', modifiedFiles],
  ] as const;
  return lists
    .filter(([, files]) => files.length > 0)
    .map(([tag, files]) => `\n\n<${tag}>\n${files.join('\n')}\n</${tag}>`)
    .join('');
}
