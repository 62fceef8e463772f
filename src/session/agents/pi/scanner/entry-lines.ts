import { isDeepStrictEqual } from 'node:util';
import type { Entry, LineSpan, ModelRef } from '../../../model/entry.ts';
import type { SkimmedLines } from '../../../jsonl/read/line-splitter.ts';
import { INPUT } from '../../../jsonl/scanner/layout.ts';
import { LineCursor } from './line-cursor.ts';
import { Ending, type Scanner, Verdict } from './scanner.ts';
import type { UnparsedEntry } from '../../../dialect/fold.ts';

/** Instead of a text that a line does not have. */
const ABSENT = 0xffff_ffff;
const LINE_END = Buffer.from('\n');
/** Of a record without calls, and of each call. */
const [RECORD_BYTES, CALL_BYTES] = [64, 8];
const NO_CALLS: UnparsedEntry['calls'] = [];

type Kind = Pick<Entry, 'type' | 'role'>;
type Place = Pick<Entry, 'id' | 'parentId' | 'type' | 'time'>;

/** The kinds of lines by the number of their shape; one list, since there is one scanner. */
const kinds: Kind[] = [];
const NO_KIND: Kind = { type: '' };

/**
 * Reads entries from lines without parsing them: from well-formed lines of a shape that has been
 * judged once. A shape is all of a line but its texts, numbers and what belongs to tools and
 * extensions: the keys in their order, the types of values, and what kind of entry, message and block
 * it is.
 */
export class EntryLines {
  readonly #scanner: Scanner;
  readonly #judge: object;
  readonly #cursor: LineCursor;
  #firstLine = 0;
  #firstOffset = 0;
  /** The addresses of the next record and of the texts. */
  #record = 0;
  #texts = '';
  #id = '';
  #idWord = ABSENT;
  #model: ModelRef = { provider: undefined, modelId: undefined };
  #isUnseen = false;

  /** Starts to learn for a judge; the shapes are kept until another judge's turn. */
  constructor(scanner: Scanner, judge: object) {
    this.#scanner = scanner;
    this.#cursor = new LineCursor(scanner);
    this.#judge = judge;
  }

  /** Goes to the line that begins at a place of a chunk; its number and its place in the file. */
  begin(chunk: Buffer, start: number, line: number, offset: number): void {
    this.#scanner.judgeFor(this.#judge);
    this.#cursor.begin(chunk, start);
    this.#firstLine = line;
    this.#firstOffset = offset;
  }

  /** The lines that were read since, once there is none left. */
  get taken(): SkimmedLines {
    return this.#cursor.taken;
  }

  /** Reads the next line; undefined when it has to be parsed, or does not end in the chunk. */
  next(): UnparsedEntry | undefined {
    if (!this.#cursor.next(this.#scan)) {
      this.#isUnseen = this.#scanner.exports.ending.value === Ending.unseen;
      return undefined;
    }
    const place = this.#scanner.window.words[this.#record / 4 + 2] ?? 0;
    const offset = this.#firstOffset + this.#cursor.toDistance(place);
    return this.#read(this.#firstLine + this.#cursor.lines - 1, offset);
  }

  /**
   * Returns whether the line that was left last is of a shape that nobody has judged. It has to be learnt
   * before anything else is looked at.
   */
  get isUnseen(): boolean {
    return this.#isUnseen;
  }

  /** Learns that lines of this shape have to be parsed. */
  leave(): void {
    this.#isUnseen = false;
    this.#scanner.exports.learn(Verdict.leave);
  }

  /**
   * Learns to take lines of this shape, if what is read of the line without parsing it is the same as
   * what is known of it.
   */
  learn(bytes: Buffer, known: UnparsedEntry): void {
    const { exports } = this.#scanner;
    this.#isUnseen = false;
    if (!exports.learn(Verdict.take)) return;
    kinds[exports.shape.value] = { type: known.entry.type, role: known.entry.role };
    const end = this.#scanner.window.put(bytes, LINE_END);
    const count = this.#scan(INPUT, end);
    const { line, offset } = known.entry;
    const isSame = count === 1 && isDeepStrictEqual(this.#read(line, offset), known);
    if (!isSame) exports.learn(Verdict.leave);
  }

  readonly #scan = (from: number, end: number): number => {
    const { exports, window } = this.#scanner;
    const count = exports.scan(from, end);
    this.#record = exports.RECORDS.value;
    this.#idWord = ABSENT;
    const texts = exports.TEXTS.value;
    this.#texts = count > 0 ? window.bytes.toString('latin1', texts, exports.textsEnd.value) : '';
    return count;
  };

  /** Reads a record as `assembly/scan.ts` writes it. */
  #read(line: number, offset: number): UnparsedEntry {
    const { words, times } = this.#scanner.window;
    const at = this.#record / 4;
    const { type, role } = kinds[words[at + 4] ?? 0] ?? NO_KIND;
    const time = times[at / 2] ?? Number.NaN;
    const length = words[at + 3] ?? 0;
    const parentWord = words[at + 6] ?? ABSENT;
    const hangsOnLast = parentWord === this.#idWord && parentWord !== ABSENT;
    const parentId = hangsOnLast ? this.#id : (this.#toText(parentWord) ?? null);
    this.#idWord = words[at + 5] ?? ABSENT;
    const id = (this.#id = this.#toText(this.#idWord) ?? '');
    const callCount = words[at + 11] ?? 0;
    this.#record += RECORD_BYTES + callCount * CALL_BYTES;
    if (type !== 'message') {
      const span = { line, offset, length };
      const entry = this.#toEntry(at, { id, parentId, type, time }, span);
      return { entry, calls: NO_CALLS, resultOf: undefined };
    }
    const isAnswer = role === 'assistant';
    const model = isAnswer ? this.#toModel(words[at + 8], words[at + 9]) : undefined;
    const calls = isAnswer && callCount > 0 ? this.#toCalls(at, callCount) : NO_CALLS;
    const resultOf = role === 'toolResult' ? this.#toText(words[at + 10]) : undefined;
    const entry = { id, parentId, type, time, line, offset, length, role, model };
    return { entry, calls, resultOf };
  }

  /** With what entries of its kind say that are no messages; such are few. */
  #toEntry(at: number, place: Place, span: LineSpan): Entry {
    const { words } = this.#scanner.window;
    switch (place.type) {
      case 'model_change':
        return Object.assign(span, place, { model: this.#toModel(words[at + 12], words[at + 13]) });
      case 'thinking_level_change':
        return Object.assign(span, place, { thinkingLevel: this.#toText(words[at + 14]) });
      default:
        return Object.assign(span, place, { customType: this.#toText(words[at + 7]) });
    }
  }

  /** One object for many answers of one model. */
  #toModel(providerWord: number | undefined, modelWord: number | undefined): ModelRef {
    const provider = this.#toText(providerWord);
    const modelId = this.#toText(modelWord);
    const last = this.#model;
    if (last.provider === provider && last.modelId === modelId) return last;
    return (this.#model = { provider, modelId });
  }

  #toCalls(at: number, count: number): UnparsedEntry['calls'] {
    const { words } = this.#scanner.window;
    const calls = [];
    for (let index = 0; index < count; index += 1) {
      const call = at + (RECORD_BYTES + index * CALL_BYTES) / 4;
      calls.push({
        id: this.#toText(words[call]) ?? '',
        name: this.#toText(words[call + 1]) ?? '',
      });
    }
    return calls;
  }

  #toText(word = ABSENT): string | undefined {
    if (word === ABSENT) return undefined;
    const start = word >>> 8;
    return this.#texts.slice(start, start + (word & 0xff));
  }
}
