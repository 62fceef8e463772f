import { FileError } from '../../errors.ts';
import { openText, type TextSource } from '../../session/jsonl/read/text-source.ts';
import { withCompression } from '../../session/jsonl/zstd/is-compressed.ts';
import { type SessionFiles, toOwnName } from './session-files.ts';

/**
 * Returns the reason why a session must be kept if its compressed file, which lies beside it and would go with it,
 * has anything that the session has not. No other command reads that file: agents read the plain one of two.
 */
export async function findTwinObstacle({
  path,
  root,
  files,
}: Pick<SessionFiles, 'path' | 'root' | 'files'>): Promise<string | undefined> {
  if (files.length < 2) return undefined;
  const packed = withCompression(path);
  const name = toOwnName(packed, root);
  if (packed === path || !files.some((one) => one.name === name)) return undefined;
  try {
    if (await isStartOf(packed, path)) return undefined;
    return `${packed} holds something else than the unpacked file`;
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return `${error.path}: ${error.message}`;
  }
}

const PIECE_BYTES = 128 * 1024;

/** Returns whether the text of one file begins with all of that of another. @throws FileError */
async function isStartOf(start: string, whole: string): Promise<boolean> {
  const sources: TextSource[] = [];
  const [piece, other] = [Buffer.alloc(PIECE_BYTES), Buffer.alloc(PIECE_BYTES)];
  try {
    const one = await openText(start);
    sources.push(one);
    const all = await openText(whole);
    sources.push(all);
    for (;;) {
      const count = fill(one, piece);
      if (count === 0) return true;
      const part = other.subarray(0, count);
      if (fill(all, part) < count || !part.equals(piece.subarray(0, count))) return false;
    }
  } finally {
    for (const source of sources) source.close();
  }
}

/** Reads until a buffer is full, or nothing is left. */
function fill(source: TextSource, into: Buffer): number {
  let at = 0;
  while (at < into.length) {
    const count = source.read(into, at);
    if (count === 0) break;
    at += count;
  }
  return at;
}
