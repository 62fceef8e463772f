import type { Dialect } from './dialect.ts';
import type { Entry, Header } from './entry.ts';
import type { JsonObject } from './json.ts';
import { openSpans, type SpanReader } from './jsonl/read-spans.ts';
import { resolveLabels } from './labels.ts';
import type { Session } from './session.ts';
import { parsePayload, type PayloadTransform } from './tell-turns.ts';

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
  const reader = await openSpans(session.path);
  try {
    if (session.header) {
      const { bytes, value } = await readLine(reader, session.header, lines);
      yield endLine(dialect.toCurrentHeader(bytes, value, session.header));
    }
    for (const entry of entries) {
      signal?.throwIfAborted();
      const { bytes, value } = await readLine(reader, entry, lines);
      yield endLine(dialect.toCurrentLine(bytes, value, entry));
    }
  } finally {
    await reader.close();
  }
}

async function readLine(
  reader: SpanReader,
  at: Entry | Header,
  { session, transform }: CurrentLines,
): Promise<{ bytes: Buffer; value: JsonObject }> {
  const bytes = await reader.read(at);
  const stored = parsePayload(bytes, session.path);
  const value = transform ? await transform(stored, at.line) : stored;
  // The array dialect may break a line inside an object.
  const isKept = value === stored && !bytes.includes(0x0a);
  return { bytes: isKept ? bytes : Buffer.from(JSON.stringify(value)), value };
}

function endLine(bytes: Buffer): Buffer {
  return Buffer.concat([bytes, Buffer.from('\n')]);
}

/**
 * A path as a session of its own, as `createBranchedSession` of pi 0.87.1 makes one: labels are
 * taken out and the rest hangs on each other (a first kept entry that was a label moves on to the
 * next that stays); labels that are still set come again at the end, and so does the name.
 */
export function placePath(session: Session, path: readonly Entry[]): readonly Entry[] {
  const kept = path.filter(({ type }) => type !== 'label');
  const last = kept.at(-1);
  // Nothing can hang on an entry without an id.
  const again = last && last.id === undefined ? [] : findAgain(session, kept);
  const firstKept = mapFirstKept(path);
  let parentId: string | null = null;
  return [...kept, ...again].map((entry) => {
    const { firstKeptEntryId } = entry;
    const moved = firstKeptEntryId === undefined ? undefined : firstKept.get(firstKeptEntryId);
    const placed: Entry = {
      ...entry,
      parentId,
      ...(firstKeptEntryId !== undefined && { firstKeptEntryId: moved ?? firstKeptEntryId }),
    };
    parentId = entry.id ?? null;
    return placed;
  });
}

/** Labels of entries that stay, and the name where it was given on another branch. */
function findAgain({ entries }: Session, kept: readonly Entry[]): readonly Entry[] {
  const ids = new Set(kept.map(({ id }) => id));
  const labels = [...resolveLabels(entries)].filter(([target]) => ids.has(target));
  const name = entries.findLast(({ type }) => type === 'session_info');
  const named = name && kept.findLast(({ type }) => type === 'session_info') !== name;
  const again = labels.map(([, { entry }]) => entry);
  return named ? [...again, name] : again;
}

/** For labels: the id of what follows them on the path and stays. */
function mapFirstKept(path: readonly Entry[]): ReadonlyMap<string, string> {
  const moved = new Map<string, string>();
  let next: string | undefined;
  for (const { id, type } of path.toReversed()) {
    if (type !== 'label') next = id;
    else if (id !== undefined && next !== undefined) moved.set(id, next);
  }
  return moved;
}
