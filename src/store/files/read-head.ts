import { closeSync, readSync } from 'node:fs';
import { releaseAfterSync } from '../../session/jsonl/files/release-after.ts';
import { openForReading } from '../../session/jsonl/read/open-for-reading.ts';

/** The beginning of a file, as text; nothing of one that cannot be read. */
export function readHead(path: string, bytes: number): string {
  try {
    const { fd } = openForReading(path);
    return releaseAfterSync(
      () => {
        const head = Buffer.alloc(bytes);
        return head.toString('utf8', 0, readSync(fd, head, 0, bytes, 0));
      },
      () => closeSync(fd),
    );
  } catch {
    return '';
  }
}
