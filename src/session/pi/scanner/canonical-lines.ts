import type { SkimmedLines } from '../../jsonl/line-splitter.ts';
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
  #chunk: Buffer = LINE_END;
  #start = 0;
  /** Where in the chunk the first line begins that is not taken. */
  #at = 0;
  #lines = 0;
  /** Lines that the scanner took and that were not read yet, and where the first of them is. */
  #waiting = 0;
  #record = 0;

  constructor(scanner: Scanner) {
    this.#scanner = scanner;
  }

  /** Goes to the line that begins at a place of a chunk. */
  begin(chunk: Buffer, start: number): void {
    this.#chunk = chunk;
    this.#start = start;
    this.#at = start;
    this.#lines = 0;
  }

  /** The lines that were read since, once there is none left. */
  get taken(): SkimmedLines {
    return { lines: this.#lines, bytes: this.#at - this.#start };
  }

  /**
   * Reads the next line; false when it has to be parsed, or does not end in the chunk. The fields
   * say nothing then. A message of a user is left, too, where that is asked for.
   */
  next(leavesUser: boolean): boolean {
    if (this.#waiting === 0 && !this.#skim(leavesUser)) return false;
    this.#waiting -= 1;
    this.#lines += 1;
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

  #skim(leavesUser: boolean): boolean {
    const scanner = this.#scanner;
    const from = scanner.show(this.#chunk, this.#at);
    if (this.#run(from, scanner.end, leavesUser)) {
      this.#at = scanner.toChunk(scanner.exports.position.value);
      return true;
    }
    if (scanner.exports.reason.value !== Ending.done || scanner.showsEnd) return false;
    // The line is cut off by the window.
    return scanner.moveTo(this.#at) ? this.#skim(leavesUser) : this.#skimLong(leavesUser);
  }

  /** Takes lines of which those that a model has to be named for may be the first. */
  #run(from: number, end: number, leavesUser: boolean): boolean {
    const { exports } = this.#scanner;
    do {
      this.#waiting = exports.skim(from, end, leavesUser ? 1 : 0);
    } while (this.#waiting === 0 && exports.reason.value === Ending.unnamed && this.#name());
    this.#record = exports.RECORDS.value;
    return this.#waiting > 0;
  }

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
  #skimLong(leavesUser: boolean): boolean {
    const scanner = this.#scanner;
    const end = this.#chunk.indexOf(LF, this.#at);
    if (end === -1) return false;
    const line = this.#chunk.subarray(this.#at, end);
    const piece = scanner.exports.INPUT_BYTES.value / 2;
    for (let at = HEAD_BYTES; at < line.length - TAIL_BYTES; at += piece - OVERLAP) {
      const inside = line.subarray(at - OVERLAP, Math.min(at + piece, line.length - TAIL_BYTES));
      const insideEnd = scanner.put(inside, LINE_END) - 1;
      if (!scanner.exports.canPassOver(scanner.input, insideEnd)) return false;
    }
    const ends = [line.subarray(0, HEAD_BYTES), GAP, line.subarray(-TAIL_BYTES), LINE_END];
    if (!this.#run(scanner.input, scanner.put(...ends), leavesUser)) return false;
    this.#at = end + 1;
    return true;
  }
}
