import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  unlinkSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { lacksLinks, taken } from './create-file.ts';
import { toFileError } from './file-error.ts';
import type { FileStamp } from './read-lines.ts';
import { getStampSync, syncDirectorySync, writeAllSync } from './sync-calls.ts';
import { createTempFileSync } from './temp-file.ts';

/**
 * `createFile` for callers that cannot wait; returns the state of the new file.
 * @throws FileError, `EEXIST` if there is something of this name; then nothing is left behind.
 */
export function createFileSync(path: string, chunks: Iterable<Buffer>): FileStamp {
  try {
    if (existsSync(path)) throw taken(path);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const temp = createTempFileSync(path);
    try {
      for (const chunk of chunks) writeAllSync(temp.fd, chunk);
      fsyncSync(temp.fd);
      linkExclusivelySync(temp.path, path);
      syncDirectorySync(dirname(path));
      return getStampSync(temp.fd);
    } finally {
      closeSync(temp.fd);
      if (existsSync(temp.path)) unlinkSync(temp.path);
    }
  } catch (error) {
    throw toFileError(error, path, 'create');
  }
}

function linkExclusivelySync(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!lacksLinks(error)) throw error;
    // The empty file reserves the name; only then may a rename take it.
    closeSync(openSync(to, 'wx', 0o600));
    renameSync(from, to);
  }
}
