import {
  getString,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../jsonl/edit/json.ts';
import { type Block, toParts } from '../../../model/text/conversation.ts';
import { parseDataUrl } from '../../../model/text/image-block.ts';

const PNG = 'image/png';

/** Parts of content, or a string that stands for one of text. */
export function toBlocks(content: JsonValue | undefined): readonly Block[] {
  return toParts(content).flatMap(toBlock);
}

function toBlock(part: JsonObject): readonly Block[] {
  const url = getString(part, 'image_url') ?? getString(part, 'imageUrl');
  if (url !== undefined) return [toImage(url)];
  const data = part['type'] === 'image' ? getString(part, 'data') : undefined;
  if (data !== undefined) {
    return [{ type: 'image', mimeType: getString(part, 'mimeType') ?? PNG, data }];
  }
  const path = part['type'] === 'local_image' ? getString(part, 'path') : undefined;
  if (path !== undefined) return [{ type: 'text', text: `[image: ${path}]` }];
  const text = getString(part, 'text');
  return text === undefined || text === '' ? [] : [{ type: 'text', text }];
}

/** The content of an item as the model is shown it; of one that adds tools, these. */
export function toShownBlocks(item: JsonObject): readonly Block[] {
  if (item['type'] !== 'additional_tools') return toBlocks(item['content']);
  return [{ type: 'text', text: JSON.stringify(item['tools'] ?? []) }];
}

/** A data URL as an image; the address of one elsewhere as text. */
function toImage(url: string): Block {
  const image = parseDataUrl(url);
  return image ? { type: 'image', ...image } : { type: 'text', text: `[image: ${url}]` };
}

/** Base64 without a prefix, as an item of a generated image has it. */
export function toGeneratedImage(data: string): Block {
  return { type: 'image', mimeType: PNG, data };
}

/** The texts of a list of strings or of parts with a `text`, each a block. */
export function toThoughts(list: JsonValue | undefined): readonly Block[] {
  if (!isArray(list)) return [];
  return list.flatMap((one) => {
    const text = typeof one === 'string' ? one : isObject(one) ? getString(one, 'text') : undefined;
    return text ? [{ type: 'thinking', text, redacted: false }] : [];
  });
}

/** Parses the JSON that a call holds as text; other text is kept. */
export function parseArguments(text: JsonValue | undefined): JsonValue {
  if (typeof text !== 'string') return text ?? {};
  const value = parseJson(text);
  return value === undefined ? { input: text } : value;
}
