import { type BigIntStats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FileError } from '../../errors.ts';
import {
  getFolderName,
  getFolderRival,
  listSidecars,
  type Sidecar,
} from '../../session/model/sidecar.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { type FileStamp, isSameState } from '../../session/jsonl/files/file-stamp.ts';
import type { DirectoryId } from './hold-directory.ts';

/**
 * The state of one file or directory. Times are to the microsecond, which is all that Node can set
 * again; the size of a directory is 0; `mode` is the permission bits.
 */
export interface StampedFile extends FileStamp {
  /** Relative to the directory that the session file is in, with forward slashes. */
  readonly name: string;
}

/** Files and directories, as they were when they were looked at. */
export interface FileTree {
  /** The directory that names are relative to. */
  readonly home: DirectoryId;
  readonly files: readonly StampedFile[];
  /** Outermost first. */
  readonly directories: readonly StampedFile[];
  /** Something among them that is neither a file nor a directory, such as a link. */
  readonly oddity?: string | undefined;
}

/** A session file and what lies beside it and belongs to it; the session file comes first. */
export interface SessionFiles extends FileTree {
  readonly path: string;
}

/** Whether a name, relative to the session's directory, is one that belongs to the session. */
export function isOwnName(path: string, name: string): boolean {
  const folder = getFolderName(path);
  const names = [basename(path), ...listSidecars(path).map((one) => one.name)];
  return names.includes(name) || (folder !== undefined && name.startsWith(`${folder}/`));
}

/** The names in a directory; one that many sessions ask about may be listed once for all. */
export type ListNames = (directory: string) => Promise<ReadonlySet<string>>;

/** Lists each directory once, however often it is asked for. */
export function createNameMemo(): ListNames {
  const known = new Map<string, Promise<ReadonlySet<string>>>();
  return (directory) => {
    const names = known.get(directory) ?? listNames(directory).then((found) => new Set(found));
    known.set(directory, names);
    return names;
  };
}

/**
 * Looks up a session file, the folder named after it, and its `.rejected` file. Exact names only: a
 * neighbour whose name begins alike is not touched.
 * @throws FileError when the session file is gone, or something cannot be looked at.
 */
export async function readSessionFiles(
  path: string,
  listAround?: ListNames,
): Promise<SessionFiles> {
  const directory = dirname(path);
  const collector = await Collector.start(directory);
  const name = basename(path);
  await collector.add(name);
  if (collector.files.length === 0 && collector.oddity === undefined) {
    throw new FileError(path, 'ENOENT', 'cannot read: no such file or directory');
  }
  const around = await listAround?.(directory);
  for (const { name: sidecar, kind } of listSidecars(path)) {
    if (around?.has(sidecar) === false) continue;
    if (kind === 'directory' && (await isFolderOfRival(path))) continue;
    await collector.add(sidecar, kind);
  }
  const { home, files, directories, oddity } = collector;
  return { path, home, files, directories, oddity };
}

async function isFolderOfRival(path: string): Promise<boolean> {
  const rival = getFolderRival(path);
  return rival !== undefined && (await lstatIfThere(rival)) !== undefined;
}

/** A file, or a directory with all that is in it; nothing where there is nothing of this name. */
export async function readTree(directory: string, name: string): Promise<FileTree> {
  const collector = await Collector.start(directory);
  await collector.add(name);
  return collector;
}

/** What agents put before the id of a session to make the name of its file. */
const TIME_PREFIX = /^\d{4}-\d\d-\d\dT[\d-]+Z?_/;
/** An id that a machine has made: no name that a person gives to a directory. */
const MADE_ID = /^(?=.*\d)(?=.*[a-f])[\da-f-]{8,}$/i;
/** Logs of sub-agents and images that were taken out of a session. */
const USUAL_FILE = /\.(?:jsonl|png|jpe?g|gif|webp)$/i;

/**
 * Whether the folder that is named after a session file is surely its own: the file is named by the
 * id of its session, as agents name it, or nothing else is in the folder than sessions have there.
 * `work.jsonl`, exported beside the directory `work`, does not own that.
 */
