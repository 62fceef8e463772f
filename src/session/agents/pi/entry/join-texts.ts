import { getString, type JsonValue, listObjects } from '../../../jsonl/edit/json.ts';

/** Joins the text blocks of the content of a message, or takes the text that it is; undefined without any. */
export function joinTexts(content: JsonValue | undefined, separator: string): string | undefined {
  if (typeof content === 'string') return content;
  const texts = listObjects(content).filter((block) => block['type'] === 'text');
  if (texts.length === 0) return undefined;
  return texts.map((block) => getString(block, 'text') ?? '').join(separator);
}
