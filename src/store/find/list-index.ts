import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { readVersion } from '../../package.ts';
import { isArray, type JsonValue } from '../../session/jsonl/edit/json.ts';
import { makeDirectories } from '../../session/jsonl/files/make-directories.ts';
import { type FileState, SETTLED_AFTER_MS } from '../files/file-state.ts';
import { replaceOwn } from '../files/replace-own.ts';
import { statFile } from '../files/stat-file.ts';
import { BlockFile, findPlace, type Place } from './block-file.ts';
import { formatBlocks, parseBlock, type Row, type Share, type ToRow } from './index-block.ts';
import { mayHoldKey } from './may-hold-key.ts';
import { attempt } from '../files/attempt.ts';

/** Writes a value as a list without names, and makes it of that again. */
export interface RecordCodec<T> {
  readonly toRecord: (value: T, share: Share) => readonly unknown[];
  /** Undefined for what is not such a record. */
  readonly fromRecord: (
    record: readonly JsonValue[],
    shared: readonly JsonValue[],
    path: string,
  ) => T | undefined;
}

/**
 * Remembers what session files were found to hold, from one run to the next. Only ever a cache: what
 * cannot be read, or comes from another version of coppice, counts as nothing. Its file has a line for the
 * version, and then blocks of a directory's files, in order (`index-block.ts`). A block is parsed when one of its
 * files is asked for, and only the last one is kept: files are asked for in order.
 */
export class ListIndex<T extends object> {
  readonly #path: string;
  readonly #codec: RecordCodec<T>;
  readonly #file: BlockFile;
  #last: { readonly place: Place; readonly rows: ReadonlyMap<string, Found> } | undefined;
  /** The records that this run has added, by directory and name. */
  readonly #added = new Map<string, Map<string, Added<T>>>();

  /** `name`: of its file in the cache directory. */
  constructor(directory: string, name: string, codec: RecordCodec<T>) {
    this.#path = join(directory, name);
    this.#codec = codec;
    this.#file = new BlockFile(this.#path, HEAD);
  }

  get(path: string, state: FileState): T | undefined {
    const directory = dirname(path);
    const name = path.slice(directory.length + 1);
    const found = this.#find(directory, name);
    if (!found || state.some((part, at) => found.row[at + 1] !== part)) return undefined;
    return this.#toValue(found, path);
  }

  #toValue({ row, shared }: Found, path: string): T | undefined {
    const record = row[RECORD];
    return isArray(record) ? this.#codec.fromRecord(record, shared, path) : undefined;
  }

  #find(directory: string, name: string): Found | undefined {
    const place = findPlace(this.#file.list(directory), name);
    if (!place) return undefined;
    if (this.#last?.place !== place) this.#last = { place, rows: parseRows(this.#file, place) };
    return this.#last.rows.get(name);
  }

  /** Adds a record, unless it may hold a key: then its file is read again each time. */
  set(path: string, state: FileState, value: T): void {
    if (holdsText(value, mayHoldKey)) return;
    const directory = dirname(path);
    const own = this.#added.get(directory) ?? new Map<string, Added<T>>();
    this.#added.set(directory, own.set(basename(path), { state, value }));
  }

  /**
   * Adds what is new to the index as it is by now, which no one else can read, and forgets files that are gone. Blocks of
   * directories in which no name has changed since the last time are written again as they are. Of two runs that save
   * at once, one counts.
   * @throws FileError if it cannot be written.
   */
  async save(): Promise<void> {
    if (this.#added.size === 0) return;
    await attempt(this.#path, () => {
      makeDirectories(dirname(this.#path));
      // Another run may have replaced it.
      const now = new BlockFile(this.#path, HEAD);
      return replaceOwn(this.#path, (file) => writeFile(file, this.#listLines(now)));
    });
  }

  *#listLines(file: BlockFile): Iterable<string | Buffer> {
    yield `${HEAD}\n`;
    for (const directory of new Set([...file.directories, ...this.#added.keys()])) {
      if (this.#added.has(directory) || !isUnchanged(directory, file.writtenAt)) {
        yield* formatBlocks(directory, this.#listRows(directory, file));
      } else {
        for (const place of file.list(directory)) {
          yield file.read(place);
          yield '\n';
        }
      }
    }
  }

  /** Lists the rows of a directory by name, each as a function, since few are needed at once. */
  #listRows(directory: string, file: BlockFile): readonly (readonly [string, ToRow])[] {
    const rows = new Map<string, ToRow>();
    for (const place of file.list(directory)) {
      for (const [name, found] of parseRows(file, place)) {
        const path = join(directory, name);
        const value = this.#toValue(found, path);
        if (!value || statFile(path) === undefined) continue;
        const state = found.row.slice(0, RECORD);
        rows.set(name, (share) => [...state, this.#codec.toRecord(value, share)]);
      }
    }
    for (const [name, { state, value }] of this.#added.get(directory) ?? []) {
      rows.set(name, (share) => [name, ...state, this.#codec.toRecord(value, share)]);
    }
    return [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1));
  }
}

interface Added<T> {
  readonly state: FileState;
  readonly value: T;
}

interface Found {
  readonly row: Row;
  readonly shared: readonly JsonValue[];
}

/** The place of the record in a row, behind the name and the state. */
const RECORD = 6;

/** The version of the records, raised when one has other fields or facts than in the release of the same version. */
const RECORDS = 32;

const HEAD = JSON.stringify(['coppice', readVersion(), RECORDS]);

/** Returns whether a value holds such a text, however deep. A list of nothing but numbers holds none. */
function holdsText(value: unknown, isSuch: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isSuch(value);
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return false;
  return Object.values(value).some((member) => holdsText(member, isSuch));
}

/** Returns whether each file that was in a directory at that time, in milliseconds, is there still. */
function isUnchanged(directory: string, then: number): boolean {
  const stats = statFile(directory);
  return stats !== undefined && stats.mtimeMs < then - SETTLED_AFTER_MS;
}

/** Parses a block: its rows by the names of the files. */
function parseRows(file: BlockFile, place: Place): ReadonlyMap<string, Found> {
  const block = parseBlock(file.read(place).toString('latin1'));
  const rows = new Map<string, Found>();
  for (const row of block?.rows ?? []) {
    const [name] = row;
    if (block && typeof name === 'string') rows.set(name, { row, shared: block.shared });
  }
  return rows;
}
