import type { Line } from './line-splitter.ts';
import type { LineTransform } from './rewrite.ts';

const LF = Buffer.from('\n');

/** Collects what is to be written in place of lines until the chunk that they lie in is read over. */
export class LineOutput {
  readonly #chunk: Buffer;
  #parts: Buffer[] = [];

  /** `chunk`: what is read into, again and again. */
  constructor(chunk: Buffer) {
    this.#chunk = chunk;
  }

  put(line: Line, replacement: ReturnType<LineTransform>): void {
    const parts = replacement ?? (line.terminated ? [line.bytes, LF] : [line.bytes]);
    // A line that lies in several chunks has a buffer of its own, which is the next one's too.
    if (line.bytes.buffer !== this.#chunk.buffer) this.add(Buffer.concat(parts));
    else for (const part of parts) this.add(part);
  }

  add(bytes: Buffer): void {
    this.#parts.push(bytes);
  }

  /** All of it since the last time; to be called before the chunk is read over. */
  take(): Buffer {
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    return bytes;
  }
}
