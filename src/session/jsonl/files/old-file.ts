import { close, closeSync, linkSync, openSync, renameSync, unlinkSync } from 'node:fs';
import { promisify } from 'node:util';
import { releaseAfter, releaseAfterSync } from './release-after.ts';
import { isHeld, lacksLinks, system } from './system.ts';
import { toTempPath } from './temp-file.ts';

/** Closes in the thread pool: with the last descriptor of a file that was replaced, its data goes, too. */
const closeDescriptor = promisify(close);

/**
 * A file that another one is to replace, open to be read: also after it has lost its name, since a
 * program that had opened it before may have added lines.
 *
 * Where no open file can be replaced, it is closed for that moment, and found again by a second name.
 */
export class OldFile {
  readonly #path: string;
  #fd: number;
  #isOpen = true;
  #secondName: string | undefined;
  /** Whether it can still be read; not where it was replaced and has no second name. */
  isReadable = true;

  constructor(path: string) {
    this.#path = path;
    this.#fd = openSync(path, 'r');
  }

  get fd(): number {
    return this.#fd;
  }

  /**
   * Adds a second name where an open file cannot be replaced; call this before the last look at the
   * file, whose ctime it changes.
   */
  prepare(): void {
    if (system.replacesOpenFiles || this.#secondName !== undefined) return;
    const name = toTempPath(this.#path);
    try {
      linkSync(this.#path, name);
      this.#secondName = name;
    } catch (error) {
      if (!lacksLinks(error)) throw error;
    }
  }

  /** Lets another file take the name. False when a program has the file open, and that is refused. */
  replaceBy(path: string): boolean {
    if (system.replacesOpenFiles) {
      renameSync(path, this.#path);
      return true;
    }
    this.#close();
    try {
      renameSync(path, this.#path);
    } catch (error) {
      this.#open(this.#path);
      if (isHeld(error)) return false;
      throw error;
    }
    this.isReadable = this.#secondName !== undefined;
    if (this.#secondName !== undefined) this.#open(this.#secondName);
    return true;
  }

  /** Closes the file and removes its second name; call this once, when nothing else is called. */
  async close(): Promise<void> {
    await releaseAfter(
      async () => {
        if (this.#isOpen) await closeDescriptor(this.#fd);
      },
      () => this.#removeSecondName(),
    );
  }

  /** Closes the file for callers that cannot wait. */
  closeSync(): void {
    releaseAfterSync(
      () => this.#isOpen && this.#close(),
      () => this.#removeSecondName(),
    );
  }

  #open(path: string): void {
    this.#fd = openSync(path, 'r');
    this.#isOpen = true;
  }

  #close(): void {
    this.#isOpen = false;
    closeSync(this.#fd);
  }

  #removeSecondName(): void {
    if (this.#secondName !== undefined) unlinkSync(this.#secondName);
  }
}
