import { constants } from 'node:fs';
import { open, readdir, realpath } from 'node:fs/promises';
import type { JsonObject } from '../edit/json.ts';
import { findBelow, listBelow } from '../files/find-below.ts';
import { readRangeSync } from '../files/sync-calls.ts';
import { FirstObject, parseLine } from './parse-line.ts';
import { fileExists, readLines } from './read-lines.ts';

/**
 * The line that begins at a byte of a text, or where that byte is: behind the end, in the middle of a
 * line, at the end, or where a line begins that is not a JSON object.
 */
export type FoundLine = JsonObject | 'past' | 'inside' | 'end' | 'malformed';

/** The facts that may be read of files that a session names. A missing answer has no reason. */
export interface OtherFiles {
  readonly exists: (path: string) => Promise<boolean>;
  /** The first MiB of a plain file, as text. */
  readonly readStart: (path: string) => Promise<string | undefined>;
  /** Resolves the symbolic links of a path. */
  readonly resolve: (path: string) => Promise<string | undefined>;
  /**
   * The first file below these directories whose name fits.
   * @throws FileError if a directory cannot be read: then the answer is not known.
   */
  readonly findBelow: (
    directories: readonly string[],
    fits: (name: string) => boolean,
  ) => Promise<string | undefined>;
  /** Every file below these directories whose name fits. @throws FileError as `findBelow`. */
  readonly listBelow: (
    directories: readonly string[],
    fits: (name: string) => boolean,
  ) => Promise<readonly string[]>;
  /** The names in a directory; none where it is not there or cannot be read. */
  readonly listNames: (directory: string) => Promise<readonly string[]>;
  /** The first line of a session file that is a JSON object. @throws FileError if it cannot be read. */
  readonly readFirstObject: (path: string) => Promise<JsonObject | undefined>;
  /** Reads a session file up to a byte of its text. */
  readonly findLine: (path: string, offset: number) => Promise<FoundLine | undefined>;
}

/** Enough for settings with a table for each project, and for the files that name a working tree of git. */
const MAX_START = 1024 * 1024;

/** Looks at files that sessions name. */
export const otherFiles: OtherFiles = {
  exists: fileExists,
  async resolve(path) {
    try {
      return await realpath(path);
    } catch {
      return undefined;
    }
  },
  findBelow: (directories, fits) => Promise.resolve(findBelow(directories, fits)),
  listBelow: (directories, fits) => Promise.resolve(listBelow(directories, fits)),
  async listNames(directory) {
    try {
      return await readdir(directory);
    } catch {
      return [];
    }
  },
  async readFirstObject(path) {
    const first = new FirstObject();
    await readLines(path, (line) => first.visit(line), { isDone: () => first.value !== undefined });
    return first.value;
  },
  async findLine(path, offset) {
    try {
      return await findLine(path, offset);
    } catch {
      return undefined;
    }
  },
  async readStart(path) {
    try {
      // A pipe would never be opened otherwise.
      const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      try {
        const stats = await handle.stat();
        if (!stats.isFile()) return undefined;
        return readRangeSync(handle.fd, 0, Math.min(stats.size, MAX_START)).toString('utf8');
      } finally {
        await handle.close();
      }
    } catch {
      return undefined;
    }
  },
};

async function findLine(path: string, offset: number): Promise<FoundLine> {
  let found: FoundLine | undefined;
  let end = 0;
  await readLines(
    path,
    (line) => {
      end = line.offset + line.length + (line.terminated ? 1 : 0);
      if (found !== undefined || end <= offset) return;
      if (line.offset < offset) found = 'inside';
      else {
        const content = parseLine(line);
        found = content.kind === 'object' ? content.value : 'malformed';
      }
    },
    { isDone: () => found !== undefined },
  );
  return found ?? (end === offset ? 'end' : 'past');
}
