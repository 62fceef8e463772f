import { spawnSync } from 'node:child_process';
import { FileError } from '../../errors.ts';

/** The exit code of `flock` if another process has the lock: of util-linux and of BusyBox. */
const TAKEN = 1;

const INSTALL =
  'install it (util-linux, BusyBox; macOS: brew install flock), or use the commands of the agent itself';

/**
 * Takes a lock as `flock(2)` does, at once or not at all; false where another process has one. It is
 * that of the open file, and gone once all descriptors of it are closed. Node has no call for it: so the
 * program of that name takes it, on the descriptor that it inherits.
 * @throws FileError, `ENOLCK`, where that is not possible here.
 */
export function tryLock(path: string, fd: number, kind: 'shared' | 'exclusive'): boolean {
  const mode = kind === 'shared' ? '-s' : '-x';
  const { status, error } = spawnSync('flock', ['-n', mode, '3'], {
    stdio: ['ignore', 'ignore', 'ignore', fd],
  });
  if (status === 0) return true;
  if (status === TAKEN) return false;
  const isMissing = error !== undefined && 'code' in error && error.code === 'ENOENT';
  const reason = isMissing
    ? `the program flock, which takes such a lock, is missing; ${INSTALL}`
    : 'flock failed; the file system may not support locks';
  throw new FileError(path, 'ENOLCK', `cannot lock: ${reason}`, { cause: error });
}
