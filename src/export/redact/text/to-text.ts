import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';

/** The bytes that `strings` would skip. */
const NO_TEXT = /[^ -~]+/g;
const HAS_STRING = /[!-~]{20}/;

/** The text that bytes are, or that `strings` would find in them. */
export function toText(bytes: Buffer): string | undefined {
  if (bytes.length < 8) return undefined;
  const wide = toWide(bytes);
  if (wide !== undefined) return wide;
  const isText =
    isUtf8(bytes) &&
    bytes.every(
      (byte) => (byte >= 0x20 && byte !== 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09,
    );
  if (isText) return bytes.toString('utf8');
  const strings = bytes.length < 24 ? '' : bytes.toString('latin1');
  return HAS_STRING.test(strings) ? strings.replace(NO_TEXT, '\n') : undefined;
}

/** The texts of the parts of bytes; a character on a border is of the part that it ends in. */
export function toTexts(parts: readonly Buffer[]): readonly string[] | undefined {
  const bytes = Buffer.concat(parts);
  const text = toText(bytes);
  if (text === undefined) return undefined;
  if (toWide(bytes) !== undefined) return sliceWide(text, parts);
  if (!isUtf8(bytes) || text !== bytes.toString('utf8')) {
    return parts.map((part) => part.toString('latin1').replace(NO_TEXT, '\n'));
  }
  const decoder = new StringDecoder('utf8');
  return parts.map((part) => decoder.write(part));
}

/** The texts of the parts of UTF-16, which has two bytes for each of its units, and may have a mark before the first. */
function sliceWide(text: string, parts: readonly Buffer[]): readonly string[] {
  const size = parts.reduce((sum, { length }) => sum + length, 0);
  const mark = size - (size % 2) - 2 * text.length;
  let end = 0;
  return parts.map(({ length }) => {
    const start = end;
    end += length;
    return text.slice(Math.max(0, start - mark) >> 1, Math.max(0, end - mark) >> 1);
  });
}

/** UTF-16, as Windows has it: by the mark before it, or as its first letters are ASCII. */
function toWide(bytes: Buffer): string | undefined {
  const start = bytes.toString('latin1', 0, 8);
  const even = bytes.length - (bytes.length % 2);
  if (start.startsWith('\u00ff\u00fe')) return bytes.toString('utf16le', 2, even);
  if (start.startsWith('\u00fe\u00ff') || /^(?:\0[\t\n\r -~]){4}/.test(start))
    return Buffer.from(bytes.subarray(0, even)).swap16().toString('utf16le');
  const isWide = bytes[1] === 0 && bytes[3] === 0 && even === bytes.length;
  return isWide ? bytes.toString('utf16le') : undefined;
}
