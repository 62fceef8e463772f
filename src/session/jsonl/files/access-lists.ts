import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { CLOCK_TICK_MS, type FileStamp } from './identity/file-stamp.ts';
import { system } from './system.ts';

/*
 * Node knows nothing of access control lists, with which the bits of the group in a mode mean something else. `ls` marks
 * files that have one.
 */

/** A file as it was when it was looked at. */
export interface LookedAt extends Pick<FileStamp, 'ino' | 'ctimeMs'> {
  readonly path: string;
}

/** A file as `ls` has shown it; `isPlain`: whether nothing but its mode decides who may read it. */
interface Listed {
  readonly ctimeMs: number;
  readonly isPlain: boolean;
}

interface Listing {
  /** The files of a directory by their inodes, but for recent ones. */
  readonly files: ReadonlyMap<string, Listed>;
  /** Whether nothing but its mode decides who may read a new file there. */
  readonly isPlain: boolean;
}

/** A process for each file would take longer than copying it. */
const listings = new Map<string, Listing>();
/** Directories of which a file was asked about. */
const asked = new Set<string>();

/**
 * Returns whether nothing but its mode decides who may read a file, and nothing but its mode who may read a new one beside
 * it. Its directory is listed at once, and again for a file that has changed since: a new list changes the ctime.
 */
export function isPlainAround(file: LookedAt): boolean {
  const directory = dirname(file.path);
  const known = listings.get(directory);
  const listing = known && find(file, known) ? known : list(directory);
  return listing?.isPlain === true && find(file, listing)?.isPlain === true;
}

/**
 * Finds the files of which nothing but the mode decides who may read them. Those of a directory of which files were
 * asked about before are listed at once.
 */
export function findPlain(files: readonly LookedAt[]): ReadonlySet<string> {
  const found = new Set<string>();
  const rest: string[] = [];
  for (const file of files) {
    const listed = recall(file);
    if (!listed) rest.push(file.path);
    else if (listed.isPlain) found.add(file.ino);
  }
  for (const { path } of files) asked.add(dirname(path));
  for (const inode of listPlain(rest)) found.add(inode);
  return found;
}

function recall(file: LookedAt): Listed | undefined {
  if (process.platform !== 'linux' || isRecent(file, Date.now())) return undefined;
  const directory = dirname(file.path);
  const listing = listings.get(directory) ?? (asked.has(directory) ? list(directory) : undefined);
  return listing && find(file, listing);
}

/** Returns whether a file may get a list after a look at it, and bear the same time as before. */
function isRecent({ ctimeMs }: Pick<LookedAt, 'ctimeMs'>, now: number): boolean {
  return Math.abs(now - ctimeMs) <= CLOCK_TICK_MS;
}

/** Times of `ls` have more digits than those of Node. */
const SAME_MS = 0.02;

/** Finds a file in a listing, if it is as it was then. */
function find({ ino, ctimeMs }: LookedAt, { files }: Listing): Listed | undefined {
  const listed = files.get(ino);
  return listed && Math.abs(listed.ctimeMs - ctimeMs) < SAME_MS ? listed : undefined;
}

/** Lists a directory; undefined where that cannot be asked. */
function list(directory: string): Listing | undefined {
  if (!isGnu()) return undefined;
  const now = Date.now();
  const output = run(['-lniabU', '--time=ctime', '--time-style=+%s.%N', '--', directory]);
  if (output === undefined) return undefined;
  const rows = output.split('\n').map((row) => DATED.exec(row)?.groups);
  const files = new Map<string, Listed>();
  let isPlain = false;
  for (const { inode = '', mark, seconds, nanoseconds, name } of rows.filter((row) => !!row)) {
    const ctimeMs = Number(seconds) * 1000 + Number(nanoseconds) / 1e6;
    if (!isRecent({ ctimeMs }, now)) files.set(inode, { ctimeMs, isPlain: mark !== '+' });
    if (name === '.') isPlain = mark !== '+';
  }
  const listing = { files, isPlain };
  listings.set(directory, listing);
  return listing;
}

const DATED =
  /^ *(?<inode>\d+) [-a-z]\S{9}(?<mark>\S?) +\d+ +\d+ +\d+ +(?:\d+, +)?\d+ (?<seconds>-?\d+)\.(?<nanoseconds>\d+) (?<name>.*)$/;

/** How many paths one command gets. */
const PATHS_AT_ONCE = 500;

/** The inodes of those files of which nothing but the mode decides who may read them. */
export function listPlain(paths: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  if (!system.hasModes) return found;
  if (process.platform === 'linux' && !isGnu()) return found;
  for (let at = 0; at < paths.length; at += PATHS_AT_ONCE) {
    const output = run([LIST_EACH, '--', ...paths.slice(at, at + PATHS_AT_ONCE)]) ?? '';
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

let version: string | undefined;

/** Other versions may neither report a list nor copy one, without an error. */
export function isGnu(): boolean {
  version ??= run(['--version']);
  return version?.includes('GNU coreutils') ?? false;
}

/** Returns the output of `ls`; empty if it fails, undefined if it could not even be started. */
function run(args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('ls', args, { maxBuffer: 1 << 28, encoding: 'utf8' });
  if (status === null) return undefined;
  return status === 0 ? stdout : '';
}
