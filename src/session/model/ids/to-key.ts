import { createHash } from 'node:crypto';

/** A short name for a long text, the same on every machine. */
export function toKey(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
