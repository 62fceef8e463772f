import type { BlockChange } from '../../../dialect/reduction.ts';
import { isArray } from '../../../jsonl/edit/json.ts';
import { findValue, readValue, spliceObject } from '../../../jsonl/edit/splice.ts';
import { readPlaceholderType } from '../../../model/text/image-block.ts';
import { toPlaceholder, toUrl } from './image-url.ts';

const PLACE = ['payload'];
/**
 * The key of a list with an item for each image that there was: null where it is still in the list, else the
 * text that stands for it.
 */
const TAKEN = 'images_taken_out';

/**
 * A legacy event names the images of a prompt in a list, which has no place for a text. Those that can
 * come back leave theirs in a list of their own, which Codex skips.
 */
export function changeShown(bytes: Buffer, change: BlockChange): Buffer | undefined {
  const [images, taken] = [readList(bytes, 'images'), readList(bytes, TAKEN)];
  if (!images || (images.length === 0 && !taken)) return undefined;
  const isPlain =
    findValue(bytes, [...PLACE, 'images'])?.equals(Buffer.from(JSON.stringify(images))) ?? false;
  const rest = [...images];
  const all = (taken ?? images.map(() => null)).map((text) =>
    typeof text === 'string' ? { text } : { url: rest.shift(), text: null },
  );
  // Another program has changed one of the two lists.
  if (rest.length > 0 || all.some((one) => !('url' in one ? one.url !== undefined : one.text))) {
    return undefined;
  }
  const changed = all.flatMap((one): readonly Shown[] => {
    if (!('url' in one)) {
      const url = toUrl(one.text, change);
      return url === undefined ? [one] : [{ url, text: null }];
    }
    const text = typeof one.url === 'string' ? toPlaceholder(one.url, isPlain, change) : undefined;
    if (text === undefined) return [one];
    return readPlaceholderType(text) === undefined ? [] : [{ text }];
  });
  if (changed.length === all.length && changed.every((one, at) => one === all[at]))
    return undefined;
  const left = changed.flatMap((one) => ('url' in one ? [one.url] : []));
  const texts = changed.map(({ text }) => text);
  const isAnyOut = texts.some((text) => text !== null);
  const edits = [
    { key: 'images', value: JSON.stringify(left) },
    { key: TAKEN, value: isAnyOut ? JSON.stringify(texts) : undefined },
  ];
  return spliceObject(bytes, edits, { at: PLACE, after: 'images' });
}

/** An image that is in the list, or the text that stands for one that is not. */
type Shown = { readonly url: unknown; readonly text: null } | { readonly text: string };

function readList(bytes: Buffer, key: string): readonly unknown[] | undefined {
  const value = readValue(bytes, [...PLACE, key]);
  return isArray(value) ? value : undefined;
}
