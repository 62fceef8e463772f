import { closeSync } from 'node:fs';
import { releaseAfter } from '../files/release-after.ts';
import { openForReading } from './open-for-reading.ts';
import { readRangeSync } from '../files/sync-calls.ts';

/** Returns whether a file begins with all of these bytes. @throws FileError if it cannot be read. */
export async function beginsWith(path: string, chunks: AsyncIterable<Buffer>): Promise<boolean> {
  const { fd } = openForReading(path);
  return releaseAfter(
    async () => {
      let at = 0;
      for await (const chunk of chunks) {
        if (!readRangeSync(fd, at, at + chunk.length).equals(chunk)) return false;
        at += chunk.length;
      }
      return true;
    },
    () => closeSync(fd),
  );
}
