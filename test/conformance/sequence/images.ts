import { createHash } from 'node:crypto';
import { isObject, type JsonObject, type JsonValue } from '../../../src/session/jsonl/edit/json.ts';

export type ImageMode = 'extract' | 'drop' | 'restore';

const PLACEHOLDER = /^\[image taken out by coppice: s\/([0-9a-f]{64})\.[a-z]+, \S+, \d+ bytes\]$/;
const EXTENSIONS = new Map([
  ['image/png', 'png'],
  ['image/jpeg', 'jpg'],
  ['image/gif', 'gif'],
  ['image/webp', 'webp'],
]);

/** What becomes of images: said here once more, in the words of docs/compact.md. */
export class Images {
  /** By what names an image in a placeholder. */
  readonly #known = new Map<string, string>();

  /** Each content block anywhere in a message or an entry, as it should read after the command. */
  change(value: JsonValue, mode: ImageMode | undefined): JsonValue {
    if (Array.isArray(value)) return value.map((item: JsonValue) => this.change(item, mode));
    if (!isObject(value)) return value;
    const block = mode && this.#changeBlock(value, mode);
    if (block) return block;
    const members = Object.entries(value).map(([key, member]) => [
      key,
      member === undefined ? member : this.change(member, mode),
    ]);
    return Object.fromEntries(members);
  }

  #changeBlock(block: JsonObject, mode: ImageMode): JsonObject | undefined {
    const { type, data, mimeType, text, ...others } = block;
    if (mode === 'restore') {
      const known = typeof text === 'string' && this.#known.get(PLACEHOLDER.exec(text)?.[1] ?? '');
      if (type !== 'text' || known === false || known === undefined) return undefined;
      return { type: 'image', data: known, mimeType, ...others };
    }
    if (type !== 'image' || typeof data !== 'string' || typeof mimeType !== 'string')
      return undefined;
    const bytes = Buffer.from(data, 'base64');
    if (mode === 'drop') {
      const note = `[image left out by coppice: ${mimeType}, ${bytes.length} bytes]`;
      return { type: 'text', text: note, mimeType, ...others };
    }
    const isExact = data !== '' && bytes.toString('base64') === data && !/[\s"]/.test(mimeType);
    if (!isExact) return undefined;
    const hash = createHash('sha256').update(bytes).digest('hex');
    this.#known.set(hash, data);
    const name = `${hash}.${EXTENSIONS.get(mimeType) ?? 'bin'}`;
    const note = `[image taken out by coppice: s/${name}, ${mimeType}, ${bytes.length} bytes]`;
    return { type: 'text', text: note, mimeType, ...others };
  }
}

/** A word for an image that is in a file: it must stay whole, or the image is lost. */
export function isPlaceholder(text: string): boolean {
  return PLACEHOLDER.test(text);
}
