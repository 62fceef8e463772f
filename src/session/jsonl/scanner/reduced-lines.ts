import type { JsonObject } from '../edit/json.ts';
import { type LineContent, ScannedObject } from '../read/parse-line.ts';
import { type Line, NO_LINES, type SkimmedLines } from '../read/line-splitter.ts';
import { code } from './assembly.base64';
import { LINE_BYTES, LINES, PLAN, RESULT } from './layout.ts';
import { type LinePlan, writePlan, type WrittenPlan } from './plan.ts';
import { getWindow, loadProgram, type Window } from './window.ts';

interface Global {
  readonly value: number;
}

/** The exports of `assembly/`. */
interface Program {
  readonly scannedTo: Global;
  readonly ending: Global;
  readonly resultEnd: Global;
  readonly isAscii: Global;
  reduce(from: number, end: number, plan: number): number;
  hash(start: number, end: number): number;
  isBase64(start: number, end: number): number;
}

/** The reason why it took no more lines: it came to the end of the memory that it was shown. */
const DONE = 0;

let known: { readonly program: Program | undefined } | undefined;
const written = new WeakMap<LinePlan, WrittenPlan>();
/** The plan that is in the memory. */
let shown: WrittenPlan | undefined;

/** A reader of lines, with the members that it reads; those may change with each line. */
export interface LineReader {
  readonly plan?: LinePlan | undefined;
  visit(line: Line, content: LineContent): void;
}

/**
 * Has a reader visit whole lines from `chunk[start]` on, each with what its plan names of the object on
 * it, as it would be if the line was parsed; up to the first that has to be. Without WebAssembly, that is
 * the first.
 */
export function visitReduced(
  reader: LineReader,
  chunk: Buffer,
  start: number,
  number: number,
  offset: number,
): SkimmedLines {
  const program = getProgram();
  if (!program) return NO_LINES;
  const window = getWindow();
  const shift = offset - start;
  let [lines, at] = [0, start];
  for (let { plan } = reader; plan; { plan } = reader) {
    const root = showPlan(plan, window);
    const from = window.show(chunk, at);
    const count = program.reduce(from, window.end, root);
    const isEnd = program.ending.value !== DONE || (count === 0 && window.showsEnd);
    if (count === 0 && (isEnd || !window.moveTo(at))) break;
    const values = count === 0 ? [] : readResult(program, window);
    // `entries()` would make a list for each line.
    for (let index = 0; index < values.length; index += 1) {
      const line = toLine(chunk, window, index, number + lines, shift);
      lines += 1;
      at = line.offset - shift + line.length + 1;
      reader.visit(line, new ScannedObject(values[index] ?? {}));
      // It has been given what it looked at before.
      if (reader.plan !== plan) break;
    }
  }
  return { lines, bytes: at - start };
}

/** One of the lines that were taken. `shift`: what its place in the file is beyond that in the chunk. */
function toLine(
  chunk: Buffer,
  window: Window,
  index: number,
  number: number,
  shift: number,
): ReducedLine {
  const place = (LINES + index * LINE_BYTES) / 4;
  const address = window.words[place] ?? 0;
  const length = window.words[place + 1] ?? 0;
  const hasSurrogates = window.words[place + 2] !== 0;
  const begin = window.toChunk(address);
  return new ReducedLine(chunk, begin, address, length, number, begin + shift, hasSurrogates);
}

/** Computes the same number as for a line that is reduced; undefined where the program or room is missing. */
export function hashInMemory(bytes: Buffer): number | undefined {
  return askProgram(bytes, 'hash');
}

/** Returns whether 18 bytes or more are base64, with up to two signs that fill it up; undefined as above. */
export function isBase64InMemory(bytes: Buffer): boolean | undefined {
  const answer = askProgram(bytes, 'isBase64');
  return answer === undefined ? undefined : answer !== 0;
}

function askProgram(bytes: Buffer, name: 'hash' | 'isBase64'): number | undefined {
  const program = getProgram();
  const start = program && getWindow().locate(bytes);
  return start === undefined ? undefined : program?.[name](start, start + bytes.length);
}

function getProgram(): Program | undefined {
  known ??= { program: loadReducer() };
  return known.program;
}

function loadReducer(): Program | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what its source says
  return loadProgram(code) as unknown as Program | undefined;
}

/** Writes the plan to the memory, and returns its address. */
function showPlan(plan: LinePlan, window: Window): number {
  const own = written.get(plan) ?? writePlan(plan);
  written.set(plan, own);
  if (own !== shown) own.bytes.copy(window.bytes, PLAN);
  shown = own;
  return own.root;
}

function readResult({ resultEnd, isAscii }: Program, window: Window): readonly JsonObject[] {
  const encoding = isAscii.value === 0 ? 'utf8' : 'latin1';
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an array of objects, as it was written
  return JSON.parse(window.bytes.toString(encoding, RESULT, resultEnd.value)) as JsonObject[];
}

/** A line of which most readers need nothing but its place. */
export class ReducedLine implements Line {
  readonly number: number;
  readonly offset: number;
  readonly length: number;
  readonly terminated = true;
  readonly oversized = false;
  /** Whether there is an escape of half of a surrogate pair in it; the other half may be beside it. */
  readonly hasSurrogates: boolean;
  readonly #chunk: Buffer;
  readonly #start: number;
  readonly #address: number;
  #bytes: Buffer | undefined;

  constructor(
    chunk: Buffer,
    start: number,
    address: number,
    length: number,
    number: number,
    offset: number,
    hasSurrogates: boolean,
  ) {
    this.hasSurrogates = hasSurrogates;
    this.#chunk = chunk;
    this.#start = start;
    this.#address = address;
    this.length = length;
    this.number = number;
    this.offset = offset;
  }

  get bytes(): Buffer {
    this.#bytes ??= this.#chunk.subarray(this.#start, this.#start + this.length);
    return this.#bytes;
  }

  /** Valid only during the visit, as the bytes are. */
  hash(): number | undefined {
    return getProgram()?.hash(this.#address, this.#address + this.length);
  }
}
