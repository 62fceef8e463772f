import { createHash, type Hash } from 'node:crypto';
import { type FileStamp, isSameState } from './file-stamp.ts';
import { fillSync, getStampSync } from '../sync-calls.ts';
import { CHUNK_BYTES } from '../../read/chunks/chunk-pool.ts';

/** The state of a file, and a hash of the first `size` bytes, which distinguishes an append from a rewrite. */
export interface KnownFile extends FileStamp {
  readonly hash: Hash;
}

/** Reads an open file from its start, and returns it as it is known then. */
export function readKnownSync(fd: number): KnownFile {
  const stamp = getStampSync(fd);
  const hash = createHash('sha256');
  hashRange(fd, hash, 0, stamp.size);
  return { ...stamp, hash };
}

/** Returns the file as it is known after an append: reads only what is new. */
export function extendKnownSync(fd: number, known: KnownFile): KnownFile {
  const stamp = getStampSync(fd);
  const hash = known.hash.copy();
  hashRange(fd, hash, known.size, stamp.size);
  return { ...stamp, hash };
}

/**
 * Returns whether an open file still begins with all that is known of it. An inode number does not answer
 * that: it is used again once a file is removed, and a rewrite in place keeps it.
 */
export function beginsAsKnownSync(fd: number, known: KnownFile): boolean {
  const found = getStampSync(fd);
  if (isSameState(found, known)) return true;
  if (found.dev !== known.dev || found.ino !== known.ino || found.size < known.size) return false;
  const hash = createHash('sha256');
  hashRange(fd, hash, 0, known.size);
  return hash.digest('hex') === known.hash.copy().digest('hex');
}

function hashRange(fd: number, hash: Hash, start: number, end: number): void {
  const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(0, end - start)));
  for (let at = start; at < end;) {
    const count = fillSync(fd, chunk.subarray(0, end - at), at);
    if (count === 0) break;
    hash.update(chunk.subarray(0, count));
    at += count;
  }
}
