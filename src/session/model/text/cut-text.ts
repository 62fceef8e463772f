const encoder = new TextEncoder();
/** A code unit takes at most this many bytes of UTF-8; a pair of them takes four. */
const BYTES_PER_UNIT = 3;
/** The fewest bytes that leave more than the note. */
export const MIN_CUT_BYTES = 200;

/**
 * The beginning and the end of a text, with a note between them of what is left out: together at
 * most `maxBytes` of UTF-8, so that cutting again changes nothing. Undefined when the text fits.
 */
export function cutText(text: string, maxBytes: number): string | undefined {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return undefined;
  // The note of all bytes is as long as a note can get.
  const room = maxBytes - Buffer.byteLength(toNote(bytes));
  const tail = text.slice(text.length - Math.floor(room / 4 / BYTES_PER_UNIT));
  const end = /^[\udc00-\udfff]/.test(tail) ? tail.slice(1) : tail;
  const head = takeBytes(text, room - Buffer.byteLength(end));
  const left = bytes - Buffer.byteLength(head) - Buffer.byteLength(end);
  return `${head}${toNote(left)}${end}`;
}

/** The longest beginning of a text that takes at most `maxBytes` of UTF-8. */
export function takeBytes(text: string, maxBytes: number): string {
  const { read } = encoder.encodeInto(text, new Uint8Array(maxBytes));
  return text.slice(0, read);
}

function toNote(bytes: number): string {
  return `\n\n[... ${bytes} bytes of output cut by coppice ...]\n\n`;
}

/** A name or a label as agents write it: line breaks become spaces. */
export function toOneLine(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').trim();
}

/** Text on one line, at most `length` long, cut at a word. */
export function shorten(text: string, length: number): string {
  const line = text
    .slice(0, length * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= length) return line;
  const cut = line.slice(0, length - 1);
  const space = cut.lastIndexOf(' ');
  const end = space > length / 2 ? space : cut.length;
  return `${cut.slice(0, end).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
