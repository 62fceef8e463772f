import { closeSync, constants, existsSync, openSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { FileError } from '../../errors.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { releaseAfter, tryAll } from '../../session/jsonl/files/release-after.ts';
import { type FileId, hasNumber, isOneFile } from '../../session/jsonl/files/identity/same-file.ts';
import { getStampSync } from '../../session/jsonl/files/sync-calls.ts';
import { refuseLastLink } from '../../session/jsonl/files/system.ts';
import { refuseLink } from './refuse-link.ts';
import { attempt, attemptSync } from '../files/attempt.ts';

const { O_DIRECTORY, O_RDONLY } = constants;

const NO_NUMBER =
  'cannot remove: this file system has no inode numbers, so directories cannot be distinguished; use the trash';

/**
 * Lets `act` work in a directory, if that is still the expected one. On Linux the path that `act`
 * is given leads to the directory that was checked, even if another one replaces it meanwhile;
 * elsewhere there is a moment between the check and the act. @throws FileError, `ELINK`, when the
 * path leads somewhere else, or `ENOSYS` where that cannot be known; any error that `act` throws.
 */
export async function inDirectory<T>(
  path: string,
  expected: FileId,
  act: (path: string) => Promise<T>,
): Promise<T> {
  const fd = openDirectory(path);
  const run = async (): Promise<T> => {
    if (isOneFile(getStampSync(fd), expected)) return act(toHeldPath(fd) ?? path);
    throw hasNumber(expected)
      ? new FileError(path, 'ELINK', 'another directory, or a link to one, is in its place')
      : new FileError(path, 'ENOSYS', NO_NUMBER);
  };
  return releaseAfter(run, () => closeSync(fd));
}

/**
 * Does in a directory, as `inDirectory`, what can be undone, such as a move to the trash: on a system that
 * cannot distinguish directories, `act` is given the path itself.
 */
export async function inDirectoryIfKnown<T>(
  path: string,
  expected: FileId | undefined,
  act: (path: string) => Promise<T>,
): Promise<T> {
  return expected && hasNumber(expected) ? inDirectory(path, expected, act) : act(path);
}

/** Makes a directory if it is missing; `shown` is its path in messages. */
export type MakeDirectory = (path: string, shown: string) => Promise<void>;

/**
 * Lets `act` work in a directory below `base`, if no link is on the way to it; each directory on the way is given to
 * `make` first. One elsewhere is the user's own business. The path that `act` is given is as that of `inDirectory`.
 * @throws FileError, `ELINK`, for a link on the way; any error that `act` or `make` throws.
 */
export async function inDirectoryBelow<T>(
  base: string,
  directory: string,
  act: (path: string) => Promise<T>,
  make: MakeDirectory = () => Promise.resolve(),
): Promise<T> {
  const [first = '', ...rest] = relative(base, directory).split(sep);
  if (first === '..') return act(directory);
  const parts = first === '' ? [] : [first, ...rest];
  const fds = process.platform === 'linux' ? [openDirectory(base)] : [];
  const run = async (): Promise<T> => {
    let [held, shown] = [toHeldPath(fds[0]), base];
    for (const part of parts) {
      const path = join(held ?? shown, part);
      shown = join(shown, part);
      await make(path, shown);
      if (held === undefined) await refuseLink(base, shown);
      else held = toHeldPath(hold(path, shown, fds));
    }
    return act(held ?? shown);
  };
  return releaseAfter(run, () => closeAll(fds, directory));
}

/** Opens a directory that is not a link. */
function hold(path: string, shown: string, fds: number[]): number {
  try {
    const fd = openSync(path, O_RDONLY | O_DIRECTORY | refuseLastLink(path));
    fds.push(fd);
    return fd;
  } catch (error) {
    const problem = toFileError(error, shown, 'open');
    if (problem.code !== 'ELOOP' && problem.code !== 'ENOTDIR') throw problem;
    throw new FileError(shown, 'ELINK', 'a symbolic link is at this path', { cause: error });
  }
}

function closeAll(fds: readonly number[], directory: string): Promise<void> {
  return attempt(directory, () => tryAll(...fds.map((fd) => () => closeSync(fd))), 'close');
}

function openDirectory(path: string): number {
  return attemptSync(path, () => openSync(path, O_RDONLY | O_DIRECTORY), 'open');
}

/** A path that leads to an open directory itself. */
function toHeldPath(fd: number | undefined): string | undefined {
  const path = `/proc/self/fd/${fd}`;
  return process.platform === 'linux' && existsSync(path) ? path : undefined;
}
