import { readdirSync } from 'node:fs';
import { dirname, sep } from 'node:path';

/** Matches names that are the same in every normal form, and whose case is compared alike on every system. */
const ASCII = /^[ -~]*$/;

/**
 * The names beside sessions. Each directory of sessions is listed once: most sessions have nothing beside them, and to
 * look up every note and folder that may be there was most of what a listing asked of the system.
 */
export class NamesBeside {
  /** The names in a directory, in lower case; undefined where it cannot be listed. */
  readonly #names = new Map<string, ReadonlySet<string> | undefined>();

  /** Returns false where there is certainly nothing at a path beside a session, or in a folder beside it. */
  mayHave(session: string, path: string): boolean {
    const directory = dirname(session);
    if (!path.startsWith(`${directory}${sep}`)) return true;
    const start = directory.length + 1;
    const end = path.indexOf(sep, start);
    const name = path.slice(start, end === -1 ? undefined : end);
    return !ASCII.test(name) || (this.#list(directory)?.has(name.toLowerCase()) ?? true);
  }

  #list(directory: string): ReadonlySet<string> | undefined {
    if (!this.#names.has(directory)) this.#names.set(directory, listLowerCase(directory));
    return this.#names.get(directory);
  }
}

function listLowerCase(directory: string): ReadonlySet<string> | undefined {
  try {
    return new Set(readdirSync(directory).map((name) => name.toLowerCase()));
  } catch {
    // A look at the path itself shows the reason.
    return undefined;
  }
}
