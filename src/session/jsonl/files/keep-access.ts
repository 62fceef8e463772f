import { spawnSync } from 'node:child_process';
import { fchmodSync, fchownSync, fstatSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { FileError } from '../../../errors.ts';
import { CLOCK_TICK_MS, type FileFacts } from './identity/file-stamp.ts';
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

/** The files of a directory that have no access control list, by their inodes. */
interface Listing {
  /** A time before it was made, in milliseconds by the clock of the disk. */
  readonly at: number;
  readonly plain: ReadonlySet<string>;
}

/** A process for each file would take longer than rewriting it. */
const listings = new Map<string, Listing>();

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
  const directory = dirname(path);
  const known = listings.get(directory);
  if (known && isDistinct(known.at)) return known.plain.has(source.ino);
  const plain = findPlain(directory);
  if (plain) listings.set(directory, { at: now, plain });
  return plain?.has(source.ino) ?? false;
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

/** How many paths one command gets. */
const PATHS_AT_ONCE = 500;

/** The inodes of those files of which nothing but the mode decides who may read them. */
export function listPlain(paths: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  if (!system.hasModes) return found;
  if (process.platform === 'linux' && !isGnu()) return found;
  for (let at = 0; at < paths.length; at += PATHS_AT_ONCE) {
    const output = list([LIST_EACH, '--', ...paths.slice(at, at + PATHS_AT_ONCE)]) ?? '';
    for (const inode of parsePlain(output)) found.add(inode);
  }
  return found;
}

/** macOS shows the entries of lists with `-e`; the mark of extended attributes there takes the place of that of a list. */
const LIST_EACH = process.platform === 'darwin' ? '-ldnibe' : '-ldnib';

/**
 * Returns the inodes of those files in the output of `ls -ldnib` that have no access control list; on macOS, with `-e`,
 * a line for each entry of a list follows the line of its file.
 */
export function parsePlain(output: string, platform = process.platform): readonly string[] {
  const rows = output.split('\n');
  const marks = platform === 'darwin' ? ['', '@'] : ['', '.'];
  return rows.flatMap((row, at) => {
    const [, inode = '', mark = '+'] = LISTED.exec(row) ?? [];
    return marks.includes(mark) && !LIST_ENTRY.test(rows[at + 1] ?? '') ? [inode] : [];
  });
}

/** A mark behind the mode: none, `.` for a label of SELinux, `@` for attributes; anything else may be a list. */
const LISTED = /^ *(\d+) [-a-z]\S{9}(\S?) /;
/** ` 0: group:everyone deny delete`. */
const LIST_ENTRY = /^ *\d+: /;

/** None where the directory gives new files a list of their own; undefined where that cannot be asked. */
function findPlain(directory: string): ReadonlySet<string> | undefined {
  if (!isGnu()) return undefined;
  const output = list(['-lniabU', '--time-style=+', '--', directory]);
  if (output === undefined) return undefined;
  const rows = output.split('\n');
  const found = rows.map((row) => LISTED.exec(row)).filter((match) => match !== null);
  const own = found.find(({ input }) => input.endsWith(' .'));
  if (!own || own[2] === '+') return new Set();
  return new Set(found.filter((match) => match[2] !== '+').map(([, inode = '']) => inode));
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

let version: string | undefined;

/** Other versions may neither report a list nor copy one, without an error. */
function isGnu(): boolean {
  version ??= list(['--version']);
  return version?.includes('GNU coreutils') ?? false;
}

/** Returns the output of `ls`; empty if it fails, undefined if it could not even be started. */
function list(args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('ls', args, { maxBuffer: 1 << 28, encoding: 'utf8' });
  if (status === null) return undefined;
  return status === 0 ? stdout : '';
}
