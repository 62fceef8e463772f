import { isUtf8 } from 'node:buffer';
import { findMatches } from '../secrets/find-matches.ts';
import { BYTES, DUMP, getDumped, getSwapped, NUMBERS } from './dumps.ts';
import { isCutOff } from './cut-off.ts';
import { resolveEscapes } from './escapes.ts';
import { toText, toTexts } from './to-text.ts';
import type { Narrow, Range, View } from './view.ts';

/** Longer ones are files; what is in them is no one's to read in passing. */
export const MAX_ENCODED = 1_000_000;
/**
 * A word, or lines as `base64` and `xxd -p` break them. A short word must be able to stand for ASCII, whose first
 * bits are 0: few words of a sentence can.
 */
const ENCODED =
  /(?<![\w+/-])(?:(?=[\w+/-]{16})(?:(?:[\w+/-]{60,76}\n[ \t]{0,8}){1,16000}[\w+/-]{0,76}|[\w+/-]{16,})|(?:[A-Za-f][\w+/-]{3}){2}[A-Za-f][\w+/-]{2,6}(?![\w+/-]))={0,2}/g;
/** Lines of another width, or with blanks at their ends, behind a line that ends in a word. */
const OTHER_ENCODED =
  /(?<![\w+/-])(?=[\w+/-]{40,59}\s|[\w+/-]{60,76}[ \t\r]|[\w+/-]{77,200}\s)(?:[\w+/-]{40,200}[ \t]{0,8}\r?\n[ \t]{0,40}){1,16000}[\w+/-]{0,200}={0,2}/g;
/** A part of a path. */
const ENCODED_IN_PATH =
  /(?<=\/)(?:[\w+-]{16,}|(?:[A-Za-f][\w+-]{3}){2}[A-Za-f][\w+-]{2,6}(?![\w+-]))={0,2}(?![\w+-])/g;
/** Hexadecimal beside a sign that base64 has, which would be taken for a part of it. */
const HEXADECIMAL_IN_WORD =
  /(?<![\da-z])(?:(?<=[_+-])(?:[\da-f]{2}){8,}(?![\da-z])|(?:[\da-f]{2}){8,}(?=[_+/=-]))/gi;
const HEXADECIMAL = /^(?:[\da-f]{2})+$/i;
/** The bytes of a character in UTF-8. */
const MAX_IN_CHARACTER = 4;
/** The length of a line of an encoded text, apart from the last. */
const MIN_LINE = 40;
/** Base64 of base64 of base64. */
const MAX_NESTED = 3;

/** Reads what is in base64, hexadecimal, a dump or numbers. */
export function readDecoded(view: View, narrowTo?: Narrow): readonly View[] {
  return [
    ...view.pick(ENCODED, decode, narrowTo),
    ...view.pick(OTHER_ENCODED, decode),
    ...view.pick(ENCODED_IN_PATH, decode),
    ...view.pick(HEXADECIMAL_IN_WORD, decode),
    ...view.pick(
      DUMP,
      withCut((dump) => decodeWord(getDumped(dump), 0)),
    ),
    ...view.pick(
      DUMP,
      withCut((dump) => decodeWord(getSwapped(dump), 0)),
    ),
    ...view.pick(NUMBERS, withCut(decodeNumbers)),
    ...view.pick(BYTES, withCut(decodeBytes)),
    ...readRows(view),
  ];
}

/** Reads long dumps and numbers as a whole: a secret may be longer than what two parts have in common. */
function readRows(view: View): readonly View[] {
  return [
    ...view.pickRows(DUMP, toTextsOf(getDumped)),
    ...view.pickRows(DUMP, toTextsOf(getSwapped)),
    ...view.pickRows(NUMBERS, toTextsOf(toHexadecimal)),
    ...view.pickRows(BYTES, toTextsOf(getHexadecimal)),
  ];
}

/** Makes a text of each part of a row, marked as cut off where the row is. */
function toTextsOf(getHex: (part: string) => string) {
  return (row: readonly string[], whole: string, end: number): readonly string[] | undefined => {
    const texts = toTexts(
      row.map((part) => Buffer.from(getHex(part).replaceAll(/\s/g, ''), 'hex')),
    );
    return areCutOff(whole, end) ? texts?.with(-1, `${texts.at(-1) ?? ''}…`) : texts;
  };
}

/** Marks what is decoded as cut off where the text is. */
function withCut(read: (match: string) => string | undefined) {
  return (match: string, whole: string, end: number): string | undefined => {
    const text = read(match);
    return text !== undefined && areCutOff(whole, end) ? `${text}…` : text;
  };
}

/** Returns whether bytes are cut off, also behind the sign between two of them. */
function areCutOff(text: string, at: number): boolean {
  return isCutOff(text, at) || (/[,:-]/.test(text.charAt(at)) && isCutOff(text, at + 1));
}

function decodeNumbers(numbers: string): string | undefined {
  return toText(Buffer.from(toHexadecimal(numbers), 'hex'));
}

