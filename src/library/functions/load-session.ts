import { FileError } from '../../errors.ts';
import { getString, type JsonObject } from '../../session/jsonl/edit/json.ts';
import type { Line } from '../../session/jsonl/read/line-splitter.ts';
import { LineSplitter } from '../../session/jsonl/read/line-splitter.ts';
import { parseLine } from '../../session/jsonl/read/parse-line.ts';
import type { KnownFile } from '../../session/jsonl/files/identity/known-file.ts';
import { readElements } from '../../session/jsonl/read/read-elements.ts';
import { readLinesSync } from '../../session/jsonl/read/read-lines-sync.ts';
import { joinParts, type LineTransform } from '../../session/jsonl/write/line-transform.ts';
import { CURRENT_VERSION, getVersion, isHeader } from '../../session/agents/pi/format.ts';
import { findStartTime } from '../../session/migrate/migrate-session.ts';
import { LineMigrator } from '../../session/agents/pi/migrate/line-migrator.ts';
import { PiStartFinder } from '../../session/agents/pi/entry/neighbour-times.ts';
import { PiOldEntryFinder } from '../../session/agents/pi/migrate/old-entry-finder.ts';

/** A session file in memory, as of the current version whatever the version on disk. */
export interface LoadedSession {
  readonly header: JsonObject;
  readonly records: readonly JsonObject[];
  readonly stamp: KnownFile;
  /** Makes the lines on disk what is in memory; absent where they are that already. */
  readonly createUpgrade?: (() => LineTransform) | undefined;
  /** The version that the file states. */
  readonly version: number;
}

/** A file without a single byte, which pi takes for a session that is yet to begin. */
export interface EmptyFile {
  readonly header: undefined;
  readonly stamp: KnownFile;
}

/**
 * Reads a session file of any version; undefined where there is no file. Never writes.
 * @throws FileError if it cannot be read, or is not a session that pi would open.
 */
export function loadSession(path: string): LoadedSession | EmptyFile | undefined {
  const finder = new PiOldEntryFinder();
  let first: JsonObject | undefined;
  let start = '';
  const opened = readLinesSync(path, (line) => {
    start ||= line.bytes.toString('latin1').trimStart().slice(0, 1);
    first ??= parseObject(line);
    finder.visit(line);
  });
  if (!opened) return undefined;
  if (opened.size === 0) return { header: undefined, stamp: opened };
  if (start === '[') return loadArray(path, opened);
  requireHeader(path, first);
  const version = getVersion(first, 'lines');
  // pi's own fork leaves entries of v1 under a header of v3, which nothing could be appended to.
  const isOld =
    version < CURRENT_VERSION || (version === CURRENT_VERSION && finder.found.withoutId > 0);
  const { takenIds } = finder;
  const options = {
    framing: 'lines',
    changes: {},
    takenIds,
    startTime: 0,
    upgrades: true,
  } as const;
  const createUpgrade = isOld ? () => new LineMigrator(options).transform : undefined;
  return { ...readRecords(path, createUpgrade?.()), createUpgrade, version };
}

/** One JSON array, as older tools wrote it: every element as the line that `migrate` would make of it. */
function loadArray(path: string, stamp: KnownFile): LoadedSession {
  const startTime = findStartTime(path, new PiStartFinder());
  const options = {
    framing: 'array',
    changes: {},
    takenIds: [],
    startTime,
    upgrades: true,
  } as const;
  const { transform } = new LineMigrator(options);
  const objects: JsonObject[] = [];
  readElements(path, (element) => {
    const bytes = joinParts(transform(element) ?? []);
    const object = parseObject({ ...element, bytes });
    if (object) objects.push(object);
  });
  const [header, ...rest] = objects;
  requireHeader(path, header);
  return { header, records: rest.filter((object) => !isHeader(object)), stamp, version: 0 };
}

function requireHeader(path: string, first: JsonObject | undefined): asserts first is JsonObject {
  if (first && isHeader(first) && getString(first, 'id') !== undefined) return;
  throw new FileError(path, 'not-a-session', `Session file is not a valid pi session: ${path}`);
}

function readRecords(
  path: string,
  upgrade: LineTransform | undefined,
): Pick<LoadedSession, 'header' | 'records' | 'stamp'> {
  const objects: JsonObject[] = [];
  const stamp = readLinesSync(path, (line) => {
    const changed = upgrade?.(line);
    const bytes = changed ? joinParts(changed) : line.bytes;
    const object = parseObject({ ...line, bytes });
    if (object) objects.push(object);
  });
  const [header, ...rest] = objects;
  if (!stamp || !header) throw new FileError(path, 'ECHANGED', 'was changed while it was read');
  return { header, records: rest.filter((object) => !isHeader(object)), stamp };
}

/** Reads the header of a session file, from its start only; undefined if pi would find none. */
export function readHeaderSync(path: string): JsonObject | undefined {
  let first: JsonObject | undefined;
  readLinesSync(
    path,
    (line) => (first ??= parseObject(line)),
    () => first !== undefined,
  );
  return first && isHeader(first) && getString(first, 'id') !== undefined ? first : undefined;
}

/** Parses the entries among lines that another program has appended. */
export function parseRecords(bytes: Buffer): readonly JsonObject[] {
  const records: JsonObject[] = [];
  const splitter = new LineSplitter((line) => {
    const object = parseObject(line);
    if (object && !isHeader(object)) records.push(object);
  });
  splitter.push(bytes);
  splitter.end();
  return records;
}

function parseObject(line: Line): JsonObject | undefined {
  const content = parseLine(line);
  return content.kind === 'object' ? content.value : undefined;
}
