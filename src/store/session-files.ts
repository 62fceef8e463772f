import { type BigIntStats } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FileError } from '../errors.ts';
import { toFileError } from '../session/jsonl/file-error.ts';
import { getImageFolder } from './image-files.ts';

/** One file or directory, and what tells one state of it from another. */
export interface StampedFile {
  /** Relative to the directory that the session file is in, with forward slashes. */
  readonly name: string;
  /** Bytes; 0 for a directory. */
  readonly size: number;
  /** Milliseconds, to the microsecond: all that Node can set again. */
  readonly mtimeMs: number;
  /** Permission bits. */
  readonly mode: number;
  readonly dev: number;
  readonly ino: number;
}

/** A session file and what lies beside it and belongs to it, as it was when it was looked at. */
export interface SessionFiles {
  readonly path: string;
  /** The session file first. */
  readonly files: readonly StampedFile[];
  /** Outermost first. */
  readonly directories: readonly StampedFile[];
  /** Something among them that is neither a file nor a directory, such as a link. */
  readonly oddity: string | undefined;
}

const EXTENSION = /\.jsonl?$/;
const REJECTED = '.rejected';

/**
 * The names of what may lie beside a session file and belongs to it: its folder, which agents name
 * after it, the images that `compact` took out, and the lines that `validate --fix` took out.
 */
function listNamesBeside(path: string): readonly string[] {
  const session = basename(path);
  const folder = session.replace(EXTENSION, '');
  const hasFolder = folder !== session && folder !== '';
  return [...(hasFolder ? [folder] : []), getImageFolder(path), session + REJECTED];
}

/** Whether a name, relative to the session's directory, is one that belongs to the session. */
export function isOwnName(path: string, name: string): boolean {
  const [top = ''] = name.split('/');
  return name === basename(path) || listNamesBeside(path).includes(top);
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
 * Looks up a session file and what lies beside it. Exact names only: a neighbour whose name begins
 * alike is not touched.
 * @throws FileError when the session file is gone, or something cannot be looked at.
 */
export async function readSessionFiles(
  path: string,
  listAround?: ListNames,
): Promise<SessionFiles> {
  const directory = dirname(path);
  const collector = new Collector(directory);
  const name = basename(path);
  await collector.add(name);
  if (collector.files.length === 0 && collector.oddity === undefined) {
    throw new FileError(path, 'ENOENT', 'cannot read: no such file or directory');
  }
  const around = await listAround?.(directory);
  for (const beside of listNamesBeside(path)) {
    if (around?.has(beside) !== false) await collector.add(beside);
  }
  const { files, directories, oddity } = collector;
  return { path, files, directories, oddity };
}

/** Whether nothing was written, added or taken away in between. */
export function isUnchanged(before: SessionFiles, after: SessionFiles): boolean {
  const describe = ({ files, directories, oddity }: SessionFiles): string =>
    JSON.stringify([
      files.map(({ name, size, mtimeMs, dev, ino }) => [name, size, mtimeMs, dev, ino]),
      directories.map(({ name }) => name),
      oddity,
    ]);
  return describe(before) === describe(after);
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
  readonly #root: string;

  constructor(root: string) {
    this.#root = root;
  }

  /** Adds what is there by this name, and all that is in it. */
  async add(start: string): Promise<void> {
    const names = [start];
    for (let name = names.pop(); name !== undefined; name = names.pop()) {
      const path = join(this.#root, name);
      const stats = await lstatIfThere(path);
      if (!stats) continue;
      if (stats.isFile()) this.files.push(toStamped(name, stats));
      else if (stats.isDirectory()) {
        this.directories.push(toStamped(name, stats));
        for (const child of await listNames(path)) names.push(`${name}/${child}`);
      } else this.oddity ??= name;
    }
  }
}

function toStamped(name: string, stats: BigIntStats): StampedFile {
  return {
    name,
    size: stats.isDirectory() ? 0 : Number(stats.size),
    mtimeMs: Number(stats.mtimeNs / 1000n) / 1000,
    mode: Number(stats.mode) & 0o777,
    dev: Number(stats.dev),
    ino: Number(stats.ino),
  };
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
