import { findMatches } from '../secrets/find-matches.ts';
import { findCutOff } from './cut-off.ts';

/** A part of a text: the first character, and the one after the last. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** The source of a stretch of a view. */
interface Piece {
  /** The start of it in the view. */
  readonly at: number;
  readonly origin: Range;
  /** Character by character the same; otherwise all of it stands for all of its origin. */
  readonly isCopy: boolean;
  /** Unless this finds a part of its origin. */
  readonly narrow?: (part: Range) => Range | undefined;
}

/** Finds the part of a match that a part of what was picked from it stands for; undefined for all of it. */
export type Narrow = (match: string, picked: string, part: Range) => Range | undefined;

/** How many lines around a line with a match are meant, if the match is. */
export interface Around {
  readonly before: number;
  readonly behind: number;
  isMeant?(match: string): boolean;
}

/** A line with matches: the place of the first, and its end. */
interface MatchedLine {
  readonly index: number;
  readonly end: number;
  readonly isMeant: boolean;
}

/** The last character that is a blank or ends a line. */
const SPACE = 0x20;

const NOTHING_AROUND: Around = { before: 0, behind: 0 };

/** A text as somebody may read it, who knows for each part where it stood in the text itself. */
export class View {
  readonly text: string;
  readonly #pieces: readonly Piece[];
  readonly #parent: View | undefined;
  /** Lines of its parent are left out between its pieces. */
  readonly #hasOwnGaps: boolean;
  /** Whether that is so here or in a view that it is made of. */
  readonly #hasGaps: boolean;

  private constructor(
    text: string,
    pieces: readonly Piece[],
    parent: View | undefined,
    hasOwnGaps = false,
  ) {
    this.text = text;
    this.#pieces = pieces;
    this.#parent = parent;
    this.#hasOwnGaps = hasOwnGaps;
    this.#hasGaps = hasOwnGaps || (parent !== undefined && parent.#hasGaps);
  }

  static of(text: string): View {
    return new View(
      text,
      [{ at: 0, origin: { start: 0, end: text.length }, isCopy: true }],
      undefined,
    );
  }

  /** Replaces each match with something else; undefined where nothing matches. */
  replace(pattern: RegExp, toText: (match: string, at: number) => string): View | undefined {
    const pieces: Piece[] = [];
    const texts: string[] = [];
    let length = 0;
    let done = 0;
    const add = (text: string, start: number, end: number, isCopy: boolean): void => {
      if (text === '') return;
      pieces.push({ at: length, origin: { start, end }, isCopy });
      texts.push(text);
      length += text.length;
    };
    for (const { 0: match, index } of findMatches(this.text, pattern)) {
      const replaced = toText(match, index);
      if (replaced === match) continue;
      add(this.text.slice(done, index), done, index, true);
      done = index + match.length;
      add(replaced, index, done, false);
    }
    if (done === 0) return undefined;
    add(this.text.slice(done), done, this.text.length, true);
    return new View(texts.join(''), pieces, this);
  }

  /**
   * Puts something into words that are longer than `most`, as often as needed; undefined where none is. What is before
   * it, in `overlap` characters, stands behind it again, so that one side has the whole of what it would break.
   */
  breakWords(most: number, by: string, overlap: number): View | undefined {
    const { text } = this;
    if (text.length <= most) return undefined;
    const pieces: Piece[] = [];
    const texts: string[] = [];
    let length = 0;
    let done = 0;
    const add = (piece: string, origin: Range, isCopy: boolean): void => {
      pieces.push({ at: length, origin, isCopy });
      texts.push(piece);
      length += piece.length;
    };
    let word = 0;
    for (let at = 0; at < text.length; at += 1) {
      if (text.charCodeAt(at) <= SPACE) word = at + 1;
      if (at - word < most) continue;
      add(text.slice(done, at), { start: done, end: at }, true);
      add(by, { start: at, end: at }, false);
      done = at - overlap;
      word = done;
    }
    if (done === 0) return undefined;
    add(text.slice(done), { start: done, end: text.length }, true);
    return new View(texts.join(''), pieces, this);
  }

  /** Only the lines that hold a match, and those around them; undefined where none does. */
  pickLines(pattern: RegExp, around: Around = NOTHING_AROUND): View | undefined {
    const pieces: Piece[] = [];
    const texts: string[] = [];
    let length = 0;
    let done = 0;
    let hasOwnGaps = false;
    for (const { index, end: own, isMeant: areMeant } of this.#listLines(pattern, around)) {
      const { before, behind } = areMeant ? around : NOTHING_AROUND;
      let start = this.text.lastIndexOf('\n', index) + 1;
      for (let count = 0; count < before && start > done; count += 1) {
        start = start < 2 ? 0 : this.text.lastIndexOf('\n', start - 2) + 1;
      }
      start = Math.max(start, done);
      hasOwnGaps ||= start > done && pieces.length > 0;
      let end = own;
      for (let count = 0; count < behind; count += 1) end = this.#endLine(end);
      // The sign that a text is cut off has a line of its own.
      const cutOff = findCutOff(this.text, end);
      done = Math.max(done, cutOff === undefined ? end : this.#endLine(cutOff));
      if (start === done) continue;
      pieces.push({ at: length, origin: { start, end: done }, isCopy: true });
      texts.push(this.text.slice(start, done));
      length += done - start;
    }
    return texts.length === 0 ? undefined : new View(texts.join(''), pieces, this, hasOwnGaps);
  }

  /** The lines that hold a match, by their first: those around are meant if any match of the line is. */
  *#listLines(pattern: RegExp, around: Around): Generator<MatchedLine> {
    let line: MatchedLine | undefined;
    for (const { 0: match, index } of findMatches(this.text, pattern)) {
      if (line && index < line.end) {
        if (!line.isMeant && isMeant(match, around)) line = { ...line, isMeant: true };
        continue;
      }
      if (line) yield line;
      line = { index, end: this.#endLine(index), isMeant: isMeant(match, around) };
    }
    if (line) yield line;
  }

  /** The end of the line at a place, with its line feed. */
  #endLine(at: number): number {
    const feed = this.text.indexOf('\n', at);
    return feed === -1 ? this.text.length : feed + 1;
  }