export function ownsFolder({ path, files, directories }: SessionFiles, id: string): boolean {
  if (directories.length === 0) return true;
  const folder = getFolderName(path) ?? '';
  const isStamped = TIME_PREFIX.test(folder);
  if (isStamped ? folder.replace(TIME_PREFIX, '') === id : folder === id && MADE_ID.test(id)) {
    return true;
  }
  const inside = files.filter(({ name }) => name.startsWith(`${folder}/`));
  return inside.every(({ name }) => USUAL_FILE.test(name));
}

/** Whether nothing was written, added or taken away in between. */
export function isUnchanged(before: FileTree, after: FileTree): boolean {
  const describe = ({ files, directories, oddity }: FileTree): string =>
    JSON.stringify([files.map(({ name }) => name), directories.map(({ name }) => name), oddity]);
  return (
    describe(before) === describe(after) &&
    before.files.every((file, index) => {
      const now = after.files[index];
      return now !== undefined && isSameState(file, now);
    })
  );
}

/** Bytes of the session file and of what lies beside it, but for sessions that count themselves. */
export function sumBytes({ path, files }: SessionFiles, sessions: ReadonlySet<string>): number {
  const counted = files.filter(({ name }, index) => {
    return index === 0 || !sessions.has(join(dirname(path), name));
  });
  return counted.reduce((sum, { size }) => sum + size, 0);
}

class Collector {
  readonly files: StampedFile[] = [];
  readonly directories: StampedFile[] = [];
  oddity: string | undefined;
  readonly home: DirectoryId;
  readonly #root: string;

  private constructor(root: string, home: DirectoryId) {
    this.#root = root;
    this.home = home;
  }

  static async start(root: string): Promise<Collector> {
    try {
      const { dev, ino } = await stat(root);
      return new Collector(root, { dev, ino });
    } catch (error) {
      throw toFileError(error, root, 'read');
    }
  }

  /** Adds what is there by this name, and all that is in it; nothing that is of another kind. */
  async add(start: string, kind?: Sidecar['kind']): Promise<void> {
    const names = [start];
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const path = join(this.#root, name);
      const stats = await lstatIfThere(path);
      if (!stats) continue;
      const isOther = kind === 'directory' ? stats.isFile() : stats.isDirectory();
      if (name === start && kind !== undefined && isOther) continue;
      if (stats.isFile()) this.files.push(toStamped(name, stats));
      else if (stats.isDirectory()) {
        this.directories.push(toStamped(name, stats));
        for (const child of await listNames(path)) names.push(`${name}/${child}`);
      } else this.oddity ??= name;
    }
  }
}

/** How a file is now, by its path. @throws FileError, `ENOENT` if it is gone. */
export async function stampFile(directory: string, name: string): Promise<StampedFile> {
  const path = join(directory, name);
  try {
    return toStamped(name, await lstat(path, { bigint: true }));
  } catch (error) {
    throw toFileError(error, path, 'read');
  }
}

function toStamped(name: string, stats: BigIntStats): StampedFile {
  return {
    name,
    size: stats.isDirectory() ? 0 : Number(stats.size),
    mtimeMs: toMicroseconds(stats.mtimeNs),
    ctimeMs: toMicroseconds(stats.ctimeNs),
    mode: Number(stats.mode) & 0o777,
    dev: Number(stats.dev),
    ino: Number(stats.ino),
  };
}

/**
 * Milliseconds, to the nearest microsecond: Node sets no finer time, and one that it set may lie a little
 * before the microsecond or behind it.
 */
function toMicroseconds(nanoseconds: bigint): number {
  return Number((nanoseconds + 500n) / 1000n) / 1000;
}

async function lstatIfThere(path: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (problem.code === 'ENOENT' || problem.code === 'ENOTDIR') return undefined;
    throw problem;
  }
}

async function listNames(path: string): Promise<readonly string[]> {
  try {
    return (await readdir(path)).toSorted().toReversed();
  } catch (error) {
    throw toFileError(error, path, 'search');
  }
}
