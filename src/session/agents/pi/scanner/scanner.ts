import { lendChunks, CHUNK_BYTES } from '../../../jsonl/read/chunk-pool.ts';
import { code } from './assembly.base64';

/**
 * Why the scanner took no more lines, as `assembly/` numbers it: none is left; or, before the next one
 * can be taken, a model has to be named, or its shape be learnt. And what it says of a line it takes.
 */
export const Ending = { done: 0, unnamed: 2, unseen: 2, taken: 3 } as const;

/** What it is told of a shape. */
export const Verdict = { take: 1, leave: 2 } as const;

/** A global of the module; its value may change with each call. */
interface Global {
  readonly value: number;
}

/** What `assembly/` exports: places in its memory, and functions that work there. */
export interface ScannerExports {
  readonly memory: { readonly buffer: ArrayBuffer };
  readonly CHUNKS: Global;
  readonly CHUNKS_END: Global;
  readonly INPUT: Global;
  readonly INPUT_BYTES: Global;
  readonly RECORDS: Global;
  readonly NAMES: Global;
  readonly MAX_NAMES: Global;
  readonly namesStart: Global;
  readonly namesEnd: Global;
  setNames(length: number): void;
  skim(from: number, end: number, leavesUser: number): number;
  readonly messages: Global;
  readonly userMessages: Global;
  readonly notes: Global;
  readonly answers: Global;
  readonly lastTime: Global;
  readonly marksEnd: Global;
  canPassOver(start: number, end: number): number;
  readonly TEXTS: Global;
  readonly scannedTo: Global;
  readonly ending: Global;
  readonly textsEnd: Global;
  readonly shape: Global;
  scan(from: number, end: number): number;
  readonly messageTime: Global;
  look(start: number, end: number): number;
  learn(verdict: number): number;
  forget(): void;
}

let known: { readonly scanner: Scanner | undefined } | undefined;

/**
 * The one of this thread. Undefined where there is no WebAssembly (`node --jitless`), or a processor
 * without what it needs: then every line is parsed.
 */
export function getScanner(): Scanner | undefined {
  known ??= { scanner: loadScanner() };
  return known.scanner;
}

function loadScanner(): Scanner | undefined {
  const bytes = Buffer.from(code, 'base64');
  const canRun = typeof WebAssembly !== 'undefined' && WebAssembly.validate(bytes);
  return canRun ? new Scanner(bytes) : undefined;
}

/** What the scanner may read and write behind the end of what it looks at. */
const GUARD_BYTES = 256;

/**
 * The WebAssembly module that looks at lines. It lends parts of its memory for reading into; of
 * chunks that were read elsewhere, it has a window in its memory.
 */
export class Scanner {
  readonly exports: ScannerExports;
  /** All of the module's memory, in bytes and in other units. */
  readonly memory: Buffer;
  readonly words: Uint32Array;
  readonly times: Float64Array;
  /** Where in the memory the window is. */
  readonly input: number;
  /** Who has said which shapes are to be taken. */
  #judge: object | undefined;
  #chunk: Buffer | undefined;
  /** The part of the chunk that is in the memory, and where the chunk would begin there. */
  #start = 0;
  #end = 0;
  #origin = 0;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    const module = new WebAssembly.Module(bytes);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what its source says
    this.exports = new WebAssembly.Instance(module).exports as unknown as ScannerExports;
    const { buffer } = this.exports.memory;
    this.memory = Buffer.from(buffer);
    this.words = new Uint32Array(buffer);
    this.times = new Float64Array(buffer);
    this.input = this.exports.INPUT.value;
    lendChunks(buffer, this.#findRoom());
  }

  /** Brings a chunk into the memory from a place on, unless it is there; where that is there. */
  show(chunk: Buffer, start: number): number {
    if (chunk !== this.#chunk || start < this.#start || start > this.#end) {
      this.#chunk = chunk;
      this.#fill(start);
    }
    return this.#origin + start;
  }

  /** Moves the window within the chunk; false if it begins there already. */
  moveTo(start: number): boolean {
    if (start === this.#start) return false;
    this.#fill(start);
    return true;
  }

  /** Whether the chunk is in the memory up to its end. */
  get showsEnd(): boolean {
    return this.#end === this.#chunk?.length;
  }

  /** Where what is there of it ends in the memory. */
  get end(): number {
    return this.#origin + this.#end;
  }

  /** Which place of the chunk is at an address. */
  toChunk(address: number): number {
    return address - this.#origin;
  }

  /** Where bytes are in the memory, brought there if need be; undefined if there is no room. */
  locate(bytes: Buffer): number | undefined {
    if (bytes.buffer === this.memory.buffer) return bytes.byteOffset;
    if (bytes.length > this.#inputBytes) return undefined;
    this.put(bytes);
    return this.input;
  }

  /** Puts something else into the window; where it ends in the memory. */
  put(...parts: readonly Buffer[]): number {
    this.#chunk = undefined;
    let end = this.input;
    for (const part of parts) end += part.copy(this.memory, end);
    return end;
  }

  /** Forgets what others have said of shapes: what is learnt holds until it is another judge's turn. */
  judgeFor(judge: object): void {
    if (judge !== this.#judge) this.exports.forget();
    this.#judge = judge;
  }

  #fill(start: number): void {
    const chunk = this.#chunk;
    if (!chunk) return;
    if (chunk.buffer === this.memory.buffer) {
      this.#origin = chunk.byteOffset;
      this.#start = 0;
      this.#end = chunk.length;
      return;
    }
    this.#origin = this.input - start;
    this.#start = start;
    this.#end = start + chunk.copy(this.memory, this.input, start, start + this.#inputBytes);
  }

  get #inputBytes(): number {
    return this.exports.INPUT_BYTES.value;
  }

  #findRoom(): readonly Buffer[] {
    const { CHUNKS, CHUNKS_END } = this.exports;
    const room: Buffer[] = [];
    const last = CHUNKS_END.value - CHUNK_BYTES - GUARD_BYTES;
    for (let at = CHUNKS.value; at <= last; at += CHUNK_BYTES + GUARD_BYTES) {
      room.push(this.memory.subarray(at, at + CHUNK_BYTES));
    }
    return room;
  }
}
