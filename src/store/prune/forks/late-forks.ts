import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { getDialect } from '../../../session/agents/index.ts';
import type { BaseDialect } from '../../../session/dialect/dialect.ts';
import type { RowDialect } from '../../../session/dialect/surroundings/rows.ts';
import { toFileError } from '../../../session/jsonl/files/file-error.ts';
import { toDirectoryKey } from '../../../session/jsonl/files/identity/same-file.ts';
import { otherFiles } from '../../../session/jsonl/read/other-files.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';
import { statFile } from '../../files/stat-file.ts';
import type { RemovalTarget } from '../../remove/remove-whole.ts';

/** A directory as it was listed. */
interface Listed {
  readonly changed: bigint;
  /** A text that all paths to it share. */
  readonly key: string;
  readonly files: readonly string[];
  readonly directories: readonly string[];
  /** The files by each id in their names. */
  readonly byId: ReadonlyMap<string, readonly string[]>;
}

type ListIds = RowDialect['listIds'];

/** The id that a file continues from; `undefined` for one that continues from none, or has no first line yet. */
interface Head {
  readonly base: string | undefined;
  readonly isWritten: boolean;
}

const SESSION_FILE = /\.jsonl(?:\.zst)?$/;

/**
 * Finds files that continue from a session that is to be removed, also those that came after the plan. Each file
 * is read once, and each directory listed again only once it has changed.
 */
export class LateForks {
  readonly #heads = new Map<string, Head>();
  /** The files that had no first line before anything was removed: another one may still get one. */
  readonly #unwritten = new Set<string>();
  /** The id that each fork continues from. */
  readonly #forks = new Map<string, string>();
  readonly #listed = new Map<string, Listed>();
  #latest = 0n;
  /** Places that were looked through before anything was removed. */
  readonly #begun = new Set<string>();

  /** Reads where each of the files continues from. @throws FileError if a directory cannot be read. */
  async begin(targets: readonly RemovalTarget[]): Promise<void> {
    for (const one of targets) {
      const { bases, places, listIds } = findPlaces(one);
      if (!bases || places.every((place) => this.#begun.has(place))) continue;
      for (const path of listFiles(this.#list(places, listIds))) {
        if (this.#heads.has(path)) continue;
        const { isWritten } = await this.#read(bases, path);
        if (!isWritten) this.#unwritten.add(path);
      }
      for (const place of places) this.#begun.add(place);
    }
  }

  /**
   * Returns whether a session has a file that was not seen when it was planned: a revert begins one, and leaves the
   * others as they are. @throws FileError if a directory cannot be read.
   */
  hasFurtherFile(one: RemovalTarget): boolean {
    const { places, listIds } = findPlaces(one);
    const own = listOwn(one);
    const owned = new Set(own);
    const ids = listIds(own);
    return this.#list(places, listIds).some(({ byId }) =>
      ids.some((id) => byId.get(id)?.some((path) => !owned.has(path)) === true),
    );
  }

  /**
   * Returns whether a file that is there needs one of the session, or no one can know, since it is new and
   * has no first line. @throws FileError if a directory cannot be read.
   */
  async isNeeded(one: RemovalTarget): Promise<boolean> {
    const { bases, places, listIds } = findPlaces(one);
    if (!bases) return false;
    const own = listOwn(one);
    const owned = new Set(own);
    const there = listFiles(this.#list(places, listIds));
    for (const path of there) {
      if (this.#heads.get(path)?.isWritten === true || owned.has(path)) continue;
      const { isWritten } = await this.#read(bases, path);
      if (!isWritten && !this.#unwritten.has(path)) return true;
    }
    for (const [path, id] of this.#forks) {
      if (owned.has(path) || !there.has(path)) continue;
      // One that names it in a way that is not known may mean any.
      if (id === '' || own.some((file) => bases.toFileId(basename(file)) === id)) return true;
    }
    return false;
  }

  async #read(bases: BaseDialect, path: string): Promise<Head> {
    const head = await readHead(bases, path);
    this.#heads.set(path, head);
    if (head.base !== undefined) this.#forks.set(path, head.base);
    return head;
  }

  /** Lists directories with all that are below them, also behind links, each once. */
  #list(places: readonly string[], listIds: ListIds): readonly Listed[] {
    const found: Listed[] = [];
    const pending = [...places];
    const seen = new Set<string>();
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      const listed = this.#listOne(at, listIds);
      if (!listed || seen.has(listed.key)) continue;
      seen.add(listed.key);
      found.push(listed);
      pending.push(...listed.directories);
    }
    return found;
  }

  #listOne(directory: string, listIds: ListIds): Listed | undefined {
    const known = this.#listed.get(directory);
    try {
      // A program may set the other time back.
      const { ctimeNs: changed } = statSync(directory, { bigint: true });
      // Two changes may have one time: the directory that was changed last is always listed again.
      if (known?.changed === changed && changed < this.#latest) return known;
      if (changed > this.#latest) this.#latest = changed;
      const entries = readdirSync(directory, { withFileTypes: true });
      const key = toDirectoryKey(directory);
      const listed = { changed, key, ...toListed(directory, entries, listIds) };
      this.#listed.set(directory, listed);
      return listed;
    } catch (error) {
      const failure = toFileError(error, directory, 'read');
      if (failure.code === 'ENOENT') return undefined;
      throw failure;
    }
  }
}

function toListed(
  directory: string,
  entries: readonly Dirent[],
  listIds: ListIds,
): Omit<Listed, 'changed' | 'key'> {
  const isFile = (one: Dirent): boolean => !one.isDirectory() && SESSION_FILE.test(one.name);
  const isDirectory = (one: Dirent): boolean =>
    one.isSymbolicLink()
      ? statFile(join(directory, one.name))?.isDirectory() === true
      : one.isDirectory();
  const files = entries.filter(isFile).map(({ name }) => join(directory, name));
  const byId = new Map<string, string[]>();
  for (const file of files) for (const id of listIds([file])) addTo(byId, id, file);
  return {
    files,
    byId,
    directories: entries.filter(isDirectory).map(({ name }) => join(directory, name)),
  };
}

function listFiles(listed: readonly Listed[]): ReadonlySet<string> {
  return new Set(listed.flatMap(({ files }) => files));
}

function listOwn({ files: { root, files } }: RemovalTarget): readonly string[] {
  return files.map(({ name }) => join(root, name));
}

function findPlaces({ candidate: { agent, path } }: RemovalTarget): {
  readonly bases?: BaseDialect | undefined;
  readonly places: readonly string[];
  readonly listIds: ListIds;
} {
  const { bases, rows } = agent === null ? {} : getDialect(agent);
  const listIds: ListIds = (paths) => rows?.listIds(paths) ?? [];
  return { bases, places: bases?.listPlaces(path) ?? [], listIds };
}

async function readHead(bases: BaseDialect, path: string): Promise<Head> {
  try {
    const first = await otherFiles.readFirstObject(path);
    return { base: first && bases.findBase(first), isWritten: first !== undefined };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    // Gone since it was listed; or no one knows.
    return { base: undefined, isWritten: error.code === 'ENOENT' };
  }
}
