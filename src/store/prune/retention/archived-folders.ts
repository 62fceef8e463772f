import { basename, join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { isCompressed, withoutCompression } from '../../../session/jsonl/zstd/is-compressed.ts';
import { unpackChunks } from '../../../session/jsonl/zstd/unpack-chunks.ts';
import { UnpackError } from '../../../session/jsonl/zstd/unpacker.ts';
import type { ArchivedSession } from '../../archive/index/archive-index.ts';
import {
  type FileVisitor,
  readManifest,
  readMember,
  readToEnd,
} from '../../archive/member/read-member.ts';
import { orFileError } from '../../../session/jsonl/files/file-error.ts';
import {
  FolderSearch,
  holdsLines,
  listNameable,
  type Nameable,
} from '../../sessions/sidecars/folder-search.ts';

/** The folders of archived sessions, in any of their states, and what lines in the archive name of them. */
export class ArchivedFolders {
  readonly #search: FolderSearch;
  /** The keys of all that have any. */
  readonly keys: readonly string[];

  /** `folders`: by the key of what has them. */
  constructor(folders: ReadonlyMap<string, readonly Nameable[]>) {
    this.#search = new FolderSearch(folders);
    this.keys = [...folders.keys()];
  }

  static async read(
    directory: string,
    sessions: ReadonlyMap<string, readonly ArchivedSession[]>,
  ): Promise<ArchivedFolders> {
    const folders = new Map<string, Nameable[]>();
    for (const [key, states] of sessions) {
      const own: Nameable[] = [];
      for (const { member } of states) {
        const manifest = await orFileError(() => readManifest(join(directory, member)));
        if (!(manifest instanceof FileError)) own.push(...listNameable(manifest.agent, manifest));
      }
      if (own.length > 0) folders.set(key, own);
    }
    return new ArchivedFolders(folders);
  }

  /** Starts to find the keys of all whose folders the files of some members name. */
  startSearch(): { readonly visit: FileVisitor; readonly found: ReadonlySet<string> } {
    const found = new Set<string>();
    let own: string | undefined;
    const visit: FileVisitor = async (file, chunks) => {
      // The session file is the first of a member.
      own ??= withoutCompression(basename(file.name));
      if (this.keys.length === 0 || !holdsLines(file.name)) return readToEnd(file, chunks);
      const text = isCompressed(file.name) ? unpackChunks(chunks) : chunks;
      for (const key of await this.#search.search(text, own)) found.add(key);
    };
    return { visit, found };
  }

  /**
   * Finds the keys of all whose folders the files of a member name. Returns the error where not all of it can be read:
   * a FileError where nothing can be restored from it.
   */
  async findNamed(member: string): Promise<ReadonlySet<string> | FileError | UnpackError> {
    const { visit, found } = this.startSearch();
    try {
      await readMember(member, visit);
      return found;
    } catch (error) {
      if (error instanceof FileError || error instanceof UnpackError) return error;
      throw error;
    }
  }
}
