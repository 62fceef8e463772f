import { getString, isArray, isObject, type JsonObject } from '../../../jsonl/edit/json.ts';
import { getMessage } from '../format.ts';

/** The text of a user message as pi's `/fork` gives it back: text blocks, with nothing between. */
export function getUserText(entry: JsonObject): string {
  const content = getMessage(entry)?.['content'];
  if (typeof content === 'string') return content;
  if (!isArray(content)) return '';
  const texts = content.filter(isObject).filter((block) => block['type'] === 'text');
  return texts.map((block) => getString(block, 'text') ?? '').join('');
}
