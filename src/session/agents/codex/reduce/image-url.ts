import type { BlockChange } from '../../../dialect/reduction.ts';
import { getString, parseJsonObject } from '../../../jsonl/edit/json.ts';
import {
  parseDataUrl,
  readPlaceholderType,
  toImageBlock,
} from '../../../model/text/image-block.ts';

/**
 * The text that stands instead of an image; undefined for what is none, or is left. `isExact`: the place of the
 * image can be made again as it is written.
 */
export function toPlaceholder(
  url: string,
  isExact: boolean,
  change: BlockChange,
): string | undefined {
  const image = parseDataUrl(url);
  return image && readField(change(toImageBlock(image, isExact)), 'text');
}

/** The image for which a text stands, as a URL; undefined for other texts, and where it is not there. */
export function toUrl(text: string, change: BlockChange): string | undefined {
  const mimeType = readPlaceholderType(text);
  if (mimeType === undefined) return undefined;
  const block = JSON.stringify({ type: 'text', text, mimeType });
  const data = readField(change(Buffer.from(block)), 'data');
  return data === undefined ? undefined : `data:${mimeType};base64,${data}`;
}

function readField(block: Buffer | undefined, key: string): string | undefined {
  const value = block && parseJsonObject(block.toString('utf8'));
  return value && getString(value, key);
}
