import { createHash } from 'node:crypto';
import { closeSync, constants, createReadStream, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { FileError } from '../../errors.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { releaseAfterSync } from '../../session/jsonl/files/release-after.ts';
import { readRangeSync } from '../../session/jsonl/files/sync-calls.ts';
import { refuseLastLink } from '../../session/jsonl/files/system.ts';
import { openForReading } from '../../session/jsonl/read/open-for-reading.ts';
import { attemptSync } from './attempt.ts';

const { O_NONBLOCK, O_RDONLY } = constants;

/** Enough for the first line of most files. */
export const START_BYTES = 8192;
const END_BYTES = 65_536;

/** The first bytes of a plain file, as text; nothing of what is not one. */
export function readStart(path: string): Promise<string> {
  return readPart(path, START_BYTES, () => 0);
}

/** The last bytes of a plain file, as text; nothing of what is not one. */
export function readEnd(path: string): Promise<string> {
  return readPart(path, END_BYTES, (size) => Math.max(0, size - END_BYTES));
}

async function readPart(
  path: string,
  length: number,
  findStart: (size: number) => number,
): Promise<string> {
  try {
    const file = await open(path, O_RDONLY | O_NONBLOCK | refuseLastLink(path));
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return '';
      const start = findStart(stats.size);
      return readRangeSync(file.fd, start, start + length).toString('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (['ENOENT', 'ELOOP', 'EISDIR', 'ENXIO'].includes(problem.code)) return '';
    throw problem;
  }
}

/** The SHA-256 of all bytes of a file. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

/**
 * All bytes of a file that no one has named, but that was found: a pipe of its name would be waited
 * for without end. One that is larger than `maxBytes` is not read.
 * @throws FileError if it cannot be read, is not a regular file, or is too large.
 */
export function readRegularFile(path: string, maxBytes = Number.POSITIVE_INFINITY): Buffer {
  const { fd, stamp } = openForReading(path);
  const read = (): Buffer => {
    if (stamp.size <= maxBytes) return readFileSync(fd);
    throw new FileError(path, 'EFBIG', `cannot read: is larger than ${maxBytes} bytes`);
  };
  return attemptSync(path, () => releaseAfterSync(read, () => closeSync(fd)), 'read');
}
