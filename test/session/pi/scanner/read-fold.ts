import { join } from 'node:path';
import type { LineFold } from '../../../../src/session/dialect.ts';
import { LineSplitter, NO_LINES } from '../../../../src/session/jsonl/line-splitter.ts';
import { parseLine } from '../../../../src/session/jsonl/parse-line.ts';

export const RECORDED = join(import.meta.dirname, '../../../fixtures/recorded');
const STAMP = { dev: 1, ino: 1, size: 1, mtimeMs: 1, mode: 0o600 };

/** What is made of a file that is read in pieces of these lengths, and how much of it was parsed. */
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
    undefined,
    skims ? (...slice) => fold.skim?.(...slice) ?? NO_LINES : undefined,
  );
  let at = 0;
  for (const length of pieces) {
    splitter.push(bytes.subarray(at, at + length));
    at += length;
  }
  splitter.push(bytes.subarray(at));
  splitter.end();
  return { result: fold.finish({ path: 'a.jsonl', stamp: STAMP }), parsed };
}
