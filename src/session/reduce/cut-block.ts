import { getString, parseJsonObject } from '../jsonl/edit/json.ts';
import { type MemberEdit, readValue, spliceObject } from '../jsonl/edit/splice.ts';
import { cutText } from '../model/text/cut-text.ts';
import { isPlaceholder } from '../model/text/image-block.ts';

const TEXT: ReadonlySet<unknown> = new Set(['text']);

/** Cuts the text of a block of one of these types; undefined for any other block, and where nothing is too long. */
export function cutTextBlock(
  block: Buffer,
  maxBytes: number,
  types: ReadonlySet<unknown> = TEXT,
): Buffer | undefined {
  // The placeholder of an image must be kept whole, or the image is lost.
  if (block.length <= maxBytes || isPlaceholder(block)) return undefined;
  const value = parseJsonObject(block.toString('utf8'));
  const text = value && types.has(value['type']) ? getString(value, 'text') : undefined;
  const cut = text === undefined ? undefined : cutText(text, maxBytes);
  return cut === undefined
    ? undefined
    : spliceObject(block, [{ key: 'text', value: JSON.stringify(cut) }]);
}

/** Returns what cuts a member that is a text, the last of the keys that lead to it; none otherwise. */
export function cutMember(
  bytes: Buffer,
  path: readonly [...string[], string],
  maxBytes: number,
): readonly MemberEdit[] {
  const value = readValue(bytes, path);
  const cut = typeof value === 'string' ? cutText(value, maxBytes) : undefined;
  return cut === undefined
    ? []
    : [{ key: path[path.length - 1] ?? '', value: JSON.stringify(cut) }];
}
