import { isUtf8 } from 'node:buffer';
import MarkdownIt from 'markdown-it';
import { HIDDEN } from '../../session/model/text/hidden-characters.ts';
import { TERMINAL_SEQUENCE } from '../turns/terminal-sequence.ts';
import { View } from './view.ts';

/** The ways in which somebody who looks for a secret may read a text. */
export interface Readings {
  readonly text: string;
  /** As it is; without what no reader sees; with escapes of JSON, URLs, HTML and Markdown resolved. */
  readonly plain: readonly View[];
  /** As if no line had been broken. */
  readonly unwrapped: View | undefined;
  /** What is written in base64 or hexadecimal, a line each. */
  readonly decoded: View | undefined;
}

/** Not before what begins as a key does: the line before it is no part of it. */
const LINE_BREAK =
  /(?<=[\w+/=.-]{2})\\?\r?\n[ \t]*(?=[\w+/=.-]{2})(?![A-Za-z]{1,12}[_-]|A[KS]IA|AIza|eyJ|ya29|SG\.)/g;
const ESCAPE =
  /\\(?:u[\da-f]{4}|x[\da-f]{2}|[nrt]|[!-/:-@[-`{-~])|%[\da-f]{2}|&(?:#x[\da-f]{1,6}|#\d{1,7}|[a-z][a-z\d]{1,31});/gi;
/** JSON in a string in JSON in a string … */
const MAX_ESCAPED = 6;
/** Halves of characters, which are drawn as a mark or not at all. */
const LONE_SURROGATE = /\p{Surrogate}/gu;
const CONTROL_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);
/** Knows every name that a page has for a character, as the pages that we make do. */
const { unescapeAll } = new MarkdownIt().utils;
/** Longer ones are files; what is in them is nobody's to read in passing. */
const MAX_ENCODED = 8192;
/** A word, or lines as `base64` and `xxd -p` break them. */
const ENCODED = /(?<![\w+/-])(?:(?:[\w+/-]{60,76}\n[ \t]{0,8})+[\w+/-]*|[\w+/-]{16,})={0,2}/g;
const HEXADECIMAL = /^(?:[\da-f]{2})+$/i;

export function readAs(text: string): Readings {
  const asIs = View.of(text);
  const visible = asIs.replace(TERMINAL_SEQUENCE, () => '') ?? asIs;
  const shown = visible.replace(HIDDEN, () => '') ?? visible;
  const seen = shown.replace(LONE_SURROGATE, () => '') ?? shown;
  const plain = [asIs, seen];
  let escaped: View | undefined = seen;
  for (let depth = 0; depth < MAX_ESCAPED && escaped; depth += 1) {
    escaped = escaped.pickLines(ESCAPE)?.replace(ESCAPE, resolveSeen);
    if (escaped) plain.push(escaped);
  }
  return {
    text,
    plain: [...new Set(plain)],
    unwrapped: seen.replace(LINE_BREAK, () => ''),
    decoded: seen.pick(ENCODED, decode),
  };
}

/** Without what no reader sees: an escape can stand for that, too. */
function resolveSeen(escape: string): string {
  return resolve(escape).replace(HIDDEN, '');
}

function resolve(escape: string): string {
  if (escape.startsWith('&')) return unescapeAll(escape);
  const code = /^(?:\\[ux]|%)([\da-f]+)$/i.exec(escape)?.[1];
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  const letter = escape.slice(1);
  return CONTROL_ESCAPES.get(letter) ?? letter;
}

/** What lines of an encoded text say together, without the last, or else each. */
function decode(encoded: string): string | undefined {
  if (encoded.length > MAX_ENCODED) return undefined;
  const last = encoded.lastIndexOf('\n');
  if (last === -1) return decodeWord(encoded);
  const lines = (): string =>
    encoded
      .split('\n')
      .flatMap((line) => decodeWord(line) ?? [])
      .join('\n');
  return decodeWord(encoded) ?? decodeWord(encoded.slice(0, last)) ?? (lines() || undefined);
}

/** What an encoded word says, if it is text. */
function decodeWord(encoded: string): string | undefined {
  const word = encoded.replace(/^0x|\s/gi, '');
  const bytes = Buffer.from(word, HEXADECIMAL.test(word) ? 'hex' : 'base64');
  if (bytes.length < 8 || !isUtf8(bytes)) return undefined;
  const isText = bytes.every(
    (byte) => (byte >= 0x20 && byte !== 0x7f) || byte === 0x0a || byte === 0x0d || byte === 0x09,
  );
  return isText ? bytes.toString('utf8') : undefined;
}
