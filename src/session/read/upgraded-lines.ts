import { FileError, isTooLong } from '../../errors.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Entry, Header } from '../model/entry.ts';
import type { JsonObject } from '../jsonl/edit/json.ts';
import { openSpans, type SpanReader } from '../jsonl/read/spans/read-spans.ts';
import type { Session } from '../model/session.ts';
import { parseStoredLine } from './turns/payloads.ts';
import type { PayloadTransform } from './turns/turns.ts';

export interface CurrentLines {
  readonly session: Session;
  readonly dialect: Dialect;
  /** Each at the place that it is to have. */
  readonly entries: readonly Entry[];
  readonly transform?: PayloadTransform | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The lines of a session file of the current version with the given entries, one at a time, each
 * ended by LF. Every byte that need not change is the source's.
 * @throws FileError if the file is no longer the one that was indexed.
 */
export async function* readCurrentLines(lines: CurrentLines): AsyncGenerator<Buffer> {
  const { session, dialect, entries, signal } = lines;
  const reader = openSpans(session.path);
  try {
    if (session.header) {
      const { bytes, value } = await readLine(reader, session.header, lines);
      yield endLine(dialect.copying.toCurrentHeader?.(bytes, value, session) ?? bytes);
    }
    for (const entry of entries) {
      signal?.throwIfAborted();
      const { bytes, value } = await readLine(reader, entry, lines);
      yield endLine(dialect.copying.toCurrentLine(bytes, value, entry, session));
    }
  } finally {
    reader.close();
  }
}

async function readLine(
  reader: SpanReader,
  at: Entry | Header,
  { session, transform }: CurrentLines,
): Promise<{ bytes: Buffer; value: JsonObject }> {
  const bytes = await reader.read(at, (view) => Buffer.from(view));
  const stored = parseStoredLine(bytes, at, session.path);
  const value = transform ? await transform(stored, at.line) : stored;
  return { bytes: value === stored ? bytes : toBytes(value, session.path, at.line), value };
}

/** Serializes a line; fails for one that cannot be written. */
function toBytes(value: JsonObject, path: string, line: number): Buffer {
  try {
    return Buffer.from(JSON.stringify(value));
  } catch (error) {
    if (!(error instanceof RangeError) || isTooLong(error)) throw error;
    throw new FileError(path, 'EDEEP', `line ${line} is nested too deeply to be rewritten`);
  }
}

function endLine(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.from('\n')]);
}
