import { CHUNK_BYTES, lendChunks } from '../read/chunks/chunk-pool.ts';
import { CHUNKS, CHUNKS_END, INPUT, INPUT_BYTES, MEMORY_PAGES } from './layout.ts';

/** The bytes that scanners may read and write behind the end of their input. */
const GUARD_BYTES = 256;

let known: Window | undefined;

/** Returns the exports of a program of AssemblyScript; undefined if it cannot run. */
export function loadProgram(code: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = Buffer.from(code, 'base64');
  if (typeof WebAssembly === 'undefined' || !WebAssembly.validate(bytes)) return undefined;
  const module = new WebAssembly.Module(bytes);
  const { memory } = getWindow();
  return new WebAssembly.Instance(module, { env: { memory } }).exports;
}

/** Returns the window of this thread. */
export function getWindow(): Window {
  known ??= new Window();
  return known;
}

/**
 * The memory that scanners share. It lends parts of it for reading into; chunks that were read elsewhere
 * are brought into a window.
 */
export class Window {
  readonly memory = new WebAssembly.Memory({ initial: MEMORY_PAGES });
  /** All of it, in bytes and in other units. */
  readonly bytes = Buffer.from(this.memory.buffer);
  readonly words = new Uint32Array(this.memory.buffer);
  readonly times = new Float64Array(this.memory.buffer);
  #chunk: Buffer | undefined;
  /** The part of the chunk that is in the memory, and where the chunk would begin there. */
  #start = 0;
  #end = 0;
  #origin = 0;

  constructor() {
    lendChunks(this.memory.buffer, this.#findRoom());
  }

  /** Copies a chunk, from `start` on, into the memory unless it is there; returns the address of `start`. */
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

  /** Returns whether the chunk is in the memory up to its end. */
  get showsEnd(): boolean {
    return this.#end === this.#chunk?.length;
  }

  /** Returns the address of the end of the part that is in the memory. */
  get end(): number {
    return this.#origin + this.#end;
  }

  /** Returns the place of the chunk at an address. */
  toChunk(address: number): number {
    return address - this.#origin;
  }

  /** Returns the address of bytes, copied to the memory if need be; undefined if there is no room. */
  locate(bytes: Buffer): number | undefined {
    if (bytes.buffer === this.memory.buffer) return bytes.byteOffset;
    if (bytes.length > INPUT_BYTES) return undefined;
    this.put(bytes);
    return INPUT;
  }

  /** Puts something else into the window; where it ends in the memory. */
  put(...parts: readonly Buffer[]): number {
    this.#chunk = undefined;
    let end = INPUT;
    for (const part of parts) end += part.copy(this.bytes, end);
    return end;
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
    this.#origin = INPUT - start;
    this.#start = start;
    this.#end = start + chunk.copy(this.bytes, INPUT, start, start + INPUT_BYTES);
  }

  #findRoom(): readonly Buffer[] {
    const room: Buffer[] = [];
    const last = CHUNKS_END - CHUNK_BYTES - GUARD_BYTES;
    for (let at = CHUNKS; at <= last; at += CHUNK_BYTES + GUARD_BYTES) {
      room.push(this.bytes.subarray(at, at + CHUNK_BYTES));
    }
    return room;
  }
}
