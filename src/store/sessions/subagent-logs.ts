import { join } from 'node:path';
import { FileError } from '../../errors.ts';
import type {
  SubagentDialect,
  SubagentPlace,
} from '../../session/dialect/surroundings/subagents.ts';
import { orFileError } from '../../session/jsonl/files/file-error.ts';
import { listWithoutLinks } from '../../session/jsonl/files/find-below.ts';
import { listEntries } from '../../session/jsonl/files/list-directory.ts';
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
    const list = () => Promise.resolve(place).then((one) => listLogs(dialect, one));
    const listing = this.#listings.get(key) ?? orReport(this.#onProblem, [], list);
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
export function listLogs(
  dialect: SubagentDialect,
  { directory, holdsOneSession }: SubagentPlace,
): readonly string[] {
  const fits = (name: string): boolean => dialect.isFile(name);
  if (holdsOneSession) return listWithoutLinks(directory, fits);
  return listEntries(directory)
    .filter((entry) => entry.isFile() && fits(entry.name))
    .map(({ name }) => join(directory, name));
}

/** Returns the result of work, or an empty one where something takes its error. */
export async function orReport<T>(
  onProblem: TakeProblem | undefined,
  empty: T,
  work: () => Promise<T>,
): Promise<T> {
  if (!onProblem) return work();
  const result = await orFileError(work);
  if (!(result instanceof FileError)) return result;
  onProblem(result);
  return empty;
}
