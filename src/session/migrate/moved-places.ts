import { join, relative } from 'node:path';
import { listAbove } from '../model/paths.ts';
import { getFolderPath } from '../model/sidecar.ts';

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
    if (own !== undefined || this.#folders.size === 0) return own;
    for (const directory of listAbove(path)) {
      const to = this.#folders.get(directory);
      if (to !== undefined) return join(to, relative(directory, path));
    }
    return undefined;
  }
}
