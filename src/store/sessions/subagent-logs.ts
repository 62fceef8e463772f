import { statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { FileError } from '../../errors.ts';
import type {
  SubagentDialect,
  SubagentPlace,
} from '../../session/dialect/surroundings/subagents.ts';
import { isMissing, toFileError } from '../../session/jsonl/files/file-error.ts';
import { readStart } from '../files/read-regular-file.ts';
import { NamesBeside } from './names-beside.ts';

/** Takes the error for what could not be read, and is left out. */
export type TakeProblem = (error: FileError) => void;

/** Finds the logs of sub-agents. Lists each directory of them, and reads how each log begins, once. */
export class SubagentLogs {
  readonly #names: NamesBeside;
  readonly #onProblem: TakeProblem | undefined;
  readonly #listings = new Map<string, Promise<readonly string[]>>();
  readonly #starts = new Map<string, Promise<string>>();

  /** `onProblem`: takes the errors, which are thrown unless it is given. */
  constructor(names: NamesBeside = new NamesBeside(), onProblem?: TakeProblem) {
    this.#names = names;
    this.#onProblem = onProblem;
  }

  /** Lists the logs of the sub-agents of a session. @throws FileError for a directory that cannot be listed. */
  async find(session: string, dialect: SubagentDialect): Promise<readonly string[]> {
    const found: string[] = [];
    for (const place of dialect.listPlaces(session)) {
      if (!this.#names.mayHave(session, place.directory)) continue;
      for (const path of await this.#list(dialect, place)) {
        if (place.holdsOneSession || dialect.isOf(await this.#getStart(path), session)) {
          found.push(path);
        }
      }
    }
    return found;
  }

  #list(dialect: SubagentDialect, place: SubagentPlace): Promise<readonly string[]> {
    const key = `${place.holdsOneSession}:${place.directory}`;
    const listing =
      this.#listings.get(key) ?? orReport(this.#onProblem, [], () => listLogs(dialect, place));
    this.#listings.set(key, listing);
    return listing;
  }

  #getStart(path: string): Promise<string> {
    const start = this.#starts.get(path) ?? readStart(path);
    this.#starts.set(path, start);
    return start;
  }
}

/**
 * Lists the files in a place whose names are those of sub-agents: nothing that a link leads to.
 * @throws FileError if it cannot be listed.
 */
export async function listLogs(
  dialect: SubagentDialect,
  { directory, holdsOneSession }: SubagentPlace,
): Promise<readonly string[]> {
  try {
    // Most sessions have none, and an error takes longer than a look.
    if (!statSync(directory, { throwIfNoEntry: false })) return [];
    return await listBelow(directory, holdsOneSession, (name) => dialect.isFile(name));
  } catch (error) {
    const problem = toFileError(error, directory, 'read');
    if (isMissing(problem)) return [];
    throw problem;
  }
}

/** Node's own way to list what is below follows links: Node 26 does. */
async function listBelow(
  directory: string,
  isDeep: boolean,
  fits: (name: string) => boolean,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isFile() && fits(entry.name)) found.push(path);
    if (isDeep && entry.isDirectory()) found.push(...(await listBelow(path, isDeep, fits)));
  }
  return found;
}

/** Returns the result of work, or an empty one where something takes its error. */
export async function orReport<T>(
  onProblem: TakeProblem | undefined,
  empty: T,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FileError) || !onProblem) throw error;
    onProblem(error);
    return empty;
  }
}
