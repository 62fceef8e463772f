import { isBase64InMemory } from './reduced-lines.ts';

const FILLER = 0x3d;
/** Shorter texts are not looked at by the program of the scanner. */
const MIN_LENGTH = 18;

/** Returns whether bytes are nothing but base64, without signs that fill it up: of 4 characters, each 3 bytes. */
export function isBase64(bytes: Buffer): boolean {
  if (bytes.at(-1) === FILLER) return false;
  const found = bytes.length < MIN_LENGTH ? undefined : isBase64InMemory(bytes);
  return found ?? bytes.every(isSign);
}

/** The signs of base64: letters, digits, plus and slash. */
function isSign(byte: number): boolean {
  const letter = byte | 0x20;
  return (letter >= 0x61 && letter <= 0x7a) || (byte >= 0x2f && byte <= 0x39) || byte === 0x2b;
}
