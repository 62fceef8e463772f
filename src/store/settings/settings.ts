import { UsageError } from '../../errors.ts';
import { isObject, type JsonObject } from '../../session/jsonl/edit/json.ts';
import { isMissing, toFileError } from '../../session/jsonl/files/file-error.ts';
import { readNamedText } from '../files/read-named-text.ts';
import { findRepeated } from './find-repeated.ts';
import { findSyntaxFault } from './find-syntax-fault.ts';
import { readRegularFile } from '../files/read-regular-file.ts';

/** Returns the place of the fault in a text that is not JSON, for a message after its path. */
function describeFault(text: string): string {
  const fault = findSyntaxFault(text);
  return fault
    ? `:${fault.line}:${fault.column}: is not valid JSON`
    : ': is not valid JSON: it ends too early';
}

/** No one writes this many settings; the file may be a stranger's. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * The settings object of a JSON file; undefined when there is no such file.
 * @throws UsageError when it cannot be read or is not a JSON object: guessing would pick other stores.
 */
export async function readSettings(path: string): Promise<JsonObject | undefined> {
  return parseSettings(path, await readTextIfThere(path, () => readPlainText(path)));
}

/** Reads settings of coppice's own. @throws UsageError also for a member that is there twice: one would be lost. */
export async function readOwnSettings(path: string): Promise<JsonObject | undefined> {
  return parseOwn(path, await readTextIfThere(path, () => readPlainText(path)));
}

/** Reads those from a file that the user has named, which may be a pipe: `<(jq … config.json)`. */
export async function readNamedSettings(path: string): Promise<JsonObject | undefined> {
  return parseOwn(path, await readTextIfThere(path, () => readNamedText(path)));
}

function readPlainText(path: string): string {
  return readRegularFile(path, MAX_BYTES).toString('utf8');
}

function parseOwn(path: string, read: string | undefined): JsonObject | undefined {
  // Some editors of Windows write a byte order mark.
  const text = read?.replace(/^\uFEFF/, '');
  const settings = parseSettings(path, text);
  const repeated = text === undefined ? undefined : findRepeated(text);
  if (!repeated) return settings;
  const { key, lines } = repeated;
  const [first, second] = lines;
  const where = first === second ? `line ${first}` : `lines ${first} and ${second}`;
  throw new UsageError(
    `${path}: ${JSON.stringify(key)} is there twice, on ${where}; leave one out`,
  );
}

function parseSettings(path: string, text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    throw new UsageError(`${path}${describeFault(text)}`, { cause: error });
  }
  throw new UsageError(`${path}: holds no JSON object`);
}

async function readTextIfThere(
  path: string,
  read: () => string | Promise<string>,
): Promise<string | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const problem = toFileError(error, path, 'read');
    if (isMissing(problem)) return undefined;
    throw new UsageError(`${path}: ${problem.message}`, { cause: error });
  }
}
