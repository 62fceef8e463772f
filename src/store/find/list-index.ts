import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isArray, isObject, type JsonValue } from '../../session/jsonl/edit/json.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { releaseAfter } from '../../session/jsonl/files/release-after.ts';
import { createTempFile } from '../../session/jsonl/files/temp-file.ts';
import type { NoSession } from '../../session/read/summarize-session.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { readVersion } from '../../package.ts';
import { mayHoldKey } from './may-hold-key.ts';
import { readRegularFile } from '../read/read-regular-file.ts';
import { statFile } from '../read/stat-file.ts';

/** What is remembered of a file: what a listing without usage needs. */
export type Indexed = SessionSummary | NoSession;

/** What tells one state of a file from another, as text. */
export type FileState = string;

/** A file written less than this before it was looked at may change and keep its state. */
const SETTLED_AFTER_MS = 2000;

/** The state of a file that has stood still for a while; undefined otherwise, or if it is gone. */
export function readSettledState(path: string, now: number): FileState | undefined {
  const stats = statFile(path);
  if (!stats?.isFile() || Math.abs(now - stats.mtimeMs) < SETTLED_AFTER_MS) return undefined;
  return `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}`;
}

/**
 * Remembers what session files were found to hold, from one run to the next. Only ever a cache: what
 * cannot be read, or comes from another version of coppice, counts as nothing.
 */
export class ListIndex {
  readonly #path: string;
  readonly #known: Map<string, readonly [FileState, Indexed]>;
  #isChanged = false;

  constructor(directory: string) {
    this.#path = join(directory, 'list.json');
    this.#known = new Map(readEntries(this.#path));
  }

  get(path: string, state: FileState): Indexed | undefined {
    const known = this.#known.get(path);
    return known?.[0] === state ? known[1] : undefined;
  }

  /** What may hold a key is not remembered: its file is read again each time. */
  set(path: string, state: FileState, value: Indexed): void {
    if (listTexts(value).some(mayHoldKey)) return;
    this.#known.set(path, [state, value]);
    this.#isChanged = true;
  }

  /**
   * Writes what is new, readable by nobody else, and forgets files that are gone. Of two runs that
   * save at once, one counts.
   * @throws FileError if it cannot be written.
   */
  async save(): Promise<void> {
    if (!this.#isChanged) return;
    const entries = [...this.#known].filter(([path]) => statFile(path) !== undefined);
    const lines = entries.map((entry) => JSON.stringify(entry));
    const version = JSON.stringify(getVersion());
    const text = `{"version":${version},"entries":[\n${lines.join(',\n')}\n]}\n`;
    try {
      await mkdir(dirname(this.#path), { recursive: true, mode: 0o700 });
      const temp = await createTempFile(this.#path);
      await releaseAfter(
        async () => {
          await temp.file.writeFile(text);
          await rename(temp.path, this.#path);
        },
        () => temp.file.close(),
        () => rm(temp.path, { force: true }),
      );
    } catch (error) {
      throw toFileError(error, this.#path, 'write');
    }
  }
}

/** To be raised when a record has other fields than in the release of the same version. */
const RECORDS = 3;

function getVersion(): string {
  return `${readVersion()}+${RECORDS}`;
}

/** Every text of what would be remembered, however deep. */
function listTexts(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : [];
}

type Entry = readonly [string, readonly [FileState, Indexed]];

function readEntries(path: string): readonly Entry[] {
  const value = parse(readText(path));
  if (!isObject(value) || value['version'] !== getVersion() || !isArray(value['entries'])) {
    return [];
  }
  // Written by this very version, for this user alone.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return value['entries'].filter(isEntry) as unknown as readonly Entry[];
}

function isEntry(value: JsonValue): boolean {
  return (
    isArray(value) && typeof value[0] === 'string' && isArray(value[1]) && isObject(value[1][1])
  );
}

function readText(path: string): string {
  try {
    return readRegularFile(path).toString('utf8');
  } catch {
    return '';
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
