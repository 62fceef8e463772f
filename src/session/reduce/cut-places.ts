import type { LinePart, LineTransform } from '../jsonl/write/line-transform.ts';
import type { Line } from '../jsonl/read/line-splitter.ts';

/** Finds out where bytes at which lines begin are in what a transform makes of a file. */
export class CutPlaces {
  readonly #wanted: ReadonlySet<number>;
  readonly #moved = new Map<number, number>();
  #written = 0;

  constructor(wanted: Iterable<number>) {
    this.#wanted = new Set(wanted);
  }

  /** The transform, to be handed every line. */
  follow(transform: LineTransform): LineTransform {
    return (line) => {
      if (this.#written === 0) this.#record(0);
      const made = transform(line);
      const parts = made && [...made];
      this.#written += parts ? sum(parts) : line.length + (line.terminated ? 1 : 0);
      if (line.terminated) this.#record(getEnd(line));
      return parts;
    };
  }

  /** Returns the new place of a byte; undefined if no line begins there. */
  find(offset: number): number | undefined {
    return this.#moved.get(offset);
  }

  #record(offset: number): void {
    if (this.#wanted.has(offset)) this.#moved.set(offset, this.#written);
  }
}

/** The first byte behind a line. */
export function getEnd({ offset, length }: Line): number {
  return offset + length + 1;
}

function sum(parts: readonly LinePart[]): number {
  return parts.reduce((total, part) => total + Buffer.byteLength(part), 0);
}

const PADDING_BYTES = 4096;

/**
 * Makes this many bytes of lines that hold only spaces. Parts are one buffer, repeated: the space
 * between two steps may be as large as the removed text.
 */
export function toPadding(bytes: number): readonly Buffer[] {
  const whole = toBlankLine(PADDING_BYTES);
  const parts = Array.from({ length: Math.floor(bytes / PADDING_BYTES) }, () => whole);
  const rest = bytes % PADDING_BYTES;
  return rest === 0 ? parts : [...parts, toBlankLine(rest)];
}

function toBlankLine(bytes: number): Buffer {
  return Buffer.from(`${' '.repeat(bytes - 1)}\n`);
}
