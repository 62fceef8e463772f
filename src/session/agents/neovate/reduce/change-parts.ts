import { findValue } from '../../../jsonl/edit/splice.ts';
import type { BlockChange } from '../../../dialect/reduction.ts';
import { changeParts } from '../../../reduce/change-parts.ts';

const [TEXT, IMAGE] = ['"text"', '"image"'];
const SHORT = 4096;

/** Changes the parts of a message, and those that its tool results hold. */
export function changeBlocks(bytes: Buffer, change: BlockChange): Buffer | undefined {
  const changeOne = (part: Buffer): Buffer | undefined => changeAsBare(part, change);
  return changeParts(bytes, [['content']], (part) => {
    const given = changeParts(part, [['result', 'llmContent']], changeOne);
    return given ?? changeOne(part);
  });
}

/**
 * Lets `change` see an image as other agents have it, without the prefix of a data URL, and puts the
 * prefix before an image that comes back. An image that has another prefix than its type is kept.
 */
function changeAsBare(part: Buffer, change: BlockChange): Buffer | undefined {
  const type = readField(part, 'type');
  const prefix = `"data:${readField(part, 'mimeType').slice(1, -1)};base64,`;
  if (type === IMAGE) {
    const bare = replaceStart(part, prefix, '"');
    return bare && change(bare);
  }
  const changed = type === TEXT ? change(part) : undefined;
  return changed && readField(changed, 'type') === IMAGE
    ? replaceStart(changed, '"', prefix)
    : changed;
}

/** The part with another start of its data; undefined where the data starts otherwise. */
function replaceStart(part: Buffer, from: string, to: string): Buffer | undefined {
  const data = findValue(part, ['data']);
  const start = Buffer.from(from);
  if (!data?.subarray(0, start.length).equals(start)) return undefined;
  const at = data.byteOffset - part.byteOffset;
  return Buffer.concat([part.subarray(0, at), Buffer.from(to), part.subarray(at + start.length)]);
}

/** A short field as it is written, quotes included; empty where there is none. */
function readField(part: Buffer, key: 'type' | 'mimeType'): string {
  const value = findValue(part, [key]);
  return value && value.length <= SHORT ? value.toString('utf8') : '';
}
