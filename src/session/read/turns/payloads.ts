import { FileError } from '../../../errors.ts';
import type { Entry, LineSpan } from '../../model/entry.ts';
import { isObject, type JsonObject } from '../../jsonl/edit/json.ts';
import { openSpans, type SpanReader } from '../../jsonl/read/spans/read-spans.ts';
import type { ReadPayload } from '../../dialect/fold.ts';

/**
 * Lets `use` read the parsed lines of entries, of which an index keeps only the place.
 * @throws FileError if the file cannot be read, or is no longer the one that was indexed.
 */
export async function withPayloads<T>(
  path: string,
  use: (readPayload: ReadPayload) => Promise<T>,
): Promise<T> {
  const spans = openSpans(path);
  try {
    return await use((entry) => readPayload(spans, entry, path));
  } finally {
    spans.close();
  }
}

/** Reads and parses one line of a file. @throws FileError as `withPayloads`. */
export function readPayload(spans: SpanReader, at: LineSpan, path: string): Promise<JsonObject> {
  return spans.read(at, (bytes) => parseStoredLine(bytes, at, path));
}

/**
 * Parses a line that an index knows the place of; every line that is read again is parsed here.
 * @throws FileError, `ECHANGED`, where there is no JSON object: the file was rewritten meanwhile.
 */
export function parseStoredLine(
  bytes: Buffer,
  { line }: Pick<Entry, 'line'>,
  path: string,
): JsonObject {
  let cause: unknown;
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (isObject(value)) return value;
  } catch (error) {
    cause = error;
  }
  const message = `line ${line} changed since it was read; try again`;
  throw new FileError(path, 'ECHANGED', message, { cause });
}
