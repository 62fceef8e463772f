import type { BlockChange } from '../../../dialect/reduction.ts';
import {
  getObject,
  getString,
  type JsonObject,
  type JsonValue,
  parseJsonObject,
} from '../../../jsonl/edit/json.ts';
import { findValue, readValue, spliceObject } from '../../../jsonl/edit/splice.ts';
import {
  isDropped,
  readPlaceholderType,
  TAKEN_OUT,
  toImageBlock,
} from '../../../model/text/image-block.ts';
import { changeParts, type PartChange } from '../../../reduce/change-parts.ts';

/** The places of blocks: in a message, in the result of a tool, in a prompt that was queued. */
const PLACES = [['message', 'content'], ['toolUseResult'], ['attachment', 'prompt']] as const;
const IMAGE = Buffer.from('"image"');

/**
 * Changes the images and texts of a line. `change` is shown them as other agents have them, without
 * the `source` around the data; the model is refused blocks with keys that it does not know.
 */
export function changeBlocks(bytes: Buffer, change: BlockChange): Buffer | undefined {
  const changed = changeParts(bytes, PLACES, (part) => changePart(part, change));
  return changeShown(changed ?? bytes, change) ?? changed;
}

function changePart(part: Buffer, change: BlockChange): Buffer | undefined {
  const one: PartChange = (block) => changeBlock(block, change);
  return changeParts(part, [['content']], one) ?? one(part);
}

function changeBlock(block: Buffer, change: BlockChange): Buffer | undefined {
  if (!block.includes(IMAGE) && !block.includes(TAKEN_OUT)) return undefined;
  const value = parseJsonObject(block.toString('utf8'));
  const bare = value && toBare(value, block);
  const changed = bare && change(bare.block);
  return changed && fromBare(changed, bare.layout);
}

/**
 * The order in which an image says what it is, for the client has written both: `data` before `media_type`,
 * or behind it. The block in its place says so by the order of its own keys.
 */
type Layout = 'data-first' | 'data-last';

interface Bare {
  readonly block: Buffer;
  readonly layout: Layout;
}

function toBare(value: JsonObject, written: Buffer): Bare | undefined {
  if (value['type'] === 'image') return toBareImage(getObject(value, 'source') ?? {}, written);
  const text = value['type'] === 'text' ? getString(value, 'text') : undefined;
  const mimeType = text === undefined ? undefined : readPlaceholderType(text);
  if (text === undefined || mimeType === undefined) return undefined;
  const block = Buffer.from(JSON.stringify({ type: 'text', text, mimeType }));
  return { block, layout: Object.keys(value)[0] === 'text' ? 'data-last' : 'data-first' };
}

function toBareImage(source: JsonObject, written: Buffer): Bare | undefined {
  const [data, mimeType] = [getString(source, 'data'), getString(source, 'media_type')];
  if (source['type'] !== 'base64' || data === undefined || mimeType === undefined) return undefined;
  const layout = LAYOUTS.find((one) => written.equals(toImage(data, mimeType, one)));
  const block = toImageBlock({ data, mimeType }, layout !== undefined);
  return { block, layout: layout ?? 'data-first' };
}

const LAYOUTS: readonly Layout[] = ['data-first', 'data-last'];

function toImage(data: string, mimeType: string, layout: Layout): Buffer {
  const source =
    layout === 'data-first'
      ? { type: 'base64', data, media_type: mimeType }
      : { type: 'base64', media_type: mimeType, data };
  return Buffer.from(JSON.stringify({ type: 'image', source }));
}

function fromBare(changed: Buffer, layout: Layout): Buffer {
  const value = parseJsonObject(changed.toString('utf8')) ?? {};
  const field = (key: string): string => getString(value, key) ?? '';
  if (value['type'] === 'image') return toImage(field('data'), field('mimeType'), layout);
  const [type, text] = ['text', field('text')];
  return Buffer.from(JSON.stringify(layout === 'data-first' ? { type, text } : { text, type }));
}

/** The image that a tool has read, once more for the person: `toolUseResult.file`. */
function changeShown(bytes: Buffer, change: BlockChange): Buffer | undefined {
  const place = ['toolUseResult', 'file'];
  const [base64, type] = ['base64', 'type'].map((key) => readString(bytes, [...place, key]));
  if (!base64 || !type || isDropped(base64)) return undefined;
  const isOut = readPlaceholderType(base64) !== undefined;
  const isExact = findValue(bytes, [...place, 'base64'])?.equals(toBytes(base64)) ?? false;
  const bare = isOut
    ? toBytes({ type: 'text', text: base64, mimeType: type })
    : toImageBlock({ data: base64, mimeType: type }, isExact);
  const changed = change(bare);
  const value = changed && parseJsonObject(changed.toString('utf8'));
  const now = value && getString(value, value['type'] === 'image' ? 'data' : 'text');
  if (now === undefined) return undefined;
  return spliceObject(bytes, [{ key: 'base64', value: JSON.stringify(now) }], { at: place });
}

function toBytes(value: JsonValue): Buffer {
  return Buffer.from(JSON.stringify(value));
}

function readString(bytes: Buffer, path: readonly string[]): string | undefined {
  const value = readValue(bytes, path);
  return typeof value === 'string' ? value : undefined;
}
