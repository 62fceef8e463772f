import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { SkimmedLines } from '../../../jsonl/read/line-splitter.ts';
import { INPUT, RESULT, UNNAMED } from '../../../jsonl/scanner/layout.ts';
import { KEEP_ANSWERS, KEEP_NOTHING, KEEP_NUMBERS } from './layout.ts';
import { LineCursor } from './line-cursor.ts';
import type { Scanner } from './scanner.ts';

/** The part of answers that is kept. */
export type KeptOfAnswers = 'nothing' | 'answers' | 'numbers';

const KEPT = { nothing: KEEP_NOTHING, answers: KEEP_ANSWERS, numbers: KEEP_NUMBERS } as const;
const NO_WORDS = new Uint32Array();
const [LF, BACKSLASH] = [0x0a, 0x5c];
const LINE_END = Buffer.from('\n');
const API = '],"api":"';
const NAMES = /^\],"api":"[^"\\]*","provider":"([^"\\]*)","model":"([^"\\]*)","usage":\{$/;

/** The parts of a line longer than the window that are enough to recognize it. */
const [HEAD_BYTES, TAIL_BYTES] = [1024, 8192];
const PIECE_BYTES = 128 * 1024;
/** Pieces of what is between begin within what is before them: nothing is on a boundary. */
const OVERLAP = 64;
/** Stands for what is between: nothing that is looked for continues across it. */
const GAP = Buffer.from('\\');

/**
 * Reads the lines that pi writes from v2 on, as far as a listing needs them, by their first and
 * last bytes. Of what is between, it looks only for control characters, for the beginning of a
 * second line, and that strings are sound: their escapes, their characters, and where they begin and end.
 *
 * So a line that was torn, glued to another or has a hole is left to be parsed, like every line that pi
 * would write in another way, and one with a broken escape or a quote too many. Not seen is what else may
 * be wrong outside of strings, in a line that is whole at both ends.
 */
export class CanonicalLines {
  /** How many lines were taken at once, each an entry. */
  entries = 0;
  messages = 0;
  userMessages = 0;
  /** Messages of extensions, which are not `message` entries. */
  notes = 0;
  /** The latest that a message of a user or an assistant says of its time, in milliseconds. */
  lastTime = 0;
  /** The latest time of an entry of any kind, in milliseconds. */
  lastWritten = 0;
  /** The model as `provider/model`; empty if there is no answer among them. */
  model = '';
  /**
   * The ids of entries and of parents, as numbers, each with its marks behind it, as a table of places
   * takes them. Valid until more lines are taken.
   */
  marks: Uint32Array = NO_WORDS;

  readonly #scanner: Scanner;
  readonly #kept: number;
  readonly #cursor: LineCursor;
  #parsesUser = false;

  /** Other messages are parsed if they may have usage, unless `nothing` is kept. */
  constructor(scanner: Scanner, kept: KeptOfAnswers) {
    this.#scanner = scanner;
    this.#kept = KEPT[kept];
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
   * Takes the next lines; false when the next one has to be parsed, or does not end in the chunk. The
   * fields say nothing then. With `parsesUser`, that is also so for a message of a user.
   */
  next(parsesUser: boolean): boolean {
    this.#parsesUser = parsesUser;
    this.entries = this.#cursor.nextAll(this.#skim) || this.#takeLong();
    if (this.entries === 0) return false;
    this.#read();
    return true;
  }

  /** Parses the answers among the lines that were taken, without their content and model. */
  parseAnswers(): readonly JsonObject[] {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an array of objects, as it was written
    return this.#parseKept('utf8') as JsonObject[];
  }

  /** Parses the numbers of the answers among the lines that were taken, those of each behind its time. */
  parseNumbers(): readonly number[] {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an array of numbers, as it was written
    return this.#parseKept('latin1') as number[];
  }

  #parseKept(encoding: BufferEncoding): unknown {
    const { window, exports } = this.#scanner;
    const end = exports.answersEnd.value;
    if (end === RESULT) return [];
    window.bytes.write('[', RESULT);
    window.bytes.write(']', end);
    return JSON.parse(window.bytes.toString(encoding, RESULT, end + 1));
  }

