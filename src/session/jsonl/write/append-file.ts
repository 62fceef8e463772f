import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { changedError, toFileError } from '../files/file-error.ts';
import { type FileStamp, isSameState, toStamp } from '../files/identity/file-stamp.ts';
import { releaseAfter, undoAndThrow } from '../files/release-after.ts';
import { syncDirectory } from '../files/flush.ts';
import { ignoreMissing } from './create-file.ts';
import { refuseCompressed } from '../zstd/is-compressed.ts';
import { refuseLastLink, truncateAppended } from '../files/system.ts';

const LF = Buffer.from('\n');
const { O_APPEND, O_CREAT, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;

export interface AppendOptions {
  /** The state that the lines were made for: to a file in any other state nothing is appended. */
  readonly planned?: FileStamp;
}

/**
 * Appends whole lines, each with its LF, and returns once they are on the disk. Creates the file
 * for its owner only, and follows no link, unless a state was planned for; a last line without its LF, which a crash has
 * left, gets it first.
 * @throws FileError; some of the lines may then have been written, but no part of one, unless the
 * disk does not even let that be taken back.
 */
export async function appendLines(
  path: string,
  lines: Iterable<Buffer>,
  { planned }: AppendOptions = {},
): Promise<void> {
  try {
    refuseCompressed(path);
    // Opening a named pipe without O_NONBLOCK would wait for a reader.
    const flags = O_RDWR | O_APPEND | O_NONBLOCK | (planned ? 0 : O_CREAT | refuseLastLink(path));
    const file = await open(path, flags, 0o600);
    const append = async (): Promise<void> => {
      const stats = toStamp(await file.stat({ bigint: true }));
      if (planned && !isSameState(stats, planned)) {
        throw changedError(path);
      }
      const { size } = stats;
      const isClosed = size === 0 || (await endsWithLf(file, size));
      const whole = isClosed ? lines : closeFirst(lines);
      await (planned ? writeWhole(path, file, size, whole) : writeEach(path, file, size, whole));
      await file.sync();
      if (size === 0) await syncDirectory(dirname(path));
    };
    await releaseAfter(append, () => file.close());
  } catch (error) {
    throw toFileError(error, path, 'write');
  }
}

/** Counts the bytes by which `appendLines` makes a file longer: with the LF that its last line may lack. */
export async function countAppended(path: string, lines: readonly Buffer[]): Promise<number> {
  const added = lines.reduce((sum, line) => sum + line.length, 0);
  if (added === 0) return 0;
  try {
    const file = await open(path, O_RDONLY | O_NONBLOCK);
    const count = async (): Promise<number> => {
      const { size } = await file.stat();
      const isClosed = size === 0 || (await endsWithLf(file, size));
      return isClosed ? added : added + LF.length;
    };
    return await releaseAfter(count, () => file.close());
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}

/**
 * Appends a line with its LF, or nothing. Returns a function that takes it back, unless somebody else has
 * appended behind it.
 */
export async function appendRetractably(path: string, line: Buffer): Promise<() => Promise<void>> {
  const size = await findSize(path);
  const retract = (): Promise<void> => retractLine(path, size, line);
  try {
    await appendLines(path, [line]);
  } catch (error) {
    await undoAndThrow(error, retract);
  }
  return retract;
}

async function findSize(path: string): Promise<number> {
  try {
    return (await lstat(path)).size;
  } catch (error) {
    ignoreMissing(error);
    return 0;
  }
}

async function retractLine(path: string, size: number, line: Buffer): Promise<void> {
  try {
    const file = await open(path, O_RDWR | O_NONBLOCK | refuseLastLink(path));
    const takeBackEither = async (): Promise<void> => {
      await takeBack(path, file, size, line);
      await takeBack(path, file, size, Buffer.concat([LF, line]));
      await file.sync();
    };
    await releaseAfter(takeBackEither, () => file.close());
  } catch (error) {
    ignoreMissing(error);
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

/** Writes any number of lines, one in memory at a time. */
async function writeEach(
  path: string,
  file: FileHandle,
  size: number,
  lines: Iterable<Buffer>,
): Promise<void> {
  let end = size;
  for (const line of lines) {
    await writeWhole(path, file, end, [line]);
    end += line.length;
  }
}

/** Writes once, so that no other writer gets in between; a full disk leaves the file as it was. */
async function writeWhole(
  path: string,
  file: FileHandle,
  size: number,
  lines: Iterable<Buffer>,
): Promise<void> {
  const bytes = Buffer.concat([...lines]);
  let written = 0;
  try {
    while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
  } catch (error) {
    await undoAndThrow(error, () => takeBack(path, file, size, bytes));
  }
}

/** Only a torn line of ours is taken back, never what somebody else has appended behind it. */
async function takeBack(
  path: string,
  file: FileHandle,
  size: number,
  bytes: Buffer,
): Promise<void> {
  const grown = (await file.stat()).size - size;
  if (grown <= 0 || grown > bytes.length) return;
  const found = Buffer.alloc(grown);
  const { bytesRead } = await file.read(found, 0, grown, size);
  if (bytesRead === grown && found.equals(bytes.subarray(0, grown)))
    truncateAppended(path, file.fd, size);
}

async function endsWithLf(file: FileHandle, size: number): Promise<boolean> {
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last.equals(LF);
}
