import { createHash } from 'node:crypto';
import { withoutCompression } from '../session/jsonl/zstd/is-compressed.ts';

/** Hexadecimal digits: two of four thousand million sessions would share 64 bits. `NameTwins` finds them. */
const LENGTH = 16;

/** Makes a short name for a session file by its path, the same before and after its agent compresses it. */
export function toSourceHash(path: string): string {
  return toShortHash(withoutCompression(path));
}

/** Makes a short name of a long text, or of a path, the same on every machine. */
export function toShortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, LENGTH);
}