  /**
   * Only what some matches stand for, a line each; empty where nothing does. The group `more` is of the next match, too,
   * and is read with both. `toText` gets this text, and the place behind the match, as well.
   */
  pick(
    pattern: RegExp,
    toText: (match: string, text: string, end: number) => string | undefined,
    narrow?: Narrow,
  ): readonly View[] {
    const pieces: Piece[] = [];
    const texts: string[] = [];
    let length = 0;
    for (const { 0: found, index, groups } of findMatches(this.text, pattern)) {
      const match = found + (groups?.['more'] ?? '');
      const picked = toText(match, this.text, index + match.length);
      if (picked === undefined) continue;
      const origin = { start: index, end: index + match.length };
      pieces.push({
        at: length,
        origin,
        isCopy: false,
        ...(narrow && { narrow: (part) => narrow(match, picked, part) }),
      });
      texts.push(picked);
      length += picked.length + 1;
    }
    return texts.length === 0 ? [] : [new View(texts.join('\n'), pieces, this)];
  }

  /**
   * Picks rows of matches: each goes on right behind the one before, within its group `more`. Their texts stand for one.
   * A single match is left out. `toTexts` gets a row, this text, and the place behind the row.
   */
  pickRows(
    pattern: RegExp,
    toTexts: (row: readonly string[], text: string, end: number) => readonly string[] | undefined,
  ): readonly View[] {
    const pieces: Piece[] = [];
    const texts: string[] = [];
    let length = 0;
    for (const row of listRows(this.text, pattern)) {
      const last = row.at(-1);
      const end = (last?.index ?? 0) + (last?.match.length ?? 0);
      const picked = toTexts(
        row.map(({ match }) => match),
        this.text,
        end,
      );
      for (const [nth, { index, match }] of picked ? row.entries() : []) {
        const text = (picked?.[nth] ?? '') + (nth === row.length - 1 ? '\n' : '');
        if (text === '') continue;
        const origin = { start: index, end: index + match.length };
        pieces.push({ at: length, origin, isCopy: false });
        texts.push(text);
        length += text.length;
      }
    }
    return texts.length === 0 ? [] : [new View(texts.join(''), pieces, this)];
  }

  /** Returns whether lines of the text are left out within a part of this view. */
  isGapped({ start, end }: Range): boolean {
    if (!this.#parent || !this.#hasGaps) return false;
    const [first, last] = [this.#indexOf(start), this.#indexOf(end - 1)];
    for (let index = first + 1; this.#hasOwnGaps && index <= last; index += 1) {
      if (this.#pieces[index - 1]?.origin.end !== this.#pieces[index]?.origin.start) return true;
    }
    return this.#parent.isGapped(this.#toParent({ start, end }));
  }

  /** Maps a part of this view to its place in the text. */
  locate(range: Range): Range {
    const origin = this.#toParent(range);
    return this.#parent ? this.#parent.locate(origin) : origin;
  }

  #toParent({ start, end }: Range): Range {
    const first = this.#find(start);
    const last = this.#find(end - 1);
    const part =
      first === last ? first.narrow?.({ start: start - first.at, end: end - first.at }) : undefined;
    if (part) {
      return { start: first.origin.start + part.start, end: first.origin.start + part.end };
    }
    const from = first.isCopy ? first.origin.start + start - first.at : first.origin.start;
    const to = last.isCopy ? last.origin.start + end - last.at : last.origin.end;
    // A part over a break may end in what stands there again.
    return { start: Math.min(from, to), end: Math.max(from, to) };
  }

  #find(offset: number): Piece {
    return (
      this.#pieces[this.#indexOf(offset)] ?? { at: 0, origin: { start: 0, end: 0 }, isCopy: true }
    );
  }

  #indexOf(offset: number): number {
    let low = 0;
    let high = this.#pieces.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#pieces[middle]?.at ?? Infinity) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

function isMeant(match: string, around: Around): boolean {
  return around.isMeant?.(match) !== false;
}

/** A match of a row, and its place. */
interface InRow {
  readonly match: string;
  readonly index: number;
}

/** The rows of two matches or more. The last match of a row has what is too short for another one. */
function* listRows(text: string, pattern: RegExp): Generator<readonly InRow[]> {
  let row: InRow[] = [];
  let more = { text: '', end: 0 };
  for (const { 0: match, index, groups } of findMatches(text, pattern)) {
    if (row.length > 0 && index >= more.end) {
      yield* endRow(row, more.text);
      row = [];
    }
    row.push({ match, index });
    const behind = groups?.['more'] ?? '';
    more = { text: behind, end: index + match.length + behind.length };
  }
  yield* endRow(row, more.text);
}

function* endRow(row: readonly InRow[], more: string): Generator<readonly InRow[]> {
  const last = row.at(-1);
  if (last && row.length > 1) yield [...row.slice(0, -1), { ...last, match: last.match + more }];
}
