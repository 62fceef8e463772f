import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FileError } from '../../errors.ts';
import { toFileError } from './file-error.ts';
import type { FileStamp } from './read-lines.ts';
import { isSameState, syncDirectory } from './rewrite.ts';

const LF = Buffer.from('\n');
const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDWR } = constants;

export interface AppendOptions {
  /** The state that the lines were made for: to a file in any other state nothing is appended. */
  readonly planned?: FileStamp;
}

/**
 * Appends whole lines, each with its LF, and returns once they are on the disk. Creates the file
 * for its owner only, unless a state was planned for; a last line without its LF, which a crash has
 * left, gets it first.
 * @throws FileError; a part of the lines may then have been written, unless its code is ECHANGED.
 */
export async function appendLines(
  path: string,
  lines: Iterable<Buffer>,
  { planned }: AppendOptions = {},
): Promise<void> {
  try {
    // Without O_NONBLOCK, opening a named pipe would wait for a reader.
    const flags = O_RDWR | O_APPEND | O_NONBLOCK | (planned ? 0 : O_CREAT);
    const file = await open(path, flags, 0o600);
    try {
      const stats = await file.stat();
      if (planned && !isSameState(stats, planned)) {
        throw new FileError(path, 'ECHANGED', 'changed since it was read: left as it is');
      }
      const { size } = stats;
      if (size > 0 && !(await endsWithLf(file, size))) lines = closeFirst(lines);
      await (planned ? writeWhole(file, size, lines) : writeEach(file, lines));
      await file.sync();
      if (size === 0) await syncDirectory(dirname(path));
    } finally {
      await file.close();
    }
  } catch (error) {
    throw toFileError(error, path, 'write');
  }
}

/** Puts the LF that is missing before the first line, in one piece with it. */
function* closeFirst(lines: Iterable<Buffer>): Generator<Buffer> {
  let missing = [LF];
  for (const line of lines) {
    yield Buffer.concat([...missing, line]);
    missing = [];
  }
}

async function writeEach(file: FileHandle, lines: Iterable<Buffer>): Promise<void> {
  for (const line of lines) await file.appendFile(line);
}

/** In one write, so that no other writer gets in between; a full disk leaves the file as it was. */
async function writeWhole(file: FileHandle, size: number, lines: Iterable<Buffer>): Promise<void> {
  const bytes = Buffer.concat([...lines]);
  let written = 0;
  try {
    while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
  } catch (error) {
    // Only a torn line of ours is taken back, never what somebody else has appended.
    if ((await file.stat()).size === size + written) await file.truncate(size);
    throw error;
  }
}

async function endsWithLf(file: FileHandle, size: number): Promise<boolean> {
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last.equals(LF);
}
