import { CLOSING, COMMA, findStringEnd, OPENING, QUOTE, skipSpace, trimEnd } from './scan-json.ts';

/** The start and end of an element of a top-level JSON array, in bytes. */
export interface ArrayElement {
  readonly offset: number;
  readonly length: number;
}

/**
 * Finds the elements of a JSON array without parsing them, so that a broken element spoils no
 * other. Of a text that ends early, the last element is what there is of it. Returns the index
 * behind the bracket that closes the array; -1 where there is none.
 */
export function* splitArray(text: Buffer): Generator<ArrayElement, number> {
  let at = text.indexOf('[') + 1;
  while (at < text.length) {
    const start = skipSpace(text, at);
    const end = findElementEnd(text, start);
    const length = trimEnd(text, start, end) - start;
    if (length > 0) yield { offset: start, length };
    if (text[end] !== COMMA) return end < text.length ? end + 1 : -1;
    at = end + 1;
  }
  return -1;
}

/** The index of the comma or bracket that ends the element which starts at `start`. */
function findElementEnd(text: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const byte = text[at];
    if (byte === QUOTE) at = findStringEnd(text, at) - 1;
    else if (OPENING.has(byte)) depth += 1;
    else if (CLOSING.has(byte) && depth-- === 0) return at;
    else if (byte === COMMA && depth === 0) return at;
  }
  return text.length;
}
