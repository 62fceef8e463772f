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
 * Makes pieces of text of the bytes of a file, one character for each byte and the ASCII of JSON escapes resolved,
 * to be searched for words. Words of up to 40 characters at the end of a piece are in the next one again.
 */
export class Pieces {
  #before = '';

  /** `chunk`: the next bytes, one character for each. */
  next(chunk: string): string {
    // A text in UTF-16 without its NULs has its words like any other.
    const text = this.#before + chunk.replaceAll('\0', '');
    this.#before = text.slice(-OVERLAP);
    return text.includes('\\u00') ? resolveEscapes(text) : text;
  }
}

/** Reads a file in such pieces. @throws FileError if it cannot be read. */
export async function* readPieces(path: string): AsyncGenerator<string> {
  const pieces = new Pieces();
  try {
    for await (const chunk of createReadStream(path, {
      highWaterMark: PIECE_BYTES,
      encoding: 'latin1',
    })) {
      yield pieces.next(String(chunk));
    }
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}

/** Does the same synchronously. */
export function* readPiecesSync(path: string): Generator<string> {
  const buffer = Buffer.allocUnsafe(PIECE_BYTES);
  const pieces = new Pieces();
  try {
    const file = openSync(path, 'r');
    try {
      for (;;) {
        const bytes = readSync(file, buffer, 0, PIECE_BYTES, null);
        if (bytes === 0) return;
        yield pieces.next(buffer.toString('latin1', 0, bytes));
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
