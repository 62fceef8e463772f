import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { fileExists } from './read-lines.ts';

/** What may be learned of files that a session names. Nothing is said of why there is no answer. */
export interface OtherFiles {
  exists(path: string): Promise<boolean>;
  /** The first 4 KiB of a plain file, as text. */
  readStart(path: string): Promise<string | undefined>;
  /** With its symbolic links resolved. */
  resolve(path: string): Promise<string | undefined>;
}

/** Enough for the files that name a working tree of git. */
const MAX_START = 4096;

/** Looks at files that sessions name, and reads no more of them than their beginning. */
export const otherFiles: OtherFiles = {
  exists: fileExists,
  async resolve(path) {
    try {
      return await realpath(path);
    } catch {
      return undefined;
    }
  },
  async readStart(path) {
    try {
      // A pipe would never be opened otherwise.
      const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        if (!(await handle.stat()).isFile()) return undefined;
        const { bytesRead, buffer } = await handle.read(Buffer.alloc(MAX_START), 0, MAX_START, 0);
        return buffer.toString('utf8', 0, bytesRead);
      } finally {
        await handle.close();
      }
    } catch {
      return undefined;
    }
  },
};
