import { toSourceHash } from '../../../export/short-hash.ts';
import type { ExportFolder } from '../../../store/output/export-folder.ts';
import { getSource } from './source-key.ts';

/** Hashes of paths in the names of exported files. */
const HASH = /_([\da-f]{16})(?![\da-f])/g;

/** Finds sessions whose exports would have the names of those of another session. */
export class NameTwins {
  /** The source that has each hash, as the key of its record says. */
  readonly #owners = new Map<string, string>();
  readonly #toHash: (path: string) => string;

  constructor(toHash = toSourceHash) {
    this.#toHash = toHash;
  }

  /** Knows what earlier runs have exported into a folder. */
  addFolder(folder: Pick<ExportFolder, 'list'>): void {
    for (const [key, { files }] of folder.list('')) {
      for (const { name } of files) {
        for (const [, hash = ''] of name.matchAll(HASH)) this.#owners.set(hash, getSource(key));
      }
    }
  }

  /** Returns whether the names are another session's; otherwise they are this one's from now on. */
  isTaken(path: string, key: string): boolean {
    const hash = this.#toHash(path);
    const source = getSource(key);
    const owner = this.#owners.get(hash) ?? source;
    this.#owners.set(hash, owner);
    // An earlier version has noted a part of it.
    return !source.startsWith(owner);
  }
}
