import { isDeepStrictEqual } from 'node:util';
import type { Entry, LineSpan, ModelRef } from '../../../model/entry.ts';
import type { SkimmedLines } from '../../../jsonl/read/line-splitter.ts';
import { INPUT, UNSEEN } from '../../../jsonl/scanner/layout.ts';
import { LineCursor } from './line-cursor.ts';
import {
  ABSENT,
  CALL_BYTES,
  CALL_COUNT_AT,
  CALL_ID_AT,
  CUSTOM_TYPE_AT,
  ID_AT,
  LEAVE,
  LENGTH_AT,
  LENGTH_BITS,
  LENGTH_MASK,
  LINE_AT,
  MODEL_AT,
  NEXT_LEVEL_AT,
  NEXT_MODEL_AT,
  NEXT_PROVIDER_AT,
  PARENT_AT,
  PROVIDER_AT,
  RECORD_BYTES,
  SHAPE_AT,
  TAKE,
  TIME_AT,
  TOOL_ID_AT,
  TOOL_NAME_AT,
} from './layout.ts';
import type { Scanner } from './scanner.ts';
import type { UnparsedEntry } from '../../../dialect/known-shapes.ts';
import type { RuleLevels } from '../../../dialect/levels.ts';

const LINE_END = Buffer.from('\n');
const NO_CALLS: UnparsedEntry['calls'] = [];

type Place = Pick<Entry, 'id' | 'parentId' | 'type' | 'time'>;

const NO_KIND: Pick<Entry, 'type' | 'role'> = { type: '' };

/**
 * Reads entries from lines without parsing them: from well-formed lines of a shape that has been
 * judged once. A shape is all of a line but its texts, numbers and what belongs to tools and
 * extensions: the keys in their order, the types of values, and what kind of entry, message and block
 * it is.
 */
export class EntryLines {
  readonly #scanner: Scanner;
  readonly #levels: RuleLevels;
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

  /** Starts to learn shapes at these levels of rules; they are kept until other levels are asked for. */
  constructor(scanner: Scanner, levels: RuleLevels) {
    this.#scanner = scanner;
    this.#cursor = new LineCursor(scanner);
    this.#levels = levels;
  }

  /** Goes to the line that begins at a place of a chunk; its number and its place in the file. */
  begin(chunk: Buffer, start: number, line: number, offset: number): void {
    this.#scanner.learnFor(this.#levels);
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
      this.#isUnseen = this.#scanner.exports.ending.value === UNSEEN;
      return undefined;
    }
    const place = this.#getWord(LINE_AT);
    const offset = this.#firstOffset + this.#cursor.toDistance(place);
    return this.#read(this.#firstLine + this.#cursor.lines - 1, offset);
  }

  /**
   * Returns whether the line that was left last is of a shape that no one has judged. It has to be learned
   * before anything else is looked at.
   */
  get isUnseen(): boolean {
    return this.#isUnseen;
  }

  /** Learns that lines of this shape have to be parsed. */
  refuse(): void {
    this.#isUnseen = false;
    this.#scanner.exports.learn(LEAVE);
  }

  /**
   * Learns to take lines of this shape, if what is read of the line without parsing it is the same as
   * what is known of it.
   */
  learn(bytes: Buffer, known: UnparsedEntry): void {
    const { exports } = this.#scanner;
    this.#isUnseen = false;
    if (!exports.learn(TAKE)) return;
    this.#scanner.kinds[exports.shape.value] = { type: known.entry.type, role: known.entry.role };
    const end = this.#scanner.window.put(bytes, LINE_END);
    const count = this.#scan(INPUT, end);
    const { line, offset } = known.entry;
    const isSame = count === 1 && isDeepStrictEqual(this.#read(line, offset), known);
    if (!isSame) exports.learn(LEAVE);
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
    const { kinds, window } = this.#scanner;
    const { type, role } = kinds[this.#getWord(SHAPE_AT)] ?? NO_KIND;
    const time = window.times[(this.#record + TIME_AT) / 8] ?? Number.NaN;
    const length = this.#getWord(LENGTH_AT);
    const parentWord = this.#getWord(PARENT_AT);
    const hangsOnLast = parentWord === this.#idWord && parentWord !== ABSENT;
    const parentId = hangsOnLast ? this.#id : (this.#toText(parentWord) ?? null);
    this.#idWord = this.#getWord(ID_AT);
    const id = (this.#id = this.#toText(this.#idWord) ?? '');
    const callCount = this.#getWord(CALL_COUNT_AT);
    const unparsed = this.#readRest({ id, parentId, type, time }, role, { line, offset, length });
    this.#record += RECORD_BYTES + callCount * CALL_BYTES;
    return unparsed;
  }

  #readRest(place: Place, role: Entry['role'], span: LineSpan): UnparsedEntry {
    if (place.type !== 'message') {
      return { entry: this.#toEntry(place, span), calls: NO_CALLS, resultOf: undefined };
    }
    const isAnswer = role === 'assistant';
    const model = isAnswer ? this.#toModel(PROVIDER_AT, MODEL_AT) : undefined;
    const calls = isAnswer ? this.#toCalls() : NO_CALLS;
    const resultOf = role === 'toolResult' ? this.#getText(CALL_ID_AT) : undefined;
    const { id, parentId, type, time } = place;
    const { line, offset, length } = span;
    const entry = { id, parentId, type, time, line, offset, length, role, model };
    return { entry, calls, resultOf };
  }

  /** Makes an entry that is not a message, with the members of its kind; such entries are few. */
  #toEntry(place: Place, span: LineSpan): Entry {
    switch (place.type) {
      case 'model_change':
        return Object.assign(span, place, {
          model: this.#toModel(NEXT_PROVIDER_AT, NEXT_MODEL_AT),
        });
      case 'thinking_level_change':
        return Object.assign(span, place, { thinkingLevel: this.#getText(NEXT_LEVEL_AT) });
      default:
        return Object.assign(span, place, { customType: this.#getText(CUSTOM_TYPE_AT) });
    }
  }

  /** One object for many answers of one model. */
  #toModel(providerAt: number, modelAt: number): ModelRef {
    const provider = this.#getText(providerAt);
    const modelId = this.#getText(modelAt);
    const last = this.#model;
    if (last.provider === provider && last.modelId === modelId) return last;
    return (this.#model = { provider, modelId });
  }

  #toCalls(): UnparsedEntry['calls'] {
    const count = this.#getWord(CALL_COUNT_AT);
    if (count === 0) return NO_CALLS;
    const calls = [];
    for (let index = 0; index < count; index += 1) {
      const call = RECORD_BYTES + index * CALL_BYTES;
      calls.push({
        id: this.#getText(call + TOOL_ID_AT) ?? '',
        name: this.#getText(call + TOOL_NAME_AT) ?? '',
      });
    }
    return calls;
  }

  /** Reads a member of the record. */
  #getWord(at: number): number {
    return this.#scanner.window.words[(this.#record + at) / 4] ?? ABSENT;
  }

  #getText(at: number): string | undefined {
    return this.#toText(this.#getWord(at));
  }

  #toText(word: number): string | undefined {
    if (word === ABSENT) return undefined;
    const start = word >>> LENGTH_BITS;
    return this.#texts.slice(start, start + (word & LENGTH_MASK));
  }
}
