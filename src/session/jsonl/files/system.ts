import {
  chmodSync,
  constants,
  fchmodSync,
  ftruncateSync,
  lstatSync,
  openSync,
  renameSync,
  statSync,
  truncateSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { FileError } from '../../../errors.ts';

/**
 * The differences between systems in handling files, all in this one place. The behavior of Node on Windows
 * is that of libuv (`src/win/fs.c` of 1.46).
 */
export interface System {
  /**
   * Whether directories are flushed. Windows has no call for it: NTFS writes the log that names are
   * in when a file is flushed.
   */
  readonly flushesDirectories: boolean;
  /**
   * Whether a file is flushed through a handle that only reads. `FlushFileBuffers` needs one that may write.
   */
  readonly flushesReaders: boolean;
  /** Whether a file can take the name of one that is open. `MoveFileEx` answers EPERM to it. */
  readonly replacesOpenFiles: boolean;
  /** Whether what was opened to append can be cut short: libuv asks for no right to write over it. */
  readonly truncatesAppenders: boolean;
  /** Whether locks are those of `flock`; those of Windows are held by a process that has a file open for itself. */
  readonly hasFlock: boolean;
  /**
   * A flag for `open`, to follow no link in the last name of a path. If the system has no such
   * flag, the path is checked first, which leaves a moment for anyone who may write to the
   * directory.
   */
  readonly noFollow: number | undefined;
  /** Half of what Node's calls cut off times to that they set, in seconds; 0 where they take the nearest. */
  readonly timeShift: number;
  /**
   * Times that differ less cannot be set again, in nanoseconds. On Windows, libuv adds the years since 1601
   * to a double, which leaves steps of 1.6 microseconds.
   */
  readonly timeStep: bigint;
  /** Whether a file has an owner, a group and a mode that decide who may read it. */
  readonly hasModes: boolean;
}

const POSIX: System = {
  flushesDirectories: true,
  flushesReaders: true,
  replacesOpenFiles: true,
  truncatesAppenders: true,
  hasFlock: true,
  // Nanoseconds since libuv 1.52, microseconds before.
  timeShift: Number(process.versions.uv.split('.')[1]) >= 52 ? 5e-10 : 5e-7,
  timeStep: 1000n,
  noFollow: constants.O_NOFOLLOW,
  hasModes: true,
};

const WINDOWS: System = {
  flushesDirectories: false,
  flushesReaders: false,
  replacesOpenFiles: false,
  truncatesAppenders: false,
  hasFlock: false,
  timeShift: 0,
  timeStep: 10_000n,
  noFollow: undefined,
  hasModes: false,
};

export const system = process.platform === 'win32' ? WINDOWS : POSIX;

/**
 * Codes that Windows returns while another program has the file open, be it for a moment (a virus scanner).
 */
const HELD: ReadonlySet<unknown> = new Set(['EPERM', 'EACCES', 'EBUSY']);
/** How long to wait before each further try, in milliseconds: then no one who only looks still has it. */
export const WAITS: readonly number[] = [10, 20, 40, 80, 160, 320, 640];

/** Returns whether a call failed because a program has the file open, on a system where that matters. */
export function isHeld(error: unknown, { replacesOpenFiles } = system): boolean {
  return !replacesOpenFiles && error instanceof Error && 'code' in error && HELD.has(error.code);
}

/** Renames a file or a directory; waits a little if a process holds it. */
export async function renameFile(from: string, to: string): Promise<void> {
  for (const wait of WAITS) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      if (!isHeld(error)) throw error;
      await setTimeout(wait);
    }
  }
  await rename(from, to);
}

/** Renames a file for callers that cannot wait: the thread waits. */
export function renameFileSync(from: string, to: string): void {
  for (const wait of WAITS) {
    try {
      renameSync(from, to);
      return;
    } catch (error) {
      if (!isHeld(error)) throw error;
      pause(wait);
    }
  }
  renameSync(from, to);
}

/** Lets the thread wait, in milliseconds. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

/** A descriptor to flush a file or a directory by; undefined for a directory that cannot be flushed. */
export function openToFlush(path: string): number | undefined {
  // Opening a named pipe without O_NONBLOCK would wait for a writer.
  if (system.flushesReaders) return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const stats = statSync(path);
  if (stats.isDirectory()) return undefined;
  if ((stats.mode & OWNER_WRITES) !== 0) return openSync(path, 'r+');
  // A file that may only be read gets that back at once.
  chmodSync(path, stats.mode | OWNER_WRITES);
  const fd = openSync(path, 'r+');
  fchmodSync(fd, stats.mode);
  return fd;
}

const OWNER_WRITES = 0o200;

/** Codes of file systems without hard links (exFAT, some network shares); Windows EISDIR. */
const NO_LINKS: ReadonlySet<unknown> = new Set([
  'EPERM',
  'ENOSYS',
  'ENOTSUP',
  'EOPNOTSUPP',
  'EMLINK',
  'EISDIR',
]);

/** Returns whether a refused link means that there are none on this file system. */
export function lacksLinks(error: unknown): boolean {
  return error instanceof Error && 'code' in error && NO_LINKS.has(error.code);
}

/** Cuts a file short that was opened to append. */
export function truncateAppended(path: string, fd: number, size: number): void {
  if (system.truncatesAppenders) ftruncateSync(fd, size);
  else truncateSync(path, size);
}

/**
 * A flag for `open`, to follow no link in the last name of a path. If the system has no such flag,
 * the path is checked first, which leaves a moment for anyone who may write to the directory.
 * @throws FileError, `ELOOP`, for a link where there is no flag.
 */
export function refuseLastLink(
  path: string,
  { noFollow }: Pick<System, 'noFollow'> = system,
): number {
  if (noFollow !== undefined) return noFollow;
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    throw new FileError(path, 'ELOOP', 'cannot open: is a symbolic link');
  }
  return 0;
}
