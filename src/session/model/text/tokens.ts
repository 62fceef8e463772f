import { toJsonText } from '../../jsonl/edit/json.ts';
import type { SpokenMessage } from './summarizer.ts';

const CHARACTERS_PER_TOKEN = 4;

/** Tokens of this many UTF-16 code units, as pi reckons: a quarter of them, rounded up. */
export function toTokens(characters: number): number {
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}

/** Returns how many UTF-16 code units a number of tokens allows. */
export function toCharacters(tokens: number): number {
  return tokens * CHARACTERS_PER_TOKEN;
}

/** Tokens of messages as a summarizer reads them, as pi reckons those of each. */
export function countSpokenTokens(messages: readonly SpokenMessage[]): number {
  return messages.reduce((sum, message) => sum + toTokens(countCharacters(message)), 0);
}

/** UTF-16 code units of a message as a summarizer reads it, with those of its calls. */
function countCharacters(message: SpokenMessage): number {
  if (message.role !== 'assistant') return message.text.length;
  const { text = '', thinking = '', calls } = message;
  const called = calls.map(({ name, arguments: given }) => name + toJsonText(given));
  return text.length + thinking.length + called.join('').length;
}