function toHexadecimal(numbers: string): string {
  return Buffer.from((numbers.match(/\d+/g) ?? []).map(Number)).toString('hex');
}

function getHexadecimal(bytes: string): string {
  return bytes.replace(/0x|[^\da-f]/gi, '');
}

/** Decodes bytes: a word of two letters beside them, such as `be`, looks like another. */
function decodeBytes(bytes: string): string | undefined {
  const hex = getHexadecimal(bytes);
  const parts = [hex, hex.slice(2), hex.slice(0, -2), hex.slice(2, -2)];
  return parts.map((part) => decodeWord(part, 0)).find((text) => text !== undefined);
}

/** The sign of a line of a diff may stand before an encoded text. */
function decode(encoded: string, whole: string, end: number): string | undefined {
  if (encoded.length > MAX_ENCODED) return undefined;
  const text =
    decodeLines(encoded) ?? (/^[+-]/.test(encoded) ? decodeLines(encoded.slice(1)) : undefined);
  const begun = isCutOff(whole, end) ? decodeBegun(encoded.replaceAll(/\s/g, '')) : undefined;
  return begun === undefined ? text : `${text ?? ''}\n${begun}…`;
}

/** Decodes an encoded text that is cut off, up to its last whole character. */
function decodeBegun(word: string): string | undefined {
  const isHexadecimal = /^[\da-f]+$/i.test(word);
  const bytes = toBytes(isHexadecimal && word.length % 2 === 1 ? word.slice(0, -1) : word);
  for (let missing = 0; missing < MAX_IN_CHARACTER; missing += 1) {
    const text = toText(bytes.subarray(0, bytes.length - missing));
    if (text !== undefined) return text;
  }
  return undefined;
}

/**
 * Decodes the lines of an encoded text together, or without the last. If they are no text, there may be several, each
 * of some of the lines: a checksum stands above or below base64.
 */
function decodeLines(encoded: string): string | undefined {
  const last = encoded.lastIndexOf('\n');
  if (last === -1) return decodeWord(encoded, 0);
  const without = encoded.slice(0, last);
  const [isWhole, isWithout] = [isUtf8(toBytes(encoded)), isUtf8(toBytes(without))];
  // Together with a word of the text behind it, only the ASCII in it could be read.
  const first = !isWhole && isWithout ? without : encoded;
  const together = decodeWord(first, 0) ?? decodeWord(without, 0);
  if (together !== undefined && isWhole) return together;
  const isRead = together !== undefined && isWithout;
  const parts = isRead ? [encoded.slice(last)] : [...splitLines(encoded), ...encoded.split('\n')];
  const texts = [together, ...parts.map((part) => decodeWord(part, 0))];
  return [...new Set(texts)].filter((text) => text !== undefined).join('\n') || undefined;
}

/** Splits lines of several encoded texts: each has lines of one width, apart from its last, and of one encoding. */
function splitLines(encoded: string): readonly string[] {
  const parts: string[][] = [];
  for (const line of encoded.split('\n').map((one) => one.trim())) {
    const part = parts.at(-1);
    const [first = '', before = ''] = [part?.[0], part?.at(-1)];
    // The last line of base64 may look like hexadecimal.
    const isOther = HEXADECIMAL.test(line) !== HEXADECIMAL.test(first) && line.length >= MIN_LINE;
    const isEnded = before.length < first.length || line.length > first.length;
    if (part === undefined || isOther || isEnded) parts.push([line]);
    else part.push(line);
  }
  return parts.map((lines) => lines.join('\n'));
}

/** Decodes an encoded word to text. */
function decodeWord(encoded: string, depth: number): string | undefined {
  const text = toText(toBytes(encoded));
  if (text === undefined || depth >= MAX_NESTED) return text;
  const inner = Array.from(findMatches(text, ENCODED), ([match]) => decodeWord(match, depth + 1));
  const resolved = resolveEscapes(text);
  const all = [text, resolved === text ? undefined : resolved, ...inner];
  return all.filter((one) => one !== undefined).join('\n');
}

/** Finds the part of base64 that a part of its text stands for: a word before or behind it may not belong to it. */
export function narrow(encoded: string, decoded: string, { start, end }: Range): Range | undefined {
  const bytes = toBytes(encoded);
  if (/\s/.test(encoded) || HEXADECIMAL.test(encoded)) return undefined;
  // Its escapes are resolved behind it, and base64 in it.
  if (end > (toText(bytes)?.length ?? 0)) return undefined;
  const part = decoded.slice(start, end);
  const [first, last] = [bytes.indexOf(part), bytes.lastIndexOf(part)];
  if (first === -1) return undefined;
  const behind = last + Buffer.byteLength(part);
  return { start: Math.floor((first * 4) / 3), end: Math.ceil((behind * 4) / 3) };
}

function toBytes(encoded: string): Buffer {
  const word = encoded.replace(/^0?x(?=[\da-f]+$)|\s/gi, '');
  return Buffer.from(word, HEXADECIMAL.test(word) ? 'hex' : 'base64');
}