  #read(): void {
    const { window, exports } = this.#scanner;
    this.lastTime = exports.lastTime.value;
    this.lastWritten = exports.lastWritten.value;
    this.messages = exports.messages.value;
    this.userMessages = exports.userMessages.value;
    this.notes = exports.notes.value;
    this.model = exports.answers.value === 0 ? '' : this.#scanner.model;
    this.marks = window.words.subarray(exports.RECORDS.value / 4, exports.marksEnd.value / 4);
  }

  /** Takes lines of which those that a model has to be named for may be the first. */
  readonly #skim = (from: number, end: number, isChecked = false): number => {
    const { exports } = this.#scanner;
    let count = 0;
    do {
      count = exports.skim(from, end, this.#parsesUser ? 1 : 0, isChecked ? 1 : 0, this.#kept);
    } while (count === 0 && exports.ending.value === UNNAMED && this.#name());
    return count;
  };

  /** Reads API, provider and model; they are the same for most answers. */
  #name(): boolean {
    const { exports, window } = this.#scanner;
    const bytes = window.bytes.subarray(exports.namesStart.value, exports.namesEnd.value);
    const at = bytes.lastIndexOf(API);
    const text = at === -1 ? '' : bytes.toString('utf8', at);
    const [, provider, model] = NAMES.exec(text) ?? [];
    if (provider === undefined || model === undefined) return false;
    exports.setNames(bytes.copy(window.bytes, exports.NAMES.value, at));
    this.#scanner.model = `${provider}/${model}`;
    return true;
  }

  /** Takes one line that is longer than the window, by its ends, if the rest can be skipped. */
  #takeLong(): number {
    const { window, exports } = this.#scanner;
    const rest = this.#cursor.longRest;
    const end = rest ? rest.indexOf(LF) : -1;
    if (!rest || end === -1) return 0;
    const line = rest.subarray(0, end);
    for (let at = HEAD_BYTES; at < line.length - TAIL_BYTES; at += PIECE_BYTES - OVERLAP) {
      const inside = line.subarray(
        at - OVERLAP,
        Math.min(at + PIECE_BYTES, line.length - TAIL_BYTES),
      );
      const insideEnd = window.put(inside, LINE_END) - 1;
      if (!exports.canPassOver(INPUT, insideEnd)) return 0;
    }
    const ends = [line.subarray(0, HEAD_BYTES), GAP, line.subarray(-TAIL_BYTES), LINE_END];
    if (this.#skim(INPUT, window.put(...ends), true) === 0 || !this.#isSound(line)) return 0;
    this.#cursor.takeLong(end + 1);
    return 1;
  }

  /** Returns whether nothing is wrong within the strings of a long line, piece by piece. */
  #isSound(line: Buffer): boolean {
    const { window, exports } = this.#scanner;
    exports.beginLine();
    for (let at = 0; at < line.length;) {
      const end = findSeparable(line, at + PIECE_BYTES);
      if (end <= at) return false;
      const pieceEnd = window.put(line.subarray(at, end), LINE_END) - 1;
      if (exports.isSound(INPUT, pieceEnd) === 0) return false;
      at = end;
    }
    return exports.endsOutside() !== 0;
  }
}

/** How many bytes an escape has, at most. */
const ESCAPE_BYTES = 6;
/** How far to look for a place where no character and no escape is. */
const MAX_BACK = 4096;

/** The last place before a limit at which neither a character nor an escape is divided; 0 for none near. */
function findSeparable(line: Buffer, limit: number): number {
  if (limit >= line.length) return line.length;
  for (let end = limit; end > limit - MAX_BACK; end -= 1) {
    const around = line.subarray(end - ESCAPE_BYTES, end + 1);
    if (!around.some((byte) => byte === BACKSLASH || byte > 0x7f)) return end;
  }
  return 0;
}
