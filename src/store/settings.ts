import { readFile } from 'node:fs/promises';
import { UsageError } from '../errors.ts';
import { isObject, type JsonObject } from '../session/json.ts';
import { toFileError } from '../session/jsonl/file-error.ts';

/**
 * The settings object of a JSON file; undefined when there is no such file.
 * @throws UsageError when it cannot be read or is no JSON object: guessing would pick other stores.
 */
export async function readSettings(path: string): Promise<JsonObject | undefined> {
  const text = await readTextIfThere(path);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`${path}: is not valid JSON: ${reason}`, { cause: error });
  }
  throw new UsageError(`${path}: holds no JSON object`);
}

async function readTextIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (problem.code === 'ENOENT' || problem.code === 'ENOTDIR') return undefined;
    throw new UsageError(`${path}: ${problem.message}`, { cause: error });
  }
}
