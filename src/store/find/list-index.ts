import { replaceOwn } from '../files/replace-own.ts';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readVersion } from '../../package.ts';
import { isArray, isObject, type JsonValue } from '../../session/jsonl/edit/json.ts';
import { makeDirectories } from '../../session/jsonl/files/make-directories.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import { stampPlainFile, statFile } from '../files/stat-file.ts';

// Nothing in it without a bound: texts are long, and may be made to take long.
const MARKS =
  /-----BEGIN|:\/\/[^\s/@]{1,200}@|(?:passw|secret|token|api.?key|bearer)\w{0,20}\s{0,5}[:=]/i;
/** Names of files and branches are long, too, but made of words. */
const LONG_WORD = /[A-Za-z0-9]{14,}/g;

/**
 * Returns whether text looks as if a key or a password were in it. Rather too often than too rarely: it costs
 * no more than reading a file again. A detector proper would take longer to load than a listing.
 */
export function mayHoldKey(text: string): boolean {
  if (MARKS.test(text)) return true;
  return (text.match(LONG_WORD) ?? []).some((word) => /\d/.test(word) && /[A-Za-z]/.test(word));
}

/** A text that differs between two states of a file. */
export type FileState = string;

/** A file written less than this before it was looked at may change and keep its state. */
const SETTLED_AFTER_MS = 2000;

/** The state of a file that has stood still for a while; undefined otherwise, or if it is gone. */
export function readSettledState(path: string, now: number): FileState | undefined {
  const stamp = stampPlainFile(path);
  if (!stamp || Math.abs(now - stamp.mtimeMs) < SETTLED_AFTER_MS) return undefined;
  return `${stamp.dev}:${stamp.ino}:${stamp.size}:${stamp.mtimeMs}:${stamp.ctimeMs}`;
}

/**
 * Remembers what session files were found to hold, from one run to the next. Only ever a cache: what
 * cannot be read, or comes from another version of coppice, counts as nothing. Its file has a line
 * for the version and one for each session, `[path, state, value]`; a line is parsed when it is asked
 * for, since most runs are about some sessions of many.
 */
export class ListIndex<T extends object> {
  readonly #path: string;
  readonly #bytes: Buffer;
  /** The places of the lines in the bytes, by path. */
  readonly #spans: Map<string, Span>;
  /** The lines that this run has added. */
  readonly #added = new Map<string, string>();

  /** `name`: of its file in the cache directory. */
  constructor(directory: string, name: string) {
    this.#path = join(directory, name);
    this.#bytes = readBytes(this.#path);
    this.#spans = findLines(this.#bytes);
  }

  get(path: string, state: FileState): T | undefined {
    const span = this.#spans.get(path);
    const known = span && parse(this.#bytes.toString('utf8', span.start, span.end));
    if (!isArray(known) || known[1] !== state || !isObject(known[2])) return undefined;
    // This very version wrote it, for this user alone.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return known[2] as unknown as T;
  }

  /** Adds a record, unless it may hold a key: then its file is read again each time. */
  set(path: string, state: FileState, value: T): void {
    if (listTexts(value).some(mayHoldKey)) return;
    this.#added.set(path, JSON.stringify([path, state, value]));
  }

  /**
   * Writes what is new, readable by no one else, and forgets files that are gone. Of two runs that
   * save at once, one counts.
   * @throws FileError if it cannot be written.
   */
  async save(): Promise<void> {
    if (this.#added.size === 0) return;
    try {
      makeDirectories(dirname(this.#path));
      await replaceOwn(this.#path, (file) => writeFile(file, this.#listPieces()));
    } catch (error) {
      throw toFileError(error, this.#path, 'write');
    }
  }

  /** The lines of the file, many at once. */
  *#listPieces(): Iterable<string> {
    let piece = `${HEAD}\n`;
    for (const line of this.#listLines()) {
      piece += `${line}\n`;
      if (piece.length < PIECE_LENGTH) continue;
      yield piece;
      piece = '';
    }
    yield piece;
  }

  *#listLines(): Iterable<string> {
    for (const [path, { start, end }] of this.#spans) {
      if (this.#added.has(path) || statFile(path) === undefined) continue;
      yield this.#bytes.toString('utf8', start, end);
    }
    yield* this.#added.values();
  }
}

/** The version of the records, raised when one has other fields than in the release of the same version. */
const RECORDS = 9;

const HEAD = JSON.stringify(['coppice', readVersion(), RECORDS]);

/** Every text of what would be remembered, however deep. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

/** The place of a line without its LF. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const LF = 0x0a;
/** The length of text that is written at once. */
const PIECE_LENGTH = 65_536;

function findLines(bytes: Buffer): Map<string, Span> {
  const spans = new Map<string, Span>();
  const version = bytes.indexOf(LF);
  // An index without its last LF was not written in whole.
  const isWhole = bytes.at(-1) === LF && bytes.toString('utf8', 0, version) === HEAD;
  if (!isWhole) return spans;
  for (let start = version + 1; start < bytes.length;) {
    const end = bytes.indexOf(LF, start);
    const path = readPath(bytes, start);
    if (path !== undefined) spans.set(path, { start, end });
    start = end + 1;
  }
  return spans;
}

/** The first member of a line: up to a quote that no backslash escapes. */
function readPath(bytes: Buffer, start: number): string | undefined {
  let end = start + 1;
  do {
    end = bytes.indexOf(QUOTE, end + 1);
    if (end === -1) return undefined;
  } while (bytes[end - 1] === BACKSLASH && isEscaped(bytes, end));
  const text = bytes.toString('utf8', start + 2, end);
  if (!text.includes('\\')) return text;
  const path = parse(`"${text}"`);
  return typeof path === 'string' ? path : undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

function isEscaped(bytes: Buffer, at: number): boolean {
  let first = at;
  while (bytes[first - 1] === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

function readBytes(path: string): Buffer {
  try {
    return readRegularFile(path);
  } catch {
    return Buffer.alloc(0);
  }
}

function parse(text: string): JsonValue | undefined {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed JSON enters here
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
