import { type Dirent, readdirSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSessionName } from '../../session/model/session-names.ts';
import { FileError } from '../../errors.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { takeTurn } from '../../session/jsonl/read/chunks/take-turn.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import type { FoundFile } from '../select/found-file.ts';
import { getFileKey } from '../files/stat-file.ts';
import { isCompressed, withoutCompression } from '../../session/jsonl/zstd/is-compressed.ts';

export interface Discovery {
  /** Sorted by path; each real file once. */
  readonly files: readonly FoundFile[];
  /** Directories that could not be read. */
  readonly problems: readonly FileError[];
}

/**
 * Finds the files below directories that may be sessions. Follows symbolic links, as the agents do,
 * but walks no directory twice, whatever paths and mounts lead there.
 */
export function discover(...roots: readonly string[]): Promise<Discovery> {
  return walkAll(roots, true);
}

/** Finds the files in a directory itself, without those further down. */
export function discoverIn(directory: string): Promise<Discovery> {
  return walkAll([directory], false);
}

/** Joins lists that were made one by one: what several of them have is there several times. */
export function joinDiscoveries(found: readonly Discovery[]): Discovery {
  return {
    files: found.flatMap(({ files }) => files),
    problems: found.flatMap(({ problems }) => problems),
  };
}

async function walkAll(roots: readonly string[], isDeep: boolean): Promise<Discovery> {
  const walk = new Walk(isDeep);
  for (const root of roots) await walk.root(root);
  await walk.follow();
  const files = [...walk.files.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
  return { files, problems: walk.problems };
}

class Walk {
  /** The files by real path. */
  readonly files = new Map<string, FoundFile>();
  readonly problems: FileError[] = [];
  readonly #visited = new Set<string>();
  #links: string[] = [];
  readonly #isDeep: boolean;

  constructor(isDeep: boolean) {
    this.#isDeep = isDeep;
  }

  async root(path: string): Promise<void> {
    try {
      await this.#directory(path, false);
    } catch (error) {
      this.problems.push(toFileError(error, path, 'read the directory'));
    }
  }

  async #directory(path: string, linked: boolean): Promise<void> {
    const real = await realpath(path);
    const below = [''];
    for (let at = below.pop(); at !== undefined; at = below.pop()) {
      const key = this.#identify(join(real, at));
      if (key === undefined || this.#visited.has(key)) continue;
      this.#visited.add(key);
      await takeTurn(0, undefined);
      // Joined once for each directory: for each of thousands of files it takes longer than the rest.
      const [realHome, home] = [join(real, at, '/'), join(path, at, '/')];
      const entries = this.#list(join(path, at));
      const isUnpacked = findUnpacked(entries);
      for (const entry of entries) {
        const { name } = entry;
        if (entry.isSymbolicLink()) this.#links.push(home + name);
        else if (entry.isDirectory()) {
          if (this.#isDeep) below.push(join(at, name));
        } else if (isSessionName(name) && !isUnpacked(name)) {
          const file = home + name;
          // One text where they are the same: there may be many.
          this.#add(home === realHome ? file : realHome + name, file, linked);
        }
      }
    }
  }

  /** Undefined for a directory that cannot be looked up. */
  #identify(directory: string): string | undefined {
    try {
      return getFileKey(directory);
    } catch (error) {
      this.problems.push(toFileError(error, directory, 'look up'));
      return undefined;
    }
  }

  /** Follows links after all that is really there: a link to that is not a second session. */
  async follow(): Promise<void> {
    while (this.#links.length > 0) {
      const links = this.#links.toSorted();
      this.#links = [];
      for (const link of links) await this.#follow(link);
    }
  }

  async #follow(link: string): Promise<void> {
    try {
      const target = await stat(link);
      if (target.isDirectory()) {
        if (this.#isDeep) await this.#directory(link, true);
      } else if (target.isFile() && isSessionName(link))
        this.#add(await realpath(link), link, true);
    } catch (error) {
      const problem = toFileError(error, link, 'follow the link');
      // A link that leads nowhere is none of our business.
      if (problem.code !== 'ENOENT') this.problems.push(problem);
    }
  }

  #add(real: string, path: string, linked: boolean): void {
    if (!this.files.has(real)) this.files.set(real, { path, explicit: false, linked });
  }

  /** One directory that cannot be read does not end the walk. Nothing that is hidden. */
  #list(directory: string): readonly Dirent[] {
    try {
      const entries = readdirSync(directory, { withFileTypes: true });
      const shown = entries.filter(({ name }) => !name.startsWith('.'));
      const plain = shown.filter(({ name }) => !name.includes(REPLACED));
      if (plain.length === shown.length) return shown;
      return [...plain, ...this.#listReadable(directory, shown)];
    } catch (error) {
      const problem = toFileError(error, directory, 'read the directory');
      // A directory that went away since it was found holds nothing.
      if (problem.code !== 'ENOENT') this.problems.push(problem);
      return [];
    }
  }

  /**
   * The entries whose names hold U+FFFD themselves; a problem for each of other bytes than UTF-8, which as a text is
   * the name of nothing, or of another file.
   */
  #listReadable(directory: string, entries: readonly Dirent[]): readonly Dirent[] {
    const found: Dirent[] = [];
    for (const entry of readdirSync(directory, { withFileTypes: true, encoding: 'buffer' })) {
      const name = entry.name.toString();
      if (name.startsWith('.') || !name.includes(REPLACED)) continue;
      const isSame = (one: Dirent): boolean =>
        one.name === name && one.isDirectory() === entry.isDirectory();
      if (Buffer.from(name).equals(entry.name)) found.push(...entries.filter(isSame).slice(0, 1));
      else if (entry.isDirectory() || isSessionName(name)) {
        const message = 'has a name that is not UTF-8; rename it';
        this.problems.push(new FileError(join(directory, name), 'EILSEQ', message));
      }
    }
    return found;
  }
}

/** The character that stands for bytes which are not UTF-8. */
const REPLACED = '\uFFFD';

/** Returns whether a problem is the name of a file that may be a session. */
export function isOfMisnamedFile({ path, problem: { code } }: FileProblem): boolean {
  return code === 'EILSEQ' && isSessionName(path);
}

/** Finds compressed files beside their decompressed file, which agents read. */
function findUnpacked(entries: readonly Dirent[]): (name: string) => boolean {
  if (!entries.some(({ name }) => isCompressed(name))) return () => false;
  const names = new Set(entries.map(({ name }) => name));
  return (name) => isCompressed(name) && names.has(withoutCompression(name));
}
