import { constants, openSync } from 'node:fs';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { isHeld, pause, refuseLastLink } from '../../session/jsonl/files/system.ts';

/**
 * A flag of libuv, which Node passes on: no other handle may be open, nor be opened while this one
 * is.
 */
const ALONE = 0x1000_0000;
/** The file is removed when it is closed. */
const UNTIL_CLOSED = 0x40;
/** The times to wait for a program that only looks at it for a moment (a virus scanner), in milliseconds. */
const WAITS = [10, 20, 40];
const { O_CREAT, O_RDONLY, O_RDWR } = constants;

/**
 * Opens a lock file on Windows, which is made for that and removed when it is closed, so that no other
 * program can open it meanwhile; undefined where one has it open. There a lock is `LockFileEx`, for which
 * Node has no call; but a process that has such a lock has the file open.
 * @throws FileError if it cannot be opened for another reason.
 */
export function holdAlone(path: string): number | undefined {
  return openAlone(path, O_RDWR | O_CREAT | UNTIL_CLOSED);
}

/** Opens a file that exists, and leaves it there. @throws FileError, `ENOENT` where it is not. */
export function openFree(path: string): number | undefined {
  return openAlone(path, O_RDONLY);
}

function openAlone(path: string, flags: number): number | undefined {
  for (const wait of [...WAITS, undefined]) {
    try {
      return openSync(path, flags | ALONE | refuseLastLink(path), 0o644);
    } catch (error) {
      if (!isHeld(error)) throw toFileError(error, path, 'lock');
      if (wait !== undefined) pause(wait);
    }
  }
  return undefined;
}
