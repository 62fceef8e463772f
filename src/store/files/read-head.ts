import { closeSync } from 'node:fs';
import { releaseAfterSync } from '../../session/jsonl/files/release-after.ts';
import { readRangeSync } from '../../session/jsonl/files/sync-calls.ts';
import { openForReading } from '../../session/jsonl/read/open-for-reading.ts';

/** The first bytes of a regular file, as text. @throws FileError if it cannot be opened. */
export function readHead(path: string, bytes: number): string {
  const { fd } = openForReading(path);
  return releaseAfterSync(
    () => readRangeSync(fd, 0, bytes).toString('utf8'),
    () => closeSync(fd),
  );
}

/** Reads as `readHead` does, but nothing of a file that cannot be read. */
export function readHeadIfAny(path: string, bytes: number): string {
  try {
    return readHead(path, bytes);
  } catch {
    return '';
  }
}
