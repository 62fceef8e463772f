import { join } from 'node:path';
import {
  giveBackChunk,
  takeChunkToRead,
} from '../../../../../src/session/jsonl/read/chunks/chunk-pool.ts';
import { LineSplitter } from '../../../../../src/session/jsonl/read/line-splitter.ts';
import { parseLine } from '../../../../../src/session/jsonl/read/parse-line.ts';
import type { LineFold } from '../../../../../src/session/dialect/fold.ts';
import { skimInto } from '../../../../../src/session/read/recognize.ts';

export const RECORDED = join(import.meta.dirname, '../../../../fixtures/recorded');
const STAMP = { dev: '1', ino: '1', size: 1, mtimeMs: 1, ctimeMs: 1, mode: 0o600 };

/**
 * What is made of a file that is read in pieces of these lengths, and how much of it was parsed.
 * Every other piece is read as files are, into memory of the pool, which may be the scanner's own.
 */
export function readFold<T>(
  fold: LineFold<T>,
  bytes: Buffer,
  pieces: readonly number[],
  skims: boolean,
): { readonly result: T; readonly parsed: number } {
  let parsed = 0;
  const splitter = new LineSplitter(
    (line) => {
      parsed += 1;
      fold.visit(line, parseLine(line));
    },
    { skim: skims ? (...slice) => skimInto(fold, ...slice) : undefined },
  );
  const chunk = takeChunkToRead();
  let at = 0;
  for (const [index, length] of [...pieces, bytes.length].entries()) {
    const piece = bytes.subarray(at, at + length);
    const isRead = index % 2 === 0 && piece.length <= chunk.length;
    splitter.push(isRead ? chunk.subarray(0, piece.copy(chunk)) : piece);
    at += length;
  }
  splitter.end();
  giveBackChunk(chunk);
  return { result: fold.finish({ path: 'a.jsonl', stamp: STAMP }), parsed };
}
