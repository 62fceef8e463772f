import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { FileError } from '../../../errors.ts';
import { writeJson } from '../../../session/jsonl/edit/json.ts';
import type { Line } from '../../../session/jsonl/read/line-splitter.ts';
import { parseLine } from '../../../session/jsonl/read/parse-line.ts';
import { readLines } from '../../../session/jsonl/read/read-lines.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';
import { createNameFinder, type NameFinder } from './name-finder.ts';
import { listAll } from '../../files/list-all.ts';
import { orFileError } from '../../../session/jsonl/files/file-error.ts';

/**
 * Finds, for each name, the paths of all that may have it anywhere in its text, below a directory: hidden,
 * behind links, of whatever kind. Whatever cannot be read, or not be understood, may have every name. `isPassedOver`:
 * whether not to read a file.
 */
export async function searchNames(
  directory: string,
  names: readonly string[],
  isPassedOver: (path: string) => boolean = () => false,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  const { files, unread } = listAll(directory);
  for (const path of unread) for (const name of names) addTo(found, name, path);
  const find = createNameFinder(names);
  for (const path of files) {
    if (isPassedOver(path)) continue;
    for (const name of (await readNames(path, find)) ?? names) addTo(found, name, path);
  }
  return found;
}

/** Searches directories for names again and again, and reads each directory once: what came into it since is not found. */
export class NameSearch {
  readonly #names: Set<string>;
  readonly #found = new Map<string, ReturnType<typeof searchNames>>();

  /** `names`: those that will be asked for, as far as that is known. */
  constructor(names: Iterable<string> = []) {
    this.#names = new Set(names);
  }

  /** Lists the paths that `searchNames` finds for a name. */
  async list(
    directory: string,
    name: string,
    isPassedOver: (path: string) => boolean,
  ): Promise<readonly string[]> {
    if (!this.#names.has(name)) {
      this.#names.add(name);
      this.#found.clear();
    }
    const search =
      this.#found.get(directory) ?? searchNames(directory, [...this.#names], isPassedOver);
    this.#found.set(directory, search);
    return (await search).get(name) ?? [];
  }
}

/** The ending of a session file, of a backup, or of a compressed one. */
const JSON_LINES = /\.jsonl/i;

/** Finds the names that a file has; undefined if not every byte of it was understood: then it may have any. */
async function readNames(path: string, find: NameFinder): Promise<ReadonlySet<string> | undefined> {
  const hasLines = JSON_LINES.test(basename(path));
  const found = new Set<string>();
  let [isEmpty, isUnderstood] = [true, true];
  const visit = (line: Line): void => {
    const text = understand(line, hasLines);
    if (text === undefined) isUnderstood = false;
    else if (text.length > 0) isEmpty = false;
    for (const name of text ? find(text) : []) found.add(name);
  };
  const read = await orFileError(() => readLines(path, visit, { isDone: () => !isUnderstood }));
  return read instanceof FileError || isEmpty || !isUnderstood ? undefined : found;
}

const ESCAPE = '\\u00';

/**
 * The text of a line, without escapes in which a name could hide; undefined where it is not text, or too deep to be
 * written without them.
 */
function understand(line: Line, isJson: boolean): Buffer | undefined {
  const { bytes, oversized } = line;
  if (oversized || bytes.includes(0) || !isUtf8(bytes)) return undefined;
  if (!isJson) return bytes;
  const content = parseLine(line);
  if (content.kind === 'blank') return Buffer.alloc(0);
  if (content.kind !== 'object') return undefined;
  if (!bytes.includes(ESCAPE)) return bytes;
  const plain = writeJson(content.value);
  return plain === undefined ? undefined : Buffer.from(plain);
}
