import { createHash } from 'node:crypto';

const ID_LENGTH = 8;

/** 8 hex digits, more where those are taken. */
export function createId(leafId: string | undefined, isTaken: (id: string) => boolean): string {
  const digest = createHash('sha256').update(`compaction\0${leafId}`).digest('hex');
  let length = ID_LENGTH;
  while (length < digest.length && isTaken(digest.slice(0, length))) length += 1;
  return digest.slice(0, length);
}
