import { spawnSync } from 'node:child_process';
import { fchmodSync, fchownSync, fstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileError } from '../../../errors.ts';
import { CLOCK_TICK_MS, type FileFacts } from './identity/file-stamp.ts';
import { isGnu, isPlainAround, listPlain } from './access-lists.ts';
import { toFileError } from './file-error.ts';
import { system } from './system.ts';

/** A new file that is to be read by no one who could not read another one. */
export interface NewFile {
  readonly path: string;
  readonly fd: number;
}

/** The reason why a file is readable by fewer users than before. */
export const NARROWED =
  'only its owner can read it now: cp could not copy what else decides who may (an access control list)';

/** The bits of a mode for the group and for all others. */
export const OTHERS = 0o077;

/**
 * Gives a new file the owner, the mode, the access control list and the extended attributes of
 * another one. Node knows nothing of the last two, without which the bits of the group mean something
 * else: where they cannot be copied, the new file is for its owner only, and this is false.
 * @throws FileError if it cannot have the owner or the group.
 */
export function keepAccess(from: string, source: FileFacts, to: NewFile): boolean {
  keepOwner(from, source, to.fd);
  return keepMode(from, source, to);
}

/** Keeps the mode of a file that belongs to the user who makes it. */
export function keepMode(from: string, source: FileFacts, to: NewFile): boolean {
  const isKept =
    (source.mode & OTHERS) === 0 || isPlain(from, source, to) || copyAttributes(from, to.path);
  const mode = source.mode & 0o7777 & (isKept ? 0o7777 : ~OTHERS);
  // Setting a mode again changes nothing after a copied list.
  if ((fstatSync(to.fd).mode & 0o7777) !== mode) fchmodSync(to.fd, mode);
  return isKept;
}

function keepOwner(from: string, source: FileFacts, fd: number): void {
  const { uid, gid } = fstatSync(fd);
  if (uid === source.uid && gid === source.gid) return;
  try {
    fchownSync(fd, source.uid, source.gid);
  } catch (error) {
    const { code } = toFileError(error, from, 'replace');
    if (code !== 'EPERM') throw error;
    const whose = uid === source.uid ? `its group (${source.gid})` : `its owner (${source.uid})`;
    const remedy = 'run coppice as one who may, or give the file to yourself and a group of yours';
    const message = `cannot replace: the new file cannot have ${whose}; ${remedy}`;
    throw new FileError(from, code, message, { cause: error });
  }
}

/**
 * Returns whether nothing but its mode decides who may read a file, and nothing but its mode who may read a
 * new one beside it. A list that is made later changes the ctime.
 */
function isPlain(path: string, source: FileFacts, to: NewFile): boolean {
  if (!system.hasModes) return true;
  const isDistinct = (at: number): boolean => at - source.ctimeMs > CLOCK_TICK_MS;
  const { ctimeMs: now, ino } = fstatSync(to.fd);
  if (process.platform !== 'linux') {
    const plain = listPlain([path, to.path]);
    return plain.has(source.ino) && plain.has(String(ino));
  }
  if (!isDistinct(now)) return false;
  return isPlainAround({ path, ...source });
}

/** Whether nothing but its mode decides who may read a new file in a directory. */
const plainDirectories = new Map<string, boolean>();

/**
 * Returns a mode without the bits of others where more than the mode decides who may read a file or directory that
 * was just made: its directory gave it a list. One list is asked for in each directory.
 */
export function limitMode(path: string, mode: number): number {
  if ((mode & OTHERS) === 0 || !system.hasModes) return mode;
  const own = realpathSync(path);
  const directory = dirname(own);
  const isPlainThere = plainDirectories.get(directory) ?? listPlain([own]).size > 0;
  plainDirectories.set(directory, isPlainThere);
  return isPlainThere ? mode : mode & ~OTHERS;
}

/** Adds a directory that was just made to those that are known: it gives new files no list where it got none. */
export function addDirectory(path: string): void {
  if (!system.hasModes) return;
  const own = realpathSync(path);
  if (plainDirectories.get(dirname(own)) === true) plainDirectories.set(own, true);
}

function copyAttributes(from: string, to: string): boolean {
  if (process.platform !== 'linux' || !isGnu()) return false;
  const { status } = spawnSync(
    'cp',
    ['--attributes-only', '--preserve=mode,xattr', '--', from, to],
    { stdio: 'ignore' },
  );
  return status === 0;
}
