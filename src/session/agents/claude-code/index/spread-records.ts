import {
  CLOSING,
  COMMA,
  findStringEnd,
  isEscaped,
  OPENING,
  QUOTE,
  SPACE,
} from '../../../jsonl/edit/scan-json.ts';
import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import type { LineSpan } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';
import { formatNumber } from '../../../model/text/numbers.ts';
import { findFirstObject } from '../../../rules/find-records.ts';

const [OPEN_BRACE, OPEN_BRACKET, CLOSE_BRACE, COLON] = [0x7b, 0x5b, 0x7d, 0x3a];
const ENDS_WORD: ReadonlySet<number | undefined> = new Set([
  ...SPACE,
  ...OPENING,
  ...CLOSING,
  QUOTE,
  COMMA,
  COLON,
]);

/** The next token of a record: `more` stands for a comma or a closing bracket, `first` for anything after an opening one. */
type Next = 'first' | 'key' | 'colon' | 'value' | 'more';

type LinePlace = Pick<LineSpan, 'line' | 'offset'>;

export interface SpreadSession extends Session {
  /** The line at which a record begins that stands on several lines, if there is one. */
  readonly spread?: LinePlace | undefined;
}

/**
 * Finds a record that stands on several lines, as an editor or `jq` lays one out. The client reads it since 2.1.133;
 * coppice reads lines.
 */
export class SpreadRecords {
  /** The brackets that are open after the last line; none outside of a record. */
  #open: number[] = [];
  #next: Next = 'first';
  #start: LinePlace = { line: 0, offset: 0 };
  #last = 0;
  #found: LinePlace | undefined;

  /** The line at which the first one begins. */
  get found(): LinePlace | undefined {
    return this.#found;
  }

  visit(line: Line, content: LineContent): void {
    if (this.#found !== undefined || line.oversized) return;
    const isNext = this.#open.length > 0 && line.number === this.#last + 1;
    if (isNext && this.#continue(line)) return;
    this.#open = [];
    if (content.kind !== 'malformed' || findFirstObject(line)) return;
    this.#start = { line: line.number, offset: line.offset };
    if (!this.#continue(line)) this.#open = [];
  }

  /** Returns whether the line begins or continues a record. */
  #continue(line: Line): boolean {
    this.#last = line.number;
    for (let at = 0; at < line.length;) {
      const end = this.#take(line.bytes, at);
      if (end === undefined) return false;
      // The client skips what follows on the line.
      if (this.#found !== undefined) return true;
      at = end;
    }
    return true;
  }

  /** Takes the token at `at`: one past it, or undefined where no record goes on so. */
  #take(bytes: Buffer, at: number): number | undefined {
    const byte = bytes[at] ?? 0;
    if (SPACE.has(byte)) return at + 1;
    if (this.#open.length === 0 && byte !== OPEN_BRACE) return undefined;
    if (OPENING.has(byte)) return this.#enter(byte, at);
    if (CLOSING.has(byte)) return this.#close(byte, at);
    if (byte === COLON) return this.#step('colon', 'value', at);
    if (byte === COMMA) return this.#step('more', this.#isInObject() ? 'key' : 'value', at);
    return this.#takeScalar(bytes, at);
  }

  #takeScalar(bytes: Buffer, at: number): number | undefined {
    const isKey = this.#isInObject() && (this.#next === 'first' || this.#next === 'key');
    const end = bytes[at] === QUOTE ? findClosedEnd(bytes, at) : findWordEnd(bytes, at);
    const fits = isKey ? bytes[at] === QUOTE : this.#isValue();
    if (!fits || end === undefined) return undefined;
    this.#next = isKey ? 'colon' : 'more';
    return end;
  }

  #enter(byte: number, at: number): number | undefined {
    if (this.#open.length > 0 && !this.#isValue()) return undefined;
    this.#open.push(byte);
    this.#next = 'first';
    return at + 1;
  }

  #close(byte: number, at: number): number | undefined {
    const opened = this.#open.at(-1);
    const isPair = (opened === OPEN_BRACE) === (byte === CLOSE_BRACE);
    if (!isPair || (this.#next !== 'first' && this.#next !== 'more')) return undefined;
    this.#open.pop();
    this.#next = 'more';
    if (this.#open.length === 0) this.#found = this.#start;
    return at + 1;
  }

  #step(from: Next, to: Next, at: number): number | undefined {
    if (this.#next !== from) return undefined;
    this.#next = to;
    return at + 1;
  }

  #isInObject(): boolean {
    return this.#open.at(-1) === OPEN_BRACE;
  }

  #isValue(): boolean {
    if (this.#next === 'value') return true;
    return this.#next === 'first' && this.#open.at(-1) === OPEN_BRACKET;
  }
}

/** One past the string that opens at `at`; undefined where the line ends before it does. */
function findClosedEnd(bytes: Buffer, at: number): number | undefined {
  const end = findStringEnd(bytes, at);
  const isClosed = end > at + 1 && bytes[end - 1] === QUOTE && !isEscaped(bytes, at, end - 1);
  return isClosed ? end : undefined;
}

/** One past a number or a word. */
function findWordEnd(bytes: Buffer, at: number): number {
  let end = at + 1;
  while (end < bytes.length && !ENDS_WORD.has(bytes[end])) end += 1;
  return end;
}

/** Returns the reason why a session is not to be changed by what its lines say; undefined without such a record. */
export function describeSpread(session: Session): string | undefined {
  const { spread }: SpreadSession = session;
  if (spread === undefined) return undefined;
  const where = `line ${formatNumber(spread.line)} begins a record that stands on several lines`;
  return `${where}, which Claude Code reads: write it on one line first`;
}
