import type { Entry } from '../../entry.ts';
import { isObject } from '../../json.ts';
import { findValue, type MemberEdit, spliceObject } from '../../jsonl/splice.ts';
import { cutText } from '../../reduce/cut-text.ts';
import { isPlaceholder } from '../../reduce/image-block.ts';
import { changeParts } from './change-parts.ts';

/** Cuts what the results of tools say to the model, and what they show to a person. */
export function cutOutput(bytes: Buffer, { role }: Entry, maxBytes: number): Buffer | undefined {
  if (role !== 'tool' || bytes.length <= maxBytes) return undefined;
  return changeParts(bytes, ['content'], (part) => cutResult(part, maxBytes));
}

function cutResult(part: Buffer, maxBytes: number): Buffer | undefined {
  if (part.length <= maxBytes) return undefined;
  const texts = changeParts(part, ['result', 'llmContent'], (text) => cutTextPart(text, maxBytes));
  const edits: MemberEdit[] = ['llmContent', 'returnDisplay'].flatMap((key) => {
    const value = parse(findValue(part, ['result', key]));
    const cut = typeof value === 'string' ? cutText(value, maxBytes) : undefined;
    return cut === undefined ? [] : { key, value: JSON.stringify(cut) };
  });
  if (edits.length === 0) return texts;
  return spliceObject(texts ?? part, edits, { at: ['result'] });
}

function cutTextPart(bytes: Buffer, maxBytes: number): Buffer | undefined {
  // What names an image in a file must stay whole, or the image is lost.
  if (bytes.length <= maxBytes || isPlaceholder(bytes)) return undefined;
  const part = parse(bytes);
  const text = isObject(part) && part['type'] === 'text' ? part['text'] : undefined;
  const cut = typeof text === 'string' ? cutText(text, maxBytes) : undefined;
  if (cut === undefined) return undefined;
  return spliceObject(bytes, [{ key: 'text', value: JSON.stringify(cut) }]);
}

function parse(bytes: Buffer | undefined): unknown {
  return bytes && JSON.parse(bytes.toString('utf8'));
}
