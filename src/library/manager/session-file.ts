import { FileError } from '../../errors.ts';
import type { JsonObject } from '../../session/jsonl/edit/json.ts';
import { appendSync } from '../../session/jsonl/sync/append.ts';
import { createFileSync } from '../../session/jsonl/sync/create.ts';
import type { KnownFile } from '../../session/jsonl/files/identity/known-file.ts';
import { replaceFileSync } from '../../session/jsonl/sync/replace.ts';
import type { LineTransform } from '../../session/jsonl/write/line-transform.ts';
import { CURRENT_VERSION } from '../../session/agents/pi/format.ts';
import type { EmptyFile, LoadedSession } from '../functions/load-session.ts';
import { parseRecords } from '../functions/load-session.ts';

/** The file of one session, as far as it is known: created late, and then only appended to. */
export class SessionFile {
  readonly path: string;
  #stamp: KnownFile | undefined;
  #createUpgrade: (() => LineTransform) | undefined;
  readonly #version: number;

  /** Makes a file that is yet to be created, unless `loaded` is given. */
  constructor(path: string, loaded?: LoadedSession | EmptyFile) {
    this.path = path;
    this.#stamp = loaded?.stamp;
    const session = loaded?.header ? loaded : undefined;
    this.#createUpgrade = session?.createUpgrade;
    this.#version = session?.version ?? CURRENT_VERSION;
  }

  get exists(): boolean {
    return this.#stamp !== undefined;
  }

  /**
   * Creates the file with all its lines.
   * @throws FileError, `EEXIST` if there is something of this name.
   */
  create(lines: readonly JsonObject[]): void {
    this.#stamp = createFileSync(this.path, toLines(lines));
  }

  /**
   * Appends lines to the file that is there. `compose` gets the entries that others have appended
   * since the last time. An old version is migrated first, by a safe replacement.
   * @throws FileError; the file is then as it was, or as somebody else has made it.
   */
  append(compose: (foreign: readonly JsonObject[]) => readonly JsonObject[]): void {
    if (!this.#stamp) throw new FileError(this.path, 'ENOENT', 'cannot write: does not exist yet');
    if (this.#version > CURRENT_VERSION) {
      const message = `is of format version ${this.#version}, newer than is known: never changed`;
      throw new FileError(this.path, 'version-unknown', message);
    }
    if (this.#version === 0) {
      const message = 'is one JSON array; run coppice migrate --apply first';
      throw new FileError(this.path, 'version-outdated', message);
    }
    if (this.#createUpgrade) {
      this.#stamp = replaceFileSync(this.path, this.#createUpgrade(), this.#stamp);
      this.#createUpgrade = undefined;
    }
    const isEmpty = this.#stamp.size === 0;
    this.#stamp = appendSync(this.path, this.#stamp, (foreign) => {
      if (isEmpty && foreign.length > 0) {
        throw new FileError(this.path, 'ECHANGED', 'was created by another program; open it again');
      }
      return Buffer.concat([...toLines(compose(parseRecords(foreign)))]);
    });
  }

  /** Returns whether nothing is in it, not even a header. */
  get isEmpty(): boolean {
    return this.#stamp?.size === 0;
  }
}

function* toLines(records: readonly JsonObject[]): Generator<Buffer> {
  for (const record of records) yield Buffer.from(`${JSON.stringify(record)}\n`);
}
