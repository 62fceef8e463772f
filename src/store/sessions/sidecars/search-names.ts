import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { FileError } from '../../../errors.ts';
import { writeJson } from '../../../session/jsonl/edit/json.ts';
import type { Line } from '../../../session/jsonl/read/line-splitter.ts';
import { parseLine } from '../../../session/jsonl/read/parse-line.ts';
import { readLines } from '../../../session/jsonl/read/read-lines.ts';
import { addTo } from '../../../session/model/tree/group-by.ts';
import { listAll } from '../../files/list-all.ts';
import { orFileError } from '../../../session/jsonl/files/file-error.ts';

/**
 * Finds, for each name, the paths of all that may have it anywhere in its text, below a directory: hidden,
 * behind links, of whatever kind. Whatever cannot be read, or not be understood, may have every name.
 */
export async function searchNames(
  directory: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, string[]>();
  const { files, unread } = listAll(directory);
  for (const path of unread) for (const name of names) addTo(found, name, path);
  for (const path of files) {
    for (const name of await readNames(path, names)) addTo(found, name, path);
  }
  return found;
}

/** The ending of a session file, of a backup, or of a compressed one. */
const JSON_LINES = /\.jsonl/i;

/** Lists those of the names that a file has; all of them if not every byte of it was understood. */
async function readNames(path: string, names: readonly string[]): Promise<readonly string[]> {
  const hasLines = JSON_LINES.test(basename(path));
  const found = new Set<string>();
  let [isEmpty, isUnderstood] = [true, true];
  const visit = (line: Line): void => {
    const text = understand(line, hasLines);
    if (text === undefined) isUnderstood = false;
    else if (text.length > 0) isEmpty = false;
    for (const name of names) if (text?.includes(name)) found.add(name);
  };
  const read = await orFileError(() => readLines(path, visit, { isDone: () => !isUnderstood }));
  return read instanceof FileError || isEmpty || !isUnderstood ? names : [...found];
}

const ESCAPE = '\\u00';

/**
 * The text of a line, without escapes in which a name could hide; undefined where it is not text, or too deep to be
 * written without them.
 */
function understand(line: Line, isJson: boolean): Buffer | string | undefined {
  const { bytes, oversized } = line;
  if (oversized || bytes.includes(0) || !isUtf8(bytes)) return undefined;
  if (!isJson) return bytes;
  const content = parseLine(line);
  if (content.kind === 'blank') return '';
  if (content.kind !== 'object') return undefined;
  return bytes.includes(ESCAPE) ? writeJson(content.value) : bytes;
}
