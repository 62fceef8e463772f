import { dirname, join, relative } from 'node:path';
import { listAbove, type PathMove } from '../model/paths.ts';
import { getFolderName, getFolderPath } from '../model/sidecar.ts';

/** The places of session files that have moved, and with them of everything in the folders of these sessions. */
export class MovedPlaces {
  readonly #files = new Map<string, string>();
  readonly #folders = new Map<string, string>();

  record(from: string, to: string): void {
    this.#files.set(from, to);
    const [folder, newFolder] = [getFolderPath(from), getFolderPath(to)];
    if (folder !== undefined && newFolder !== undefined) this.#folders.set(folder, newFolder);
  }

  /** Returns the new path of a file; undefined if it has not moved. */
  find(path: string): string | undefined {
    const own = this.#files.get(path);
    if (own !== undefined) return own;
    const found = findFolder(path, this.#folders);
    return found && join(found.value, relative(found.folder, path));
  }
}

/** The folders that move with their sessions, by the directories of projects that they leave. */
export class MovedFolders {
  readonly #names = new Map<string, Map<string, Set<string>>>();

  record(from: string, to: string): void {
    const folder = getFolderName(from);
    if (folder === undefined) return;
    const left = this.#names.get(dirname(from)) ?? new Map<string, Set<string>>();
    const names = left.get(dirname(to)) ?? new Set<string>();
    this.#names.set(dirname(from), left.set(dirname(to), names.add(folder)));
  }

  /** Lists the moves of folders that leave the directory of a session. */
  list(path: string): readonly PathMove[] {
    const from = dirname(path);
    const left = this.#names.get(from) ?? new Map<string, Set<string>>();
    return Array.from(left, ([to, only]) => ({ from, to, only }));
  }
}

/** Finds the innermost of some folders that a path is in, with its value. */
export function findFolder(
  path: string,
  folders: ReadonlyMap<string, string>,
): { readonly folder: string; readonly value: string } | undefined {
  if (folders.size === 0) return undefined;
  for (const folder of listAbove(path)) {
    const value = folders.get(folder);
    if (value !== undefined) return { folder, value };
  }
  return undefined;
}
