import { readAs, type Readings } from './read-as.ts';

/** A part of a text, and where it begins in that. */
export interface ReadPart {
  readonly start: number;
  readonly readings: Readings;
}

/** The limit of the characters of a part: its readings take up to 70 MB. */
const MOST = 1024 * 1024;
/** How much of a part is in the next one, too: a secret with all that gives it away is shorter. */
const OVERLAP = 65_536;
/** How far a line feed may be from where a part would begin or end otherwise. */
const NEAR = 65_536;
/** Base64 is read from a multiple of 4 characters. */
const STEP = 4;

/**
 * Reads a text, and a long one in parts that overlap, so that the readings of one alone are in memory. Those of a text
 * that is one part are made once.
 */
export class PartReader implements Iterable<ReadPart> {
  readonly text: string;
  #whole: Readings | undefined;

  constructor(text: string) {
    this.text = text;
  }

  get isLong(): boolean {
    return this.text.length > MOST;
  }

  *[Symbol.iterator](): Generator<ReadPart> {
    if (!this.isLong) {
      yield { start: 0, readings: (this.#whole ??= readAs(this.text)) };
      return;
    }
    for (const [start, end] of cutIntoParts(this.text)) {
      yield { start, readings: readAs(this.text.slice(start, end)) };
    }
  }
}

/** Cuts a text at the ends of lines, or within lines that are too long. */
export function* cutIntoParts(text: string): Generator<readonly [start: number, end: number]> {
  for (let start = 0; ;) {
    const end = text.length - start <= MOST ? text.length : findEnd(text, start, start + MOST);
    yield [start, end];
    if (end === text.length) return;
    start = findStart(text, start, end - OVERLAP);
  }
}

/** Finds a place to end a part. `from`: its start. */
function findEnd(text: string, from: number, at: number): number {
  return findLine(text, from, at) ?? (LOW_SURROGATE.test(text.charAt(at)) ? at - 1 : at);
}

/** Finds a place to begin a part, from which the word there can be read. `from`: the start of the part before. */
function findStart(text: string, from: number, at: number): number {
  const line = findLine(text, from, at);
  if (line !== undefined) return findEncoded(text, from, line);
  let word = at;
  while (word > from && OF_WORD.test(text.charAt(word - 1))) word -= 1;
  if (word === from) return at - ((at - from) % STEP);
  // It may be base64 or hexadecimal. So it is read as a whole, if a part has room for it.
  return LOW_SURROGATE.test(text.charAt(word)) ? word - 1 : word;
}

/**
 * Finds where lines of base64 or hexadecimal can be read from: their width may be another than a multiple of 4, but four
 * lines have whole bytes. They are read as a whole, if a part has room for it.
 */
function findEncoded(text: string, from: number, line: number): number {
  const lines = [line];
  for (let at = line; at > from;) {
    const start = findLine(text, from, at - 1, MOST_OF_LINE) ?? Math.max(from, at - MOST_OF_LINE);
    if (!ENCODED_LINE.test(text.slice(start, at))) return at;
    at = start;
    lines.push(at);
  }
  return lines[(lines.length - 1) % STEP] ?? line;
}

/** Finds the start of the line, also of one in JSON, if it is near. */
function findLine(text: string, from: number, at: number, most = NEAR): number | undefined {
  const near = Math.max(from, at - most);
  const before = text.slice(near, at);
  const line = before.lastIndexOf('\n');
  const inJson = before.lastIndexOf('\\n');
  return line === -1 && inJson === -1 ? undefined : near + Math.max(line + 1, inJson + 2);
}

/** A character of base64, or of what may stand before hexadecimal. */
const OF_WORD = /[\w+/-]/;
/** The length of a line of base64, with what a listing or a log has before it. */
const MOST_OF_LINE = 300;
/** A line of base64 or hexadecimal, also one in JSON or a listing. */
const ENCODED_LINE = /[\w+/-]{40}(?:\\{1,8}r|\r)?(?:\\{1,8}n|\n)$/;
const LOW_SURROGATE = /[\udc00-\udfff]/;
