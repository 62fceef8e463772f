import type { Range } from '../text/view.ts';
import { findMatches } from './find-matches.ts';
import type { Sighted } from './marks.ts';
import { findRandomPieces, findRandomValue } from './random-pieces.ts';
import { NEAR_WORD } from './secret-names.ts';

/** How far from the word, on its line. */
const BEFORE = 100;
const AFTER = 200;
/** A list has no more, and lines of one word each. */
const MAX_LINES = 12;
const MAX_LINE = 160;
/** A number, a sign of a quote or a comment, a time, the name of a container. */
const BEGINS_LINE =
  /^[ \t]{0,40}(?:(?:\d{1,6}|[-+>#$*•|]{1,3}|\/\/|\[[\d:.]{5,12}\]|\d{4}-\d\d-\d\dT[\d:.]{5,15}Z?(?: [\w-]{1,40}(?= \|))?)(?:[ \t:→|.)]{1,40}|$)){0,3}/;
/** Stands between the names of members, and what has nothing to do with the next. */
const BETWEEN = ';';
const ONE_WORD = /^\S*[ \t\r]*$/;
/** A word that may be a secret: a path of Windows is one word, as others are. */
const TOKEN =
  /[A-Za-z]:\\[^\s"'`<>|]+|\\.|(?<quote>["'`])(?<quoted>(?:(?!\k<quote>)[^\s\\()[\]{}]){8,256})\k<quote>|[^\s"'`<>()[\]{}|\\]{8,256}/g;

/** The beginning of a certificate or a public key, which is no one's secret. */
const PUBLIC = /-----BEGIN (?:[A-Z\d ]{0,30} )?(?:CERTIFICATE|PUBLIC KEY|SIGNATURE|CRL)/;
/** The length of a line of base64, in which any letters may stand. */
const BASE64_LINE = 64;
const OF_BASE64 = /[A-Za-z\d+/]/;
/** Stands in no word. */
const BETWEEN_WORDS = /[\s"'`<>()[\]{}|\\]/;
const QUOTE = /["'`]/;
/** A longer word is taken for a part of a document. */
const MAX_WORD = 256;
/** Up to one character more than that. */
const REST_OF_WORD = /[^\s"'`<>()[\]{}|\\]{0,257}/y;

/** Finds what looks random near the words of a secret: on their line, and on those below that say no more. */
export function* findNearWords(text: string, sighted: Sighted): Generator<Range> {
  let read = 0;
  let done = 0;
  let line: Range = { start: -1, end: -1 };
  let below = 0;
  for (const index of sighted.words) {
    NEAR_WORD.lastIndex = index;
    if (index < read || !NEAR_WORD.test(text) || isInBase64(text, index)) continue;
    read = NEAR_WORD.lastIndex;
    if (index >= line.end) {
      line = readLine(text, index);
      below = findBelow(text, line.end);
    }
    const first = Math.max(done, line.start);
    const before = index - BEFORE;
    const start = before > first ? Math.max(first, findWordStart(text, before)) : first;
    const end = findWordEnd(text, read + AFTER < line.end ? read + AFTER : below);
    if (end <= start) continue;
    yield* findRandom(text.slice(start, end), start);
    done = end;
  }
}

/** Returns whether letters are a part of base64 as lines of it are long, and not a word. */
function isInBase64(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && at - start < BASE64_LINE && OF_BASE64.test(text.charAt(start - 1)))
    start -= 1;
  let end = at;
  while (end - start < BASE64_LINE && OF_BASE64.test(text.charAt(end))) end += 1;
  return end - start >= BASE64_LINE;
}

/** Finds the start of the word at a place, with the quote before it: a part of one says nothing of the rest. */
function findWordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start <= MAX_WORD && !BETWEEN_WORDS.test(text.charAt(start - 1)))
    start -= 1;
  if (at - start > MAX_WORD) return at;
  return start < at && QUOTE.test(text.charAt(start - 1)) ? start - 1 : start;
}

/** Finds the end of the word at a place, with the quote behind it. */
function findWordEnd(text: string, at: number): number {
  REST_OF_WORD.lastIndex = at;
  const end = at + (REST_OF_WORD.exec(text)?.[0].length ?? 0);
  if (end - at > MAX_WORD) return at;
  return end > at && QUOTE.test(text.charAt(end)) ? end + 1 : end;
}

function readLine(text: string, at: number): Range {
  const end = text.indexOf('\n', at);
  return { start: text.lastIndexOf('\n', at) + 1, end: end === -1 ? text.length : end };
}

/** Finds the end of the lines below that belong to a line: the next that says something, and lists. */
function findBelow(text: string, lineEnd: number): number {
  let end = lineEnd;
  let isNext = true;
  for (let lines = 0; lines < MAX_LINES && end < text.length; lines += 1) {
    const feed = text.slice(end + 1, end + 1 + MAX_LINE).indexOf('\n');
    const next = feed === -1 ? Math.min(text.length, end + 1 + MAX_LINE) : end + 1 + feed;
    const line = text.slice(end + 1, next);
    if (line === BETWEEN || PUBLIC.test(line)) break;
    // A part of one word is no more.
    if (!ONE_WORD.test(line) && !ONE_WORD.test(line.replace(BEGINS_LINE, ''))) {
      if (!isNext) break;
      isNext = false;
    }
    end = next;
    if (feed === -1) break;
  }
  return end;
}

function* findRandom(part: string, from: number): Generator<Range> {
  for (const { 0: match, index, groups } of findMatches(part, TOKEN)) {
    const quoted = groups?.['quoted'];
    const token = quoted ?? match;
    const whole = findRandomValue(token, quoted !== undefined);
    if (whole === undefined) continue;
    const at = from + index + (quoted === undefined ? 0 : 1) + whole.start;
    for (const { start, end } of findRandomPieces(token.slice(whole.start, whole.end))) {
      yield { start: at + start, end: at + end };
    }
  }
}
