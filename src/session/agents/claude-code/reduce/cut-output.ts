import type { Entry } from '../../../model/entry.ts';
import { readMembers } from '../../../jsonl/edit/members.ts';
import { splitArray } from '../../../jsonl/edit/split-array.ts';
import { findValue, spliceObject } from '../../../jsonl/edit/splice.ts';
import { cutText } from '../../../model/text/cut-text.ts';
import { readPlaceholderType } from '../../../model/text/image-block.ts';
import { changeParts } from '../../../reduce/change-parts.ts';
import { cutMember, cutTextBlock } from '../../../reduce/cut-block.ts';

const CONTENT = [['message', 'content']];
const DETAILS = 'toolUseResult';
const IMAGE_URL = 'data:image/';
const [QUOTE, OPENING_BRACKET, OPENING_BRACE] = [0x22, 0x5b, 0x7b];
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
  const cut = stored && cutTexts(stored, maxBytes, MAX_DEPTH);
  return cut && spliceObject(bytes, [{ key: DETAILS, value: cut.toString('utf8') }]);
}

interface Edit {
  readonly start: number;
  readonly end: number;
  readonly bytes: Buffer;
}

/** Cuts the long texts in a value, and keeps every other byte: a number may have more digits than JSON.parse reads. */
function cutTexts(value: Buffer, maxBytes: number, depth: number): Buffer | undefined {
  if (value.length <= maxBytes) return undefined;
  if (value[0] === QUOTE) return cutString(value, maxBytes);
  if (depth === 0) return undefined;
  const edits = listParts(value).flatMap(({ start, end }): readonly Edit[] => {
    const cut = cutTexts(value.subarray(start, end), maxBytes, depth - 1);
    return cut ? [{ start, end, bytes: cut }] : [];
  });
  if (edits.length === 0) return undefined;
  const ends = [0, ...edits.map(({ end }) => end)];
  const kept = edits.flatMap(({ start, bytes }, at) => [value.subarray(ends[at], start), bytes]);
  return Buffer.concat([...kept, value.subarray(ends.at(-1))]);
}

/** Lists the values that an object or an array holds, by their places; not the data of an image. */
function listParts(value: Buffer): readonly Pick<Edit, 'start' | 'end'>[] {
  if (value[0] === OPENING_BRACKET) {
    return [...splitArray(value)].map(({ offset, length }) => ({
      start: offset,
      end: offset + length,
    }));
  }
  if (value[0] !== OPENING_BRACE) return [];
  const members = readMembers(value, 0);
  const hasType = members.some(({ key }) => key === 'media_type' || key === 'mimeType');
  const isEncoded = (key: string): boolean => key === 'base64' || (key === 'data' && hasType);
  return members
    .filter(({ key }) => !isEncoded(key))
    .map(({ valueStart, valueEnd }) => ({ start: valueStart, end: valueEnd }));
}

/** A part of an image, or of the text that stands for one, would show nothing. */
function cutString(value: Buffer, maxBytes: number): Buffer | undefined {
  const text = String(JSON.parse(value.toString('utf8')));
  if (text.startsWith(IMAGE_URL) || readPlaceholderType(text) !== undefined) return undefined;
  const cut = cutText(text, maxBytes);
  return cut === undefined ? undefined : Buffer.from(JSON.stringify(cut));
}
