import { getString, isObject, type JsonValue } from '../jsonl/edit/json.ts';
import { findValue, type MemberEdit, spliceObject } from '../jsonl/edit/splice.ts';
import { cutText } from '../model/text/cut-text.ts';
import { isPlaceholder } from '../model/text/image-block.ts';

/** Cuts the text of a text block; undefined for any other block, and where nothing is too long. */
export function cutTextBlock(block: Buffer, maxBytes: number): Buffer | undefined {
  // The placeholder of an image must be kept whole, or the image is lost.
  if (block.length <= maxBytes || isPlaceholder(block)) return undefined;
  const value = parse(block);
  const isText = isObject(value) && value['type'] === 'text';
  const text = isText ? getString(value, 'text') : undefined;
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
  const found = findValue(bytes, path);
  const value = found && parse(found);
  const cut = typeof value === 'string' ? cutText(value, maxBytes) : undefined;
  return cut === undefined
    ? []
    : [{ key: path[path.length - 1] ?? '', value: JSON.stringify(cut) }];
}

/** Parses a part of a line that is known to be JSON. */
function parse(bytes: Buffer): JsonValue {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed JSON enters here
  return JSON.parse(bytes.toString('utf8')) as JsonValue;
}
