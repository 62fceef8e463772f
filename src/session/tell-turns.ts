import { FileError } from '../errors.ts';
import type { Turn } from './conversation.ts';
import type { Dialect } from './dialect.ts';
import type { Entry } from './entry.ts';
import { isObject, type JsonObject } from './json.ts';
import { openSpans, type SourceState, type SpanReader } from './jsonl/compose-file.ts';

/** What a payload becomes before anyone reads it. */
export type PayloadTransform = (value: JsonObject, line: number) => Promise<JsonObject>;

export interface Telling {
  readonly source: SourceState;
  readonly dialect: Dialect;
  readonly entries: readonly Entry[];
  readonly edits: ReadonlyMap<string, Entry>;
  /** Text by entry id. */
  readonly labels: ReadonlyMap<string, string>;
  readonly transform?: PayloadTransform | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Reads the chosen entries again, one payload at a time, and tells what each says.
 * @throws FileError if the file is not the one that was indexed, at the start or at the end.
 */
export async function* tellTurns(telling: Telling): AsyncGenerator<Turn> {
  const reader = openSpans(telling.source);
  try {
    for (const entry of telling.entries) {
      telling.signal?.throwIfAborted();
      const turn = await readTurn(reader, entry, telling);
      if (turn) yield turn;
    }
    reader.check();
  } finally {
    reader.close();
  }
}

async function readTurn(
  reader: SpanReader,
  entry: Entry,
  { source, dialect, edits, labels, transform }: Telling,
): Promise<Turn | undefined> {
  const read = async (from: Entry): Promise<JsonObject> => {
    const value = readPayload(reader, from, source);
    return transform ? transform(value, from.line) : value;
  };
  const edit = entry.id === undefined ? undefined : edits.get(entry.id);
  const value = await read(entry);
  const content = dialect.toTurn(value, entry.role, edit && (await read(edit)));
  if (!content) return undefined;
  const label = entry.id === undefined ? undefined : labels.get(entry.id);
  return { ...content, entry, time: entry.time, label, edited: edit && true };
}

/** @throws FileError if there is no JSON object where the index says there is one. */
export function readPayload(reader: SpanReader, entry: Entry, { path }: SourceState): JsonObject {
  const text = reader.read(entry).toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new FileError(path, 'ECHANGED', 'changed since it was read: try again');
}
