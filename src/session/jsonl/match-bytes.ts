/** Where no match is. Anything is looked for at a place in a chunk, and answered with the place behind it. */
export const NOWHERE = -1;

const [QUOTE, BACKSLASH, ZERO, NINE, LOWER_A, LOWER_F] = [0x22, 0x5c, 0x30, 0x39, 0x61, 0x66];

export function matchesAt(chunk: Buffer, at: number, bytes: Buffer): boolean {
  for (let index = 0; index < bytes.length; index += 1) {
    if (chunk[at + index] !== bytes[index]) return false;
  }
  return true;
}

/** The number that eight lower-case hexadecimal digits make; `NOWHERE` if they are not there. */
export function readHex(chunk: Buffer, at: number): number {
  let value = 0;
  for (let index = at; index < at + 8; index += 1) {
    const byte = chunk[index] ?? 0;
    const isDigit = byte >= ZERO && byte <= NINE;
    if (!isDigit && !(byte >= LOWER_A && byte <= LOWER_F)) return NOWHERE;
    value = value * 16 + (isDigit ? byte - ZERO : byte - LOWER_A + 10);
  }
  return value;
}

/** The number that the decimal digits from `start` to before `end` make, or `NOWHERE`. */
export function readDigits(chunk: Buffer, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index += 1) {
    const byte = chunk[index] ?? 0;
    if (byte < ZERO || byte > NINE) return NOWHERE;
    value = value * 10 + (byte - ZERO);
  }
  return value;
}

/** Where a string without escapes that begins behind its quote at `start` has its other quote. */
export function findPlainStringEnd(chunk: Buffer, start: number, limit: number): number {
  for (let index = start; index < limit; index += 1) {
    const byte = chunk[index];
    if (byte === QUOTE) return index;
    if (byte === BACKSLASH) return NOWHERE;
  }
  return NOWHERE;
}

/** Where a string without escapes whose quote is at `end` begins: the place of its first quote. */
export function findPlainStringStart(chunk: Buffer, end: number, limit: number): number {
  for (let index = end - 1; index >= limit; index -= 1) {
    const byte = chunk[index];
    if (byte === QUOTE) return chunk[index - 1] === BACKSLASH ? NOWHERE : index;
    if (byte === BACKSLASH) return NOWHERE;
  }
  return NOWHERE;
}
