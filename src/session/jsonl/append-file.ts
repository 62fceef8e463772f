import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { toFileError } from './file-error.ts';
import { syncDirectory } from './rewrite.ts';

const LF = Buffer.from('\n');
const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = constants;

/**
 * Appends whole lines, each with its LF, and returns once they are on the disk. Creates the file
 * for its owner only; a last line without its LF, which a crash has left, gets it first.
 * @throws FileError; a part of the lines may then have been written.
 */
export async function appendLines(path: string, lines: Iterable<Buffer>): Promise<void> {
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a reader.
    const file = await open(path, O_RDWR | O_APPEND | O_CREAT | O_NONBLOCK, 0o600);
    try {
      const { size } = await file.stat();
      if (size > 0 && !(await endsWithLf(file, size))) await file.appendFile(LF);
      for (const line of lines) await file.appendFile(line);
      await file.sync();
      if (size === 0) await syncDirectory(dirname(path));
    } finally {
      await file.close();
    }
  } catch (error) {
    throw toFileError(error, path, 'write');
  }
}

async function endsWithLf(file: FileHandle, size: number): Promise<boolean> {
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last.equals(LF);
}
