import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import { FileError } from '../../../errors.ts';
import { toFileError } from '../files/file-error.ts';
import {
  beginsAsKnownSync,
  extendKnownSync,
  type KnownFile,
} from '../files/identity/known-file.ts';
import { releaseAfterSync } from '../files/release-after.ts';
import { getStampSync, readRangeSync, writeAllSync } from '../files/sync-calls.ts';
import { truncateAppended } from '../files/system.ts';

const LF = 0x0a;
const { O_APPEND, O_NONBLOCK, O_RDWR } = constants;

/**
 * Appends whole lines, and returns once they are on the disk with the state of the file. `compose`
 * gets what others have appended since `known`, and makes the lines, each with its LF.
 *
 * A last line without its LF, which a crash has left, gets it first, in one write with the lines.
 * If the disk is full, the part that was written is taken back.
 * @throws FileError; `ECHANGED` when it does not begin with what is known any more.
 */
export function appendSync(
  path: string,
  known: KnownFile,
  compose: (foreign: Buffer) => Buffer,
): KnownFile {
  try {
    const fd = openSync(path, O_RDWR | O_APPEND | O_NONBLOCK);
    const append = (): KnownFile => {
      if (!beginsAsKnownSync(fd, known)) {
        throw new FileError(path, 'ECHANGED', 'was replaced by another program: open it again');
      }
      const { size } = getStampSync(fd);
      const lines = compose(readRangeSync(fd, known.size, size));
      if (lines.length > 0) writeWhole(path, fd, size, closeFirst(fd, size, lines));
      return extendKnownSync(fd, known);
    };
    return releaseAfterSync(append, () => closeSync(fd));
  } catch (error) {
    throw toFileError(error, path, 'write');
  }
}

function closeFirst(fd: number, size: number, lines: Buffer): Buffer {
  const isClosed = size === 0 || readRangeSync(fd, size - 1, size)[0] === LF;
  return isClosed ? lines : Buffer.concat([Buffer.of(LF), lines]);
}

function writeWhole(path: string, fd: number, size: number, bytes: Buffer): void {
  try {
    writeAllSync(fd, bytes);
    fsyncSync(fd);
  } catch (error) {
    const fail = (): void => {
      throw error;
    };
    releaseAfterSync(fail, () => takeBack(path, fd, size, bytes));
  }
}

/** Only a torn line of ours is taken back, never what somebody else has appended behind it. */
function takeBack(path: string, fd: number, size: number, bytes: Buffer): void {
  const grown = getStampSync(fd).size - size;
  if (grown > 0 && readRangeSync(fd, size, size + grown).equals(bytes.subarray(0, grown))) {
    truncateAppended(path, fd, size);
  }
}
