import { basename, join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';
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
  listFlatLogs,
  listNameable,
  type Nameable,
} from '../../sessions/sidecars/folder-search.ts';
import { listLogIds, listSharers, toLogId } from './archived-logs.ts';

/** The parts of an archived session, or of a state of one, that others may refer to. */
export interface Referable {
  readonly nameable: readonly Nameable[];
  /** The ids of other sessions that have lines in the logs beside it. */
  readonly sharers: readonly string[];
}

/** The folders of archived sessions, in any of their states, and what lines in the archive name of them. */
export class ArchivedFolders {
  readonly #search: FolderSearch;
  /** The keys of those whose logs a session has lines in, by its id. */
  readonly #shared = new Map<string, string[]>();
  /** The keys of all that have any. */
  readonly keys: readonly string[];

  /** `folders`: by the key of what has them. */
  constructor(folders: ReadonlyMap<string, Referable>) {
    this.#search = new FolderSearch([...folders].map(([key, one]) => [key, one.nameable] as const));
    this.keys = [...folders.keys()];
    for (const [key, { sharers }] of folders)
      for (const id of sharers) addTo(this.#shared, id, key);
  }

  static async read(
    directory: string,
    sessions: ReadonlyMap<string, readonly ArchivedSession[]>,
  ): Promise<ArchivedFolders> {
    const folders = new Map<string, Referable>();
    const known = listLogIds([...sessions.values()].flat());
    for (const [key, states] of sessions) {
      const nameable: Nameable[] = [];
      const sharers: string[] = [];
      for (const { member } of states) {
        const path = join(directory, member);
        const manifest = await orFileError(() => readManifest(path));
        if (manifest instanceof FileError) continue;
        nameable.push(...listNameable(manifest.agent, manifest));
        const logs = listFlatLogs(manifest.agent, manifest);
        sharers.push(...(await listSharers(path, manifest, logs, known)));
      }
      if (nameable.length > 0) folders.set(key, { nameable, sharers: [...new Set(sharers)] });
    }
    return new ArchivedFolders(folders);
  }

  /** Starts to find the keys of all whose folders the files of some members of one session name. */
  startSearch(): { readonly visit: FileVisitor; readonly found: ReadonlySet<string> } {
    const found = new Set<string>();
    let own: string | undefined;
    const visit: FileVisitor = async (file, chunks) => {
      // The session file is the first of a member.
      own ??= withoutCompression(basename(file.name));
      for (const key of this.#shared.get(toLogId(own)) ?? []) found.add(key);
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
