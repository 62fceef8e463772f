import { basename, dirname } from 'node:path';
import { isSessionName } from '../../../session/model/session-names.ts';
import { getFileKey, getRealPath, orPath } from '../../files/stat-file.ts';
import type { FoundFile } from '../../select/found-file.ts';

/** The paths of the session files that were read, found by any path that leads to the same file. */
export class SessionPaths {
  readonly #files: ReadonlyMap<string, FoundFile>;
  readonly #directories = new Map<string, string>();
  #byKey: ReadonlyMap<string, string> | undefined;

  constructor(files: readonly FoundFile[]) {
    this.#files = new Map(files.map((file) => [file.path, file]));
  }

  has(path: string): boolean {
    return this.find(path) !== undefined;
  }

  /** Returns the path by which that file was read; undefined for a file that was not. */
  find(path: string): string | undefined {
    if (this.#files.has(path)) return path;
    if (!isSessionName(path)) return undefined;
    this.#byKey ??= new Map(
      Array.from(this.#files.values(), (file) => [this.#toKey(resolveLink(file)), file.path]),
    );
    return this.#byKey.get(this.#toKey(path));
  }

  /** Looks at each directory once: a home may be reached by another path than that which its user gives. */
  #toKey(path: string): string {
    const directory = dirname(path);
    const key = this.#directories.get(directory) ?? orPath(getFileKey, directory);
    this.#directories.set(directory, key);
    return `${key}/${basename(path)}`;
  }
}

function resolveLink({ path, linked, explicit }: FoundFile): string {
  return linked || explicit ? orPath(getRealPath, path) : path;
}
