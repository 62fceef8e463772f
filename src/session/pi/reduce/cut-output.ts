import type { Entry } from '../../entry.ts';
import { getString, isObject, type JsonObject } from '../../json.ts';
import { findValue, spliceObject } from '../../jsonl/splice.ts';
import { cutText } from '../../reduce/cut-text.ts';
import { isPlaceholder } from '../../reduce/image-block.ts';
import { changeBlocks } from './change-blocks.ts';

/** Cuts the text of a tool's result, or the output of a command that a person ran. */
export function cutOutput(bytes: Buffer, entry: Entry, maxBytes: number): Buffer | undefined {
  if (bytes.length <= maxBytes) return undefined;
  if (entry.role === 'bashExecution') return cutField(bytes, 'output', maxBytes);
  if (entry.role !== 'toolResult') return undefined;
  return (
    cutField(bytes, 'content', maxBytes) ??
    changeBlocks(bytes, (block) => cutBlock(block, maxBytes))
  );
}

function cutField(bytes: Buffer, key: string, maxBytes: number): Buffer | undefined {
  const text = parse(findValue(bytes, ['message', key]));
  const cut = typeof text === 'string' ? cutText(text, maxBytes) : undefined;
  if (cut === undefined) return undefined;
  return spliceObject(bytes, [{ key, value: JSON.stringify(cut) }], { at: ['message'] });
}

function cutBlock(bytes: Buffer, maxBytes: number): Buffer | undefined {
  // What names an image in a file must stay whole, or the image is lost.
  if (bytes.length <= maxBytes || isPlaceholder(bytes)) return undefined;
  const block = parse(bytes);
  const text = isObject(block) && isText(block) ? getString(block, 'text') : undefined;
  const cut = text === undefined ? undefined : cutText(text, maxBytes);
  if (cut === undefined) return undefined;
  return spliceObject(bytes, [{ key: 'text', value: JSON.stringify(cut) }]);
}

function isText(block: JsonObject): boolean {
  return block['type'] === 'text';
}

function parse(bytes: Buffer | undefined): unknown {
  return bytes && JSON.parse(bytes.toString('utf8'));
}
