import type { BlockChange } from '../../../dialect/reduction.ts';
import { getString, type JsonObject, parseJsonObject } from '../../../jsonl/edit/json.ts';
import {
  findValue,
  type MemberEdit,
  renameMember,
  spliceObject,
} from '../../../jsonl/edit/splice.ts';
import { readPlaceholderType, TAKEN_OUT } from '../../../model/text/image-block.ts';
import { changeParts, type PartChange } from '../../../reduce/change-parts.ts';
import { changeShown } from './change-shown.ts';
import { toPlaceholder, toUrl } from './image-url.ts';
import { RESULT_PLACES } from './result-places.ts';

/** The places of parts: in a message, in the result of a tool, in the prompt as shown to the user. */
const PLACES = [
  ['payload', 'content'],
  ['payload', 'output'],
  ['payload', 'item', 'content'],
] as const;
/** The context that a compaction holds: items, each with parts. */
const HELD = ['payload', 'replacement_history'];
const HELD_PLACES = [['content'], ['output']];
/** The results of tools of servers: their blocks are those of other agents. */
const SERVED_PLACES = Array.from(RESULT_PLACES.values(), (at) => [...at, 'content']);
const MARKS = ['data:', '"mimeType"', TAKEN_OUT];
/** The name of an image part for each name of a text part. */
const TEXTS: ReadonlyMap<unknown, string> = new Map([
  ['input_image', 'input_text'],
  ['image', 'text'],
]);
const IMAGES: ReadonlyMap<unknown, string> = new Map(
  Array.from(TEXTS, ([image, text]) => [text, String(image)]),
);

/**
 * Changes the images of a line. `change` is shown them as other agents have them. What a compaction
 * holds of the context is changed only where a later one replaces it.
 */
export function changeBlocks(
  bytes: Buffer,
  change: BlockChange,
  isSuperseded = false,
): Buffer | undefined {
  if (!isMarked(bytes)) return undefined;
  const one: PartChange = (part) => changePart(part, change);
  let changed = changeParts(bytes, PLACES, one);
  if (isSuperseded) {
    const inItem: PartChange = (item) => changeParts(item, HELD_PLACES, one);
    changed = changeParts(changed ?? bytes, [HELD], inItem) ?? changed;
  }
  changed = changeParts(changed ?? bytes, SERVED_PLACES, change) ?? changed;
  return changeShown(changed ?? bytes, change) ?? changed;
}

function isMarked(bytes: Buffer): boolean {
  return MARKS.some((mark) => bytes.includes(mark));
}

function changePart(part: Buffer, change: BlockChange): Buffer | undefined {
  if (!isMarked(part)) return undefined;
  const value = parseJsonObject(part.toString('utf8')) ?? {};
  const [url, text] = [getString(value, 'image_url'), getString(value, 'text')];
  // Codex skips a line with a key that stands twice.
  if (url !== undefined && text !== undefined) return undefined;
  if (url !== undefined && TEXTS.has(value['type'])) return takeOut(part, value, url, change);
  if (text === undefined || !IMAGES.has(value['type'])) return undefined;
  const restored = toUrl(text, change);
  return restored === undefined
    ? undefined
    : replace(part, IMAGES.get(value['type']), ['text', 'image_url', restored]);
}

function takeOut(
  part: Buffer,
  value: JsonObject,
  url: string,
  change: BlockChange,
): Buffer | undefined {
  const text = toPlaceholder(url, isMadeAgain(part, value, url), change);
  if (text === undefined) return undefined;
  const replaced = replace(part, TEXTS.get(value['type']), ['image_url', 'text', text]);
  // A restored image keeps its level of detail; Codex ignores that of a text.
  const isForGood = replaced !== undefined && readPlaceholderType(text) === undefined;
  return isForGood ? spliceObject(replaced, [{ key: 'detail', value: undefined }]) : replaced;
}

/** Returns whether the image can be restored so that no byte differs: one that is spelled with escapes, or twice, cannot. */
function isMadeAgain(part: Buffer, value: JsonObject, url: string): boolean {
  const text = replace(part, TEXTS.get(value['type']), ['image_url', 'text', '']);
  if (!text || findValue(text, ['image_url'])) return false;
  const again = replace(text, getString(value, 'type'), ['text', 'image_url', url]);
  return again?.equals(part) ?? false;
}

/** Another type, and another value under another key at the same place; all else as it was. */
function replace(
  part: Buffer,
  type: string | undefined,
  [from, to, value]: readonly [from: string, to: string, value: string],
): Buffer | undefined {
  const edits: MemberEdit[] = [
    { key: 'type', value: JSON.stringify(type) },
    { key: from, value: JSON.stringify(value) },
  ];
  const edited = spliceObject(part, edits);
  return edited && renameMember(edited, from, to);
}
