const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const SPACE: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0a, 0x0d]);

/** A JSON text without the white space between its tokens, each of which stays byte for byte. */
export function squeezeJson(text: Buffer): Buffer {
  const squeezed = Buffer.allocUnsafe(text.length);
  let length = 0;
  for (let at = 0; at < text.length;) {
    const end = text[at] === QUOTE ? findStringEnd(text, at) : at + 1;
    if (!SPACE.has(text[at])) length += text.copy(squeezed, length, at, end);
    at = end;
  }
  return squeezed.subarray(0, length);
}

function findStringEnd(text: Buffer, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== QUOTE) at += text[at] === BACKSLASH ? 2 : 1;
  return Math.min(at + 1, text.length);
}
