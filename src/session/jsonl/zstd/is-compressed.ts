import { FileError } from '../../../errors.ts';

/** The remedy for a file that is compressed where plain text is needed. */
export const DECOMPRESS = 'run coppice compact --decompress';

/** Returns whether a file holds its text compressed: agents go by the name, and so do we. */
export function isCompressed(path: string): boolean {
  return path.endsWith(ENDING);
}

/** The name that a compressed file has when it is decompressed; any other name as it is. */
export function withoutCompression(path: string): string {
  return isCompressed(path) ? path.slice(0, -ENDING.length) : path;
}

/** The name that a file has when it is compressed. */
export function withCompression(path: string): string {
  return isCompressed(path) ? path : path + ENDING;
}

/**
 * Refuses a compressed file; call this before the bytes of a session file are taken for its text, or
 * are written to.
 * @throws FileError for a compressed one.
 */
export function refuseCompressed(path: string): void {
  if (!isCompressed(path)) return;
  throw new FileError(
    path,
    'ENOTSUP',
    `is compressed; decompress it first: coppice compact --decompress --apply ${path}`,
  );
}

const ENDING = '.zst';
