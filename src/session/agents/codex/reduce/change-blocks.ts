import type { BlockChange } from '../../../dialect/reduction.ts';
import { getString, isArray, isObject, type JsonObject } from '../../../jsonl/edit/json.ts';
import { findValue, spliceObject } from '../../../jsonl/edit/splice.ts';
import { parseDataUrl } from '../../../model/text/data-url.ts';
import { changeParts } from '../../../reduce/change-parts.ts';

/** Where parts are: in a message, in what a tool gave back, in what the person is shown of a prompt. */
const PLACES = [
  ['payload', 'content'],
  ['payload', 'output'],
  ['payload', 'item', 'content'],
] as const;
const MARK = Buffer.from('data:');

/**
 * Changes the images of a line. `change` is shown them as other agents have them; what only the newest
 * compaction holds of the context has none.
 */
export function changeBlocks(bytes: Buffer, change: BlockChange): Buffer | undefined {
  if (!bytes.includes(MARK)) return undefined;
  let changed: Buffer | undefined;
  for (const place of PLACES) {
    const next = changeParts(changed ?? bytes, place, (part) => changePart(part, change));
    changed = next ?? changed;
  }
  return changeShown(changed ?? bytes, change) ?? changed;
}

function changePart(part: Buffer, change: BlockChange): Buffer | undefined {
  if (!part.includes(MARK)) return undefined;
  const value = parse(part);
  const text = value && changeUrl(getString(value, 'image_url') ?? '', change);
  if (!value || text === undefined) return undefined;
  const isItem = value['type'] === 'input_image';
  const made = isItem ? { type: 'input_text', text } : { type: 'text', text, text_elements: [] };
  return Buffer.from(JSON.stringify(made));
}

/** The text that stands instead of an image; undefined for what is none, or is left. */
function changeUrl(url: string, change: BlockChange): string | undefined {
  const image = parseDataUrl(url);
  if (!image) return undefined;
  const changed = change(Buffer.from(JSON.stringify({ type: 'image', ...image })));
  const value = changed && parse(changed);
  return value && getString(value, 'text');
}

/** A legacy event names the images of a prompt in a list: those that go, go from it. */
function changeShown(bytes: Buffer, change: BlockChange): Buffer | undefined {
  const stored = findValue(bytes, ['payload', 'images']);
  if (!stored?.includes(MARK)) return undefined;
  const images: unknown = JSON.parse(stored.toString('utf8'));
  if (!isArray(images)) return undefined;
  const kept = images.filter(
    (url) => typeof url !== 'string' || changeUrl(url, change) === undefined,
  );
  if (kept.length === images.length) return undefined;
  return spliceObject(bytes, [{ key: 'images', value: JSON.stringify(kept) }], { at: ['payload'] });
}

function parse(bytes: Buffer): JsonObject | undefined {
  const value: unknown = JSON.parse(bytes.toString('utf8'));
  return isObject(value) ? value : undefined;
}
