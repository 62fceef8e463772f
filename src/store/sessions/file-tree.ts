import { type BigIntStats, lstatSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { FileError } from '../../errors.ts';
import { isMissing, toFileError } from '../../session/jsonl/files/file-error.ts';
import {
  type FileStamp,
  isSameState,
  toDateMs,
} from '../../session/jsonl/files/identity/file-stamp.ts';
import { type FileId, identify } from '../../session/jsonl/files/identity/same-file.ts';
import { system } from '../../session/jsonl/files/system.ts';
import { listMountPoints } from '../files/mount-point.ts';
import { getRealPath } from '../files/stat-file.ts';
import type { Sidecar } from '../../session/model/sidecar.ts';
import { attemptSync } from '../files/attempt.ts';

/**
 * The state of one file or directory. Times are to the microsecond (on Windows to 10), which is all
 * that Node can set again; the size of a directory is 0; `mode` is the permission bits.
 */
export interface StampedFile extends FileStamp {
  /** Relative to the root of its tree, with forward slashes. */
  readonly name: string;
  /** How many names the file has, here or elsewhere. */
  readonly links: number;
}

/** Files and directories, as they were when they were looked at. */
export interface FileTree {
  /** The directory that names are relative to. */
  readonly root: string;
  /** The directories that hold these without being among them, by name; `.` is the root. */
  readonly holders: ReadonlyMap<string, FileId>;
  readonly files: readonly StampedFile[];
  /** Outermost first. */
  readonly directories: readonly StampedFile[];
  /** Something among them that cannot be copied and restored. */
  readonly unsupported?: Unsupported | undefined;
  /** The number of such things, if they were counted. */
  readonly unsupportedCount?: number;
}

export interface Unsupported {
  readonly name: string;
  readonly what: 'a link or a device' | 'a file whose name is not UTF-8' | 'on another file system';
}

/** The reason why files with an unsupported among them are left unchanged. */
export function describeUnsupported({ name, what }: Unsupported): string {
  return `${name} is ${what}`;
}

/** The directory that names in a tree are relative to. */
export interface TreeRoot {
  readonly path: string;
  readonly realPath: string;
  readonly id: FileId;
  /** The real paths below it at which something is mounted. */
  readonly mounts: ReadonlySet<string>;
  /** The holders of a tree that has no directories. */
  readonly holders: ReadonlyMap<string, FileId>;
}

/** @throws FileError if there is no such directory. */
export function findTreeRoot(path: string, mounts = listMountPoints()): TreeRoot {
  const realPath = getRealPath(path);
  const below = [...mounts].filter((mount) => mount.startsWith(join(realPath, sep)));
  const id = attemptSync(path, () => identify(path), 'read');
  return { path, realPath, id, mounts: new Set(below), holders: new Map([['.', id]]) };
}

/** A file in the root that was stamped before: most sessions are no more than that. */
export function toLoneFile(
  { path, mounts, holders }: TreeRoot,
  file: StampedFile,
): FileTree | undefined {
  if (mounts.size > 0 || file.name.includes('/')) return undefined;
  return { root: path, holders, files: [file], directories: NONE };
}

const NONE: readonly StampedFile[] = [];

/** A file, or a directory with all that is in it; nothing where there is nothing of this name. */
export async function readTree(root: string, name: string): Promise<FileTree> {
  const collector = new TreeCollector(findTreeRoot(root));
  await collector.add(name);
  return collector;
}

/** Returns whether nothing was written, added or taken away in between. */
export function isUnchanged(before: FileTree, after: FileTree): boolean {
  const describe = ({ files, directories, unsupported }: FileTree): string =>
    JSON.stringify([
      files.map(({ name }) => name),
      directories.map(({ name }) => name),
      unsupported?.name,
    ]);
  return (
    describe(before) === describe(after) &&
    before.files.every((file, index) => {
      const now = after.files[index];
      return now !== undefined && isSameFile(file, now);
    })
  );
}

/**
 * Returns whether a file is as it was. One of several names changes the ctime of the file when it is removed,
 * as those of a checkpoint that two sessions share: there the mtime decides.
 */
export function isSameFile(before: StampedFile, now: StampedFile): boolean {
  const { ctimeMs } = before.links > 1 && now.links < before.links ? now : before;
  return isSameState({ ...before, ctimeMs }, now);
}

/** Gathers the files and directories of a tree. */
export class TreeCollector implements FileTree {
  readonly files: StampedFile[] = [];
  readonly directories: StampedFile[] = [];
  readonly holders: Map<string, FileId>;
  readonly root: string;
  unsupported: Unsupported | undefined;
  unsupportedCount = 0;
  readonly #root: TreeRoot;

  constructor(root: TreeRoot) {
    this.root = root.path;
    this.#root = root;
    this.holders = new Map(root.holders);
  }

  /** Adds what is there by this name, and all that is in it; nothing that is of another kind. */
  async add(start: string, kind?: Sidecar['kind']): Promise<void> {
    const names = [start];
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const path = join(this.root, name);
      const stats = lstatIfThere(path);
      if (!stats) continue;
      const isOther = kind === 'directory' ? stats.isFile() : stats.isDirectory();
      if (name === start && kind !== undefined && isOther) continue;
      if (name === start && !this.#holds(dirname(name))) continue;
      if (this.#refusesMount(name, name === start ? undefined : stats.dev)) continue;
      if (stats.isFile()) this.files.push(toStamped(name, stats));
      else if (stats.isDirectory()) {
        this.directories.push(toStamped(name, stats));
        const { readable, unreadable } = await listNames(path);
        for (const child of readable) names.push(`${name}/${child}`);
        if (unreadable !== undefined) {
          const what = 'a file whose name is not UTF-8';
          this.#addUnsupported({ name: `${name}/${unreadable}`, what });
        }
      } else this.#addUnsupported({ name, what: 'a link or a device' });
    }
  }

  /** Adds a file that was stamped before, without another look at it. */
  addStamped(file: StampedFile): void {
    if (!this.#holds(dirname(file.name)) || this.#refusesMount(file.name, undefined)) return;
    this.files.push(file);
  }

  #addUnsupported(one: Unsupported): void {
    // Several files may be behind it.
    if (this.unsupported?.name === one.name) return;
    this.unsupported ??= one;
    this.unsupportedCount += 1;
  }

  /** Records what is on another file system, which is not added. */
  #refusesMount(name: string, dev: bigint | undefined): boolean {
    if (!this.#isMounted(name, dev)) return false;
    this.#addUnsupported({ name, what: 'on another file system' });
    return true;
  }

  /**
   * Returns whether another file system begins at a name, below which there are no links: also one that is
   * bound there from the same disk.
   */
  #isMounted(name: string, dev: bigint | undefined): boolean {
    const { realPath, mounts } = this.#root;
    if (mounts.has(join(realPath, name))) return true;
    const own = this.directories.at(0)?.dev;
    return dev !== undefined && own !== undefined && String(dev) !== own;
  }

  /** Returns whether everything on the way from the root is a directory; a link there is odd. */
  #holds(name: string): boolean {
    if (this.holders.has(name)) return true;
    if (!this.#holds(dirname(name))) return false;
    const stats = lstatIfThere(join(this.root, name));
    if (!stats?.isDirectory()) {
      if (stats) this.#addUnsupported({ name, what: 'a link or a device' });
      return false;
    }
    this.holders.set(name, { dev: String(stats.dev), ino: String(stats.ino) });
    return true;
  }
}

/**
 * Stamps a file, by its path.
 * @throws FileError, `ENOENT` if it is gone.
 */
export function stampFile(directory: string, name: string): StampedFile {
  return toStamped(name, lookAt(join(directory, name)));
}

/**
 * Stamps a file; undefined where it is gone.
 * @throws FileError if it cannot be looked at.
 */
export function stampIfThere(directory: string, name: string): StampedFile | undefined {
  const stats = lstatIfThere(join(directory, name));
  return stats && toStamped(name, stats);
}

/**
 * Stamps a file by its name alone; undefined where that is a symbolic link.
 * @throws FileError, `ENOENT` if it is gone.
 */
export function stampUnlessLink(path: string): StampedFile | undefined {
  return lookUnlessLink(path).stamp;
}

/** A file as it was at one look; the stamp is undefined where that is a symbolic link. */
export interface Look {
  readonly stamp: StampedFile | undefined;
  readonly stats: BigIntStats;
}

/** Looks once at what `stampUnlessLink` stamps. @throws FileError as that. */
export function lookUnlessLink(path: string): Look {
  const stats = lookAt(path);
  return { stamp: stats.isSymbolicLink() ? undefined : toStamped(basename(path), stats), stats };
}

function lookAt(path: string): BigIntStats {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}

function toStamped(name: string, stats: BigIntStats): StampedFile {
  return {
    name,
    size: stats.isDirectory() ? 0 : Number(stats.size),
    mtimeMs: toSettable(stats.mtimeNs),
    ctimeMs: toSettable(stats.ctimeNs),
    mode: Number(stats.mode) & 0o777,
    dev: toDevice(stats.dev),
    ino: String(stats.ino),
    links: Number(stats.nlink),
  };
}

let lastDevice = { number: 0n, text: '0' };

/** One text for all files of a device. */
function toDevice(number: bigint): string {
  if (number !== lastDevice.number) lastDevice = { number, text: String(number) };
  return lastDevice.text;
}

/**
 * Milliseconds, to the nearest step that can be set again, which is a whole number of microseconds: a time
 * that Node has set may lie a little before the step or behind it.
 */
function toSettable(nanoseconds: bigint): number {
  const steps = (nanoseconds + system.timeStep / 2n) / system.timeStep;
  return toDateMs(Number(steps * (system.timeStep / 1000n)) / 1000);
}

/** Synchronous, as all that is asked of each of many sessions: the thread pool costs ten times as much. */
function lstatIfThere(path: string): BigIntStats | undefined {
  try {
    return lookAt(path);
  } catch (error) {
    if (error instanceof FileError && isMissing(error)) return undefined;
    throw error;
  }
}

/** Last first; of the names that no text stands for, one. */
async function listNames(
  path: string,
): Promise<{ readonly readable: readonly string[]; readonly unreadable?: string | undefined }> {
  try {
    const names = (await readdir(path)).toSorted().toReversed();
    if (!names.some((name) => name.includes('\uFFFD'))) return { readable: names };
    const bytes = await readdir(path, { encoding: 'buffer' });
    const unreadable = bytes.find((one) => !Buffer.from(one.toString()).equals(one))?.toString();
    return { readable: names.filter((name) => name !== unreadable), unreadable };
  } catch (error) {
    throw toFileError(error, path, 'read the directory');
  }
}
