import { closeSync, createReadStream, openSync, readSync } from 'node:fs';
import { toFileError } from '../../session/jsonl/files/file-error.ts';

const PIECE_BYTES = 1024 * 1024;
/**
 * The bytes of the piece before that are searched again: longer than an id that is written with
 * escapes.
 */
const OVERLAP = 256;
/** A letter, digit or hyphen, as JSON may write it too. */
const ESCAPED = /\\u00([2-6][\da-f])/gi;

/**
 * Reads a file in pieces of text, one character for each byte and the ASCII of JSON escapes resolved, to be
 * searched for words. Words of up to 40 characters at the end of a piece are in the next one again.
 * @throws FileError if the file cannot be read.
 */
export async function* readPieces(path: string): AsyncGenerator<string> {
  let before = '';
  try {
    for await (const chunk of createReadStream(path, {
      highWaterMark: PIECE_BYTES,
      encoding: 'latin1',
    })) {
      // A text in UTF-16 without its NULs has its words like any other.
      const text = before + String(chunk).replaceAll('\0', '');
      yield text.includes('\\u00') ? resolveEscapes(text) : text;
      before = text.slice(-OVERLAP);
    }
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}

/** Does the same synchronously. */
export function* readPiecesSync(path: string): Generator<string> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  try {
    const file = openSync(path, 'r');
    try {
      let before = '';
      for (;;) {
        const bytes = readSync(file, buffer, 0, PIECE_BYTES, null);
        if (bytes === 0) return;
        const text = before + buffer.toString('latin1', 0, bytes).replaceAll('\0', '');
        yield text.includes('\\u00') ? resolveEscapes(text) : text;
        before = text.slice(-OVERLAP);
      }
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}

function resolveEscapes(text: string): string {
  return text.replaceAll(ESCAPED, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
}
