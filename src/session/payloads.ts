import { FileError } from '../errors.ts';
import type { Entry } from './entry.ts';
import { isObject, type JsonObject } from './json.ts';
import { openSpans } from './jsonl/read-spans.ts';

export type ReadPayload = (entry: Entry) => Promise<JsonObject>;

/**
 * Lets `use` read what an index knows only the place of: the parsed lines of entries.
 * @throws FileError if the file cannot be read, or is no longer the one that was indexed.
 */
export async function withPayloads<T>(
  path: string,
  use: (readPayload: ReadPayload) => Promise<T>,
): Promise<T> {
  const spans = openSpans(path);
  try {
    return await use((entry) => spans.read(entry, (bytes) => parse(path, bytes)));
  } finally {
    spans.close();
  }
}

function parse(path: string, bytes: Buffer): JsonObject {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (isObject(value)) return value;
  } catch (cause) {
    throw new FileError(path, 'ECHANGED', 'was rewritten while it was read', { cause });
  }
  throw new FileError(path, 'ECHANGED', 'was rewritten while it was read');
}
