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
    const end = text.length - start <= MOST ? text.length : toStart(text, start, start + MOST);
    yield [start, end];
    if (end === text.length) return;
    start = toStart(text, start, end - OVERLAP);
  }
}

/**
 * Finds a place to begin a part: the start of the line, if that is near; else one from which the word there can be
 * read. `from`: the start of the part before.
 */
function toStart(text: string, from: number, at: number): number {
  const before = text.slice(from, at);
  const line = before.lastIndexOf('\n') + 1;
  if (line >= before.length - NEAR) return from + line;
  const word = Math.max(line, before.lastIndexOf(' ') + 1);
  const start = at - ((before.length - word) % STEP);
  return LOW_SURROGATE.test(text.charAt(start)) ? start - 1 : start;
}

const LOW_SURROGATE = /[\udc00-\udfff]/;
