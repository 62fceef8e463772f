import { closeSync, readSync } from 'node:fs';
import { releaseAfterSync } from '../../session/jsonl/files/release-after.ts';
import { openForReading } from '../../session/jsonl/read/open-for-reading.ts';

/** The first bytes of a regular file, as text. @throws FileError if it cannot be opened. */
export function readHead(path: string, bytes: number): string {
  const { fd } = openForReading(path);
  const read = (): string => {
    const head = Buffer.alloc(bytes);
    return head.toString('utf8', 0, readSync(fd, head, 0, bytes, 0));
  };
  return releaseAfterSync(read, () => closeSync(fd));
}

/** Reads as `readHead` does, but nothing of a file that cannot be read. */
export function readHeadIfAny(path: string, bytes: number): string {
  try {
    return readHead(path, bytes);
  } catch {
    return '';
  }
}
