export const [QUOTE, COMMA] = [0x22, 0x2c];
export const OPENING: ReadonlySet<number | undefined> = new Set([0x7b, 0x5b]);
export const CLOSING: ReadonlySet<number | undefined> = new Set([0x7d, 0x5d]);
export const SPACE: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

const BACKSLASH = 0x5c;

/**
 * One past the quote that closes the string which opens at `start`; the length where none does. Jumps
 * from quote to quote: a string may hold megabytes.
 */
export function findStringEnd(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(QUOTE, start + 1); at !== -1; at = bytes.indexOf(QUOTE, at + 1)) {
    if (!isEscaped(bytes, start, at)) return at + 1;
  }
  return bytes.length;
}

/** Returns whether backslashes between `start` and a quote make it a character of the string. */
export function isEscaped(bytes: Buffer, start: number, quote: number): boolean {
  let at = quote;
  while (at > start && bytes[at - 1] === BACKSLASH) at -= 1;
  return (quote - at) % 2 === 1;
}

/** Finds the first byte from `start` on that is not white space; at most `end`. */
export function skipSpace(bytes: Buffer, start: number, end = bytes.length): number {
  let at = start;
  while (at < end && SPACE.has(bytes[at])) at += 1;
  return at;
}

/** Finds the start of the white space before `end`; at least `start`. */
export function trimEnd(bytes: Buffer, start: number, end: number): number {
  let at = end;
  while (at > start && SPACE.has(bytes[at - 1])) at -= 1;
  return at;
}
