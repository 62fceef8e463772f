import type { Entry } from '../../../model/entry.ts';
import { isArray, isObject, type JsonObject, type JsonValue } from '../../../jsonl/edit/json.ts';
import { findValue, spliceObject } from '../../../jsonl/edit/splice.ts';
import { cutText } from '../../../model/text/cut-text.ts';
import { changeParts } from '../../../reduce/change-parts.ts';
import { cutMember, cutTextBlock } from '../../../reduce/cut-block.ts';

const CONTENT = [['message', 'content']];
const DETAILS = 'toolUseResult';
/** Deeper than this the details of a result are left as they are. */
const MAX_DEPTH = 64;

/** Cuts what tools returned to the model, and the copy of it for the person. */
export function cutOutput(bytes: Buffer, { role }: Entry, maxBytes: number): Buffer | undefined {
  if (role !== 'toolResult' || bytes.length <= maxBytes) return undefined;
  const sent = changeParts(bytes, CONTENT, (part) => cutResult(part, maxBytes));
  return cutDetails(sent ?? bytes, maxBytes) ?? sent;
}

function cutResult(part: Buffer, maxBytes: number): Buffer | undefined {
  if (part.length <= maxBytes || findValue(part, ['type'])?.toString() !== '"tool_result"') {
    return undefined;
  }
  const edits = cutMember(part, ['content'], maxBytes);
  if (edits.length > 0) return spliceObject(part, edits);
  return changeParts(part, [['content']], (block) => cutTextBlock(block, maxBytes));
}

/** The client sends nothing of it. */
function cutDetails(bytes: Buffer, maxBytes: number): Buffer | undefined {
  const stored = findValue(bytes, [DETAILS]);
  if (!stored || stored.length <= maxBytes) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed JSON enters here
  const details = JSON.parse(stored.toString('utf8')) as JsonValue;
  const cut = cutStrings(details, maxBytes, MAX_DEPTH);
  if (cut === details) return undefined;
  return spliceObject(bytes, [{ key: DETAILS, value: JSON.stringify(cut) }]);
}

/** The value itself where no text in it is too long. Images are no texts: a part of one shows nothing. */
function cutStrings(value: JsonValue, maxBytes: number, depth: number): JsonValue {
  if (typeof value === 'string') {
    return value.startsWith(IMAGE_URL) ? value : (cutText(value, maxBytes) ?? value);
  }
  if (depth === 0) return value;
  if (isArray(value)) {
    const items = value.map((item) => cutStrings(item, maxBytes, depth - 1));
    return items.some((item, at) => item !== value[at]) ? items : value;
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([key, one = null]) => {
    const isKept = typeof one === 'string' && isEncoded(value, key);
    return [key, isKept ? one : cutStrings(one, maxBytes, depth - 1)] as const;
  });
  return members.some(([key, one]) => one !== value[key]) ? Object.fromEntries(members) : value;
}

const IMAGE_URL = 'data:image/';

/** Returns whether a member is a file as base64: an image or document that a tool has read or made. */
function isEncoded(holder: JsonObject, key: string): boolean {
  if (key === 'base64') return true;
  return key === 'data' && ('media_type' in holder || 'mimeType' in holder);
}
