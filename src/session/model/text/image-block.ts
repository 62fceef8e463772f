import { createHash } from 'node:crypto';
import type { Flushed } from '../../jsonl/files/flush.ts';
import { type Member, readMembers } from '../../jsonl/edit/members.ts';
import type { JsonObject } from '../../jsonl/edit/json.ts';
import { isBase64 } from '../../jsonl/scanner/is-base64.ts';

const IMAGE_DATA = /^[A-Za-z0-9+/]+={0,2}$/;

/** Returns whether the data of an image is base64, as agents and providers take it: in one line, and not empty. */
export function isImageData(data: string): boolean {
  return IMAGE_DATA.test(data);
}

/** The store of images that were taken out: named by their content, so that each is stored once. */
export interface ImageFiles {
  /** The folder in a placeholder: relative to the session's directory. */
  readonly folder: string;
  /** Returns whether the folder is surely that of the session; `isMade`: the agent has named the session file. */
  ownsFolder(isMade: boolean): boolean;
  /** Keeps an image, unless it is there; it is safe on the disk after `flush`. */
  put(name: string, bytes: Buffer): void;
  /** Finds an image by folder and name; undefined when it is not there. */
  get(folder: string, name: string): Buffer | undefined;
  /** Flushes every image that was put or found. */
  flush(): Promise<Flushed>;
  /** Takes away again what this run has put. */
  discard(): void;
}

