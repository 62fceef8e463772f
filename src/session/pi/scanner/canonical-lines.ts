import type { SkimmedLines } from '../../jsonl/line-splitter.ts';
import { LineCursor } from './line-cursor.ts';
import { Ending, type Scanner } from './scanner.ts';

/** What a canonical line holds: a message of a role, or an entry of which only the place counts. */
export type CanonicalKind = (typeof KINDS)[number];

/** As `assembly/skim.ts` numbers them. */
const KINDS = ['other', 'user', 'assistant', 'toolResult'] as const;

const LF = 0x0a;
const LINE_END = Buffer.from('\n');
const API = '],"api":"';
const NAMES = /^\],"api":"[^"\\]*","provider":"([^"\\]*)","model":"([^"\\]*)","usage":\{$/;

/** Of a line that is longer than the window, as much as tells what it is. */
const [HEAD_BYTES, TAIL_BYTES] = [1024, 8192];
/** Pieces of what lies between begin within what is before them: nothing is on a boundary. */
const OVERLAP = 64;
/** Stands for what lies between: nothing that is looked for goes on across it. */
const GAP = Buffer.from('\\');

/** Which `provider/model` the bytes stand for that the scanner has as names. */
let knownModel = '';

/**
 * Reads the lines that pi writes from v2 on, as far as a listing needs them, by their first and
 * last bytes. Of what is between, it looks only for control characters and for the beginning of a
 * second line.
 *
 * So a line that was torn, glued to another or has a hole is left to be parsed, like every line
 * that pi would write in another way. Not seen is what else may be wrong inside of a line that is
 * whole at both ends, such as a broken escape.
 */
export class CanonicalLines {
  kind: CanonicalKind = 'other';
  /** Eight lower-case hexadecimal digits as a number; for no parent, a negative one. */
  id = -1;
  parentId = -1;
  /** What a user's or an assistant's message says of its time, in milliseconds. */
  time = 0;
  /** As `provider/model`, where it is an answer. */
  model = '';

  readonly #scanner: Scanner;
  readonly #cursor: LineCursor;
  #leavesUser = false;
  /** Where the next record is. */
  #record = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
    this.#cursor = new LineCursor(scanner);
  }

  /** Goes to the line that begins at a place of a chunk. */
  begin(chunk: Buffer, start: number): void {
    this.#cursor.begin(chunk, start);
  }

  /** The lines that were read since, once there is none left. */
  get taken(): SkimmedLines {
    return this.#cursor.taken;
  }

  /**
   * Reads the next line; false when it has to be parsed, or does not end in the chunk. The fields
   * say nothing then. A message of a user is left, too, where that is asked for.
   */
  next(leavesUser: boolean): boolean {
    this.#leavesUser = leavesUser;
    if (!this.#cursor.next(this.#skim) && !this.#takeLong()) return false;
    this.#read();
    return true;
  }

  #read(): void {
    const { words, times, exports } = this.#scanner;
    const word = this.#record / 4;
    this.time = times[this.#record / 8] ?? 0;
    this.id = words[word + 2] ?? 0;
    this.parentId = words[word + 4] === 0 ? -1 : (words[word + 3] ?? 0);
    this.kind = KINDS[words[word + 5] ?? 0] ?? 'other';
    this.model = knownModel;
    this.#record += exports.RECORD_BYTES.value;
  }

  /** Takes lines of which those that a model has to be named for may be the first. */
  readonly #skim = (from: number, end: number): number => {
    const { exports } = this.#scanner;
    let count = 0;
    do {
      count = exports.skim(from, end, this.#leavesUser ? 1 : 0);
    } while (count === 0 && exports.ending.value === Ending.unnamed && this.#name());
    this.#record = exports.RECORDS.value;
    return count;
  };

  /** Reads API, provider and model; they are the same for most answers. */
  #name(): boolean {
    const { exports, memory } = this.#scanner;
    const bytes = memory.subarray(exports.namesStart.value, exports.namesEnd.value);
    const at = bytes.lastIndexOf(API);
    const text = at === -1 ? '' : bytes.toString('utf8', at);
    const [, provider, model] = NAMES.exec(text) ?? [];
    if (provider === undefined || model === undefined) return false;
    exports.setNames(bytes.copy(memory, exports.NAMES.value, at));
    knownModel = `${provider}/${model}`;
    return true;
  }

  /** Takes a line that is longer than the window, by its ends, if the rest can be passed over. */
  #takeLong(): boolean {
    const scanner = this.#scanner;
    const rest = this.#cursor.longRest;
    const end = rest ? rest.indexOf(LF) : -1;
    if (!rest || end === -1) return false;
    const line = rest.subarray(0, end);
    const piece = scanner.exports.INPUT_BYTES.value / 2;
    for (let at = HEAD_BYTES; at < line.length - TAIL_BYTES; at += piece - OVERLAP) {
      const inside = line.subarray(at - OVERLAP, Math.min(at + piece, line.length - TAIL_BYTES));
      const insideEnd = scanner.put(inside, LINE_END) - 1;
      if (!scanner.exports.canPassOver(scanner.input, insideEnd)) return false;
    }
    const ends = [line.subarray(0, HEAD_BYTES), GAP, line.subarray(-TAIL_BYTES), LINE_END];
    if (this.#skim(scanner.input, scanner.put(...ends)) === 0) return false;
    this.#cursor.takeLong(end + 1);
    return true;
  }
}
