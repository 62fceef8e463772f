import { createHash } from 'node:crypto';

/** Hexadecimal digits: two of four thousand million sessions would share 64 bits. `NameTwins` finds them. */
const LENGTH = 16;

/** Makes a short name of a long text, or of a path, the same on every machine. */
export function toShortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, LENGTH);
}