/** Extensions of formats that every image viewer knows; none that may hold scripts or links. */
export const IMAGE_EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
]);
/** The words in every text that stands for an image in a file: lines without them hold none. */
export const TAKEN_OUT = 'taken out by coppice: ';
/** No text longer than this is a placeholder. */
const MAX_FIELD = 4096;
const PLACEHOLDER =
  // oxlint-disable-next-line no-control-regex -- a folder's name may hold anything
  /^"\[image taken out by coppice: ([^/"\\\u0000-\u001f]+)\/([0-9a-f]{64}\.[a-z]{3,4}), ([^\s"\\\u0000-\u001f\p{Cs}]+), (\d+) bytes\]"$/u;

/**
 * Puts the image of a block into a file and a text block in its place, from which `restoreImage`
 * makes the same bytes again. Undefined for other blocks, and for images of which that is not sure.
 */
export function extractImage(
  block: Buffer,
  files: Pick<ImageFiles, 'folder' | 'put'>,
): Buffer | undefined {
  const image = readImage(block);
  const bytes = image && decodeExactly(image);
  if (!bytes) return undefined;
  const { mimeType } = image;
  const name = `${toSha256(bytes)}.${IMAGE_EXTENSIONS.get(mimeType) ?? 'bin'}`;
  const where = `${files.folder}/${name}, ${mimeType}, ${bytes.length} bytes`;
  const placeholder = `"[image taken out by coppice: ${where}]"`;
  // Nothing is taken out that `restoreImage` would not know again.
  if (placeholder.length > MAX_FIELD || !PLACEHOLDER.test(placeholder)) return undefined;
  files.put(name, bytes);
  return rewrite(block, image.members, IMAGE_TO_TEXT, placeholder);
}

const NOTE = '[image left out by coppice: ';

/** Puts a note in the place of an image, permanently. Undefined for other blocks. */
export function dropImage(block: Buffer): Buffer | undefined {
  const image = readImage(block);
  if (!image) return undefined;
  const note = `${NOTE}${image.mimeType}, ${measureImage(image)} bytes]`;
  return rewrite(block, image.members, IMAGE_TO_TEXT, JSON.stringify(note));
}

/**
 * Puts an image back where a placeholder stands. Undefined for other blocks, and when the file is
 * missing or no longer holds the image.
 */
export function restoreImage(block: Buffer, files: Pick<ImageFiles, 'get'>): Buffer | undefined {
  const members = readMembers(block, 0);
  const { type, text, mimeType, data } = readFields(block, members);
  if (type !== '"text"' || text === undefined || data !== undefined) return undefined;
  const [, folder = '', name = '', stored] = PLACEHOLDER.exec(text) ?? [];
  if (mimeType === undefined || stored === undefined || mimeType !== JSON.stringify(stored)) {
    return undefined;
  }
  const bytes = folder === '..' || folder === '.' ? undefined : files.get(folder, name);
  if (!bytes || !name.startsWith(toSha256(bytes))) return undefined;
  return rewrite(block, members, TEXT_TO_IMAGE, `"${bytes.toString('base64')}"`);
}

/** The block of an image that is stored otherwise. Where it cannot be made again as it is, it is not extracted. */
export function toImageBlock(
  { data, mimeType }: { readonly data: string; readonly mimeType: string },
  isExact: boolean,
): Buffer {
  const block = JSON.stringify({ type: 'image', data, mimeType });
  if (isExact) return Buffer.from(block);
  // An escape that no one needs keeps the type from being as it would be written again.
  const toEscape = (name: string, first: string): string =>
    `${name}\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return Buffer.from(
    block.replace(/("mimeType":")([^"\\])/, (_, ...[name, first]) =>
      toEscape(String(name), String(first)),
    ),
  );
}

/** Returns whether a text stands for an image that was dropped. Base64 holds no bracket. */
export function isDropped(text: string): boolean {
  return text.startsWith(NOTE);
}

/** The type of the image for which a text stands; undefined for other texts. */
export function readPlaceholderType(text: string): string | undefined {
  return text.length > MAX_FIELD ? undefined : PLACEHOLDER.exec(JSON.stringify(text))?.[3];
}

/** A text block as pi has it: one that stands for an image keeps the type of that. */
export function toTextBlock(text: string): JsonObject {
  const mimeType = readPlaceholderType(text);
  return mimeType === undefined ? { type: 'text', text } : { type: 'text', text, mimeType };
}

export function isPlaceholder(block: Buffer): boolean {
  return PLACEHOLDER.test(readFields(block, readMembers(block, 0)).text ?? '');
}

interface Image {
  readonly members: readonly Member[];
  readonly mimeType: string;
  /** Whether the block holds the type as it would be written again. */
  readonly isNamed: boolean;
  /** The base64 as the block holds it, between its quotes. */
  readonly data: Buffer;
}

const IMAGE = Buffer.from('"image"');
const QUOTE = 0x22;

function readImage(block: Buffer): Image | undefined {
  // This search takes longer than reading the members of a long block.
  if (block.length < MAX_FIELD && !block.includes(IMAGE)) return undefined;
  const members = readMembers(block, 0);
  const { type, data, mimeType, text } = readFields(block, members);
  if (type !== '"image"' || data?.[0] !== QUOTE || text !== undefined) return undefined;
  const written: unknown = mimeType ? JSON.parse(mimeType) : '';
  const name = typeof written === 'string' ? written : '';
  const isNamed = name !== '' && JSON.stringify(name) === mimeType;
  return { members, mimeType: name || 'unknown', isNamed, data: data.subarray(1, -1) };
}

/** Reads the base64 of an image; characters that are not of base64 may be others than in the file. */
function readBase64(data: Buffer): string {
  // Images are large, and base64 is ASCII: to read it as UTF-8 takes several times as long.
  const stored = data.toString('latin1');
  // Base64 in lines has escapes, which are no part of it.
  return stored.includes('\\') ? String(JSON.parse(`"${stored}"`)) : stored;
}

/** The bytes of an image of which the block can be made again, byte for byte; undefined for others. */
function decodeExactly({ data, isNamed }: Image): Buffer | undefined {
  const encoded = data.toString('latin1');
  const bytes = Buffer.from(encoded, 'base64');
  const isExact = isNamed && bytes.length > 0 && bytes.toString('base64') === encoded;
  return isExact ? bytes : undefined;
}

/** Characters of base64 that are looked at once: whole groups of four. */
const PIECE = 128 * 1024;

/** Measures the bytes of an image: by the number of its characters, as far as these are nothing but base64. */
function measureImage({ data }: Image): number {
  let at = 0;
  while (at + PIECE < data.length && isBase64(data.subarray(at, at + PIECE))) at += PIECE;
  return (at / 4) * 3 + Buffer.from(readBase64(data.subarray(at)), 'base64').length;
}

interface Fields {
  readonly type?: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly data?: Buffer;
}

/** The fields of a block as they are written; none when a key stands twice or is written oddly. */
function readFields(block: Buffer, members: readonly Member[]): Fields {
  const fields: { -readonly [K in keyof Fields]: Fields[K] } = {};
  for (const { key, start, valueStart, valueEnd } of members) {
    if (key !== 'type' && key !== 'data' && key !== 'mimeType' && key !== 'text') continue;
    const isPlain = block.subarray(start, valueStart).includes(`"${key}"`);
    if (!isPlain || fields[key] !== undefined) return {};
    const value = block.subarray(valueStart, valueEnd);
    if (key === 'data') fields.data = value;
    else fields[key] = value.length > MAX_FIELD ? '' : value.toString('utf8');
  }
  return fields;
}

const IMAGE_TO_TEXT = { type: '"text"', from: 'data', to: 'text' } as const;
const TEXT_TO_IMAGE = { type: '"image"', from: 'text', to: 'data' } as const;

/** Another type, and another value under another key at the same place. */
function rewrite(
  block: Buffer,
  members: readonly Member[],
  { type, from, to }: typeof IMAGE_TO_TEXT | typeof TEXT_TO_IMAGE,
  value: string,
): Buffer {
  const parts: Buffer[] = [];
  let done = 0;
  for (const { key, start, valueStart, valueEnd } of members) {
    if (key !== 'type' && key !== from) continue;
    const label = block.toString('utf8', start, valueStart);
    parts.push(block.subarray(done, start));
    parts.push(Buffer.from(key === from ? label.replace(`"${from}"`, `"${to}"`) : label));
    parts.push(Buffer.from(key === from ? value : type));
    done = valueEnd;
  }
  return Buffer.concat([...parts, block.subarray(done)]);
}

function toSha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const DATA_URL = /^data:([^;,]*);base64,/;
/** A data URL names its type at once. */
const MAX_PREFIX = 200;

/** Parses a base64 data URL: its type, and the rest without the prefix; undefined for other text. */
export function parseDataUrl(text: string): { mimeType: string; data: string } | undefined {
  const prefix = DATA_URL.exec(text.slice(0, MAX_PREFIX));
  return prefix ? { mimeType: prefix[1] ?? '', data: text.slice(prefix[0].length) } : undefined;
}
