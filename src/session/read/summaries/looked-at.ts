import type { Variables } from '../../dialect/surroundings/world.ts';
import type { ReadTables } from '../../dialect/surroundings/records.ts';
import type { LookedAt } from '../../dialect/rule.ts';
import { otherFiles } from '../../jsonl/read/other-files.ts';
import { dirname } from 'node:path';

const readNoTables: ReadTables = () => Promise.resolve(new Map());

/** The sources of a run beside its files, for all of its sessions. */
export interface RunSources {
  /** Reads the databases of agents. */
  readonly readTables: ReadTables;
  /** Environment variables, by which databases may be elsewhere. */
  readonly env: Variables;
  /** The facts that the run has found so far. */
  readonly memory: RunMemory;
}

/**
 * Completes the files and databases that may be read beside a session. Without sources, no database is read, and
 * files are looked at again for each session.
 */
export function toLookedAt({
  readTables = readNoTables,
  env = {},
  memory,
}: Partial<RunSources> = {}): LookedAt {
  const { exists, readStart, resolve, findBelow, listBelow, listNames } = otherFiles;
  const { readFirstObject, findLine } = otherFiles;
  // Written out: there is one for each session, and Node 20 makes a class of its own for each spread.
  return {
    exists,
    readStart,
    resolve,
    findBelow,
    listBelow,
    listNames,
    readFirstObject,
    findLine,
    readTables,
    env,
    recall: (what, path, make) => (memory ? memory.recall(what, path, make) : make()),
  };
}

/**
 * The facts that a run has found about files and directories, so that it does not ask again for each session.
 */
export class RunMemory {
  readonly #facts = new Map<string, Map<string, Promise<unknown>>>();

  /** Returns the fact about a path that `make` has found before, or finds now. `what`: the kind of fact. */
  recall<T>(what: string, path: string, make: () => Promise<T>): Promise<T> {
    const known = this.#facts.get(path) ?? new Map<string, Promise<unknown>>();
    this.#facts.set(path, known);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- facts of a kind have one type
    const found = (known.get(what) ?? make()) as Promise<T>;
    known.set(what, found);
    return found;
  }

  /** Has a path looked at again, and every directory above it: the file has changed, or others may have. */
  forget(path: string): void {
    this.#facts.delete(path);
    const above = dirname(path);
    if (above !== path) this.forget(above);
  }
}
