import { type BigIntStats, statSync } from 'node:fs';
import { throwIfBug } from '../file-error.ts';

/**
 * The identity of a file, by whatever name. The numbers have up to 64 bits (NTFS, some file systems of
 * Linux), of which those of JavaScript keep 53: files made one after the other would look like one. As text,
 * they remain what they are in JSON, too.
 */
export interface FileId {
  /** The file system. */
  readonly dev: string;
  /** The file in it. */
  readonly ino: string;
}

/**
 * The number that Windows gives a file whose own number has more than 64 bits (ReFS), or none at all (some
 * network drives): the same for every such file.
 */
const NO_NUMBER: ReadonlySet<string> = new Set(['0', '-1', String(2n ** 64n - 1n)]);

/** Returns whether they are certainly one file; false where the file system has no number for them. */
export function isOneFile(a: FileId, b: FileId): boolean {
  return a.dev === b.dev && a.ino === b.ino && hasNumber(a);
}

/** Returns whether the file system has a number for a file that is its alone. */
export function hasNumber({ ino }: FileId): boolean {
  return !NO_NUMBER.has(ino);
}

/**
 * Returns whether two paths certainly lead to one file.
 * @throws what `stat` throws where one of them leads nowhere.
 */
export async function leadToOneFile(one: string, other: string): Promise<boolean> {
  // The first one last: callers ask about one that may have changed.
  const b = identify(other);
  const a = identify(one);
  return isOneFile(a, b);
}

/** @throws what `stat` throws. */
export function identify(path: string): FileId {
  return toFileId(statSync(path, { bigint: true }));
}

function toFileId({ dev, ino }: BigIntStats): FileId {
  return { dev: String(dev), ino: String(ino) };
}

/**
 * Returns a key that all paths of a directory share, as where it is mounted at several places; the path itself for
 * anything else.
 */
export function toDirectoryKey(path: string): string {
  try {
    const stats = statSync(path, { bigint: true });
    const id = toFileId(stats);
    return stats.isDirectory() && hasNumber(id) ? `${id.dev}:${id.ino}` : path;
  } catch (error) {
    throwIfBug(error);
    return path;
  }
}
