import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, normalize } from 'node:path';
import { isArray, isObject, type JsonObject } from '../session/json.ts';
import { fileExists } from '../session/jsonl/read-lines.ts';
import { attempt, OutputDirectory } from './output-directory.ts';
import { readRegularFile } from './read-regular-file.ts';
import { refuseLink } from './refuse-link.ts';

const INDEX_VERSION = 1;

/** What an export made of one source. */
export interface ExportRecord {
  /** What tells one state of the source from another. */
  readonly state: string;
  /** Relative to the folder. */
  readonly outputs: readonly string[];
  /** What overviews say of it. */
  readonly facts: JsonObject;
}

/**
 * A directory of exported files and the index that tells what they were made of, so that the next
 * run makes only what changed. The index is only ever a cache: without it everything is made again.
 */
export class ExportFolder {
  readonly output: OutputDirectory;
  readonly #indexName: string;
  readonly #records: Map<string, ExportRecord>;

  private constructor(
    output: OutputDirectory,
    indexName: string,
    records: Map<string, ExportRecord>,
  ) {
    this.output = output;
    this.#indexName = indexName;
    this.#records = records;
  }

  /** `part` keeps apart runs that share the folder at the same time. `now` in milliseconds. */
  static async open(directory: string, now: number, part = ''): Promise<ExportFolder> {
    const indexName = `.coppice-export${part}.json`;
    const records = await readIndex(join(directory, indexName));
    return new ExportFolder(new OutputDirectory(directory, now), indexName, records);
  }

  /** The record of a source, if what was made of this state of it is still there. */
  async findCurrent(key: string, state: string): Promise<ExportRecord | undefined> {
    const record = this.#records.get(key);
    if (record?.state !== state) return undefined;
    for (const name of record.outputs) {
      if (!(await fileExists(join(this.output.directory, name)))) return undefined;
    }
    return record;
  }

  /** Every record whose key begins like this, in the order of the keys. */
  list(prefix: string): readonly (readonly [key: string, record: ExportRecord])[] {
    const found = [...this.#records].filter(([key]) => key.startsWith(prefix));
    return found.toSorted(([a], [b]) => (a < b ? -1 : 1));
  }

  set(key: string, record: ExportRecord): void {
    this.#records.set(key, record);
  }

  /** Takes away what an earlier export wrote under this key, and its record. */
  async remove(key: string): Promise<void> {
    for (const name of this.#records.get(key)?.outputs ?? []) {
      const path = join(this.output.directory, name);
      await refuseLink(this.output.directory, dirname(path));
      await attempt(path, () => rm(path, { force: true }), 'remove');
    }
    this.#records.delete(key);
  }

  /** Writes the index, for the next run. */
  async save(): Promise<void> {
    const records = Object.fromEntries(this.#records);
    const text = `${JSON.stringify({ indexVersion: INDEX_VERSION, records })}\n`;
    await this.output.write(this.#indexName, [text]);
  }
}

/** What tells one state of a file from another, without reading it. */
export async function readFileState(path: string): Promise<string> {
  const { size, mtimeMs, ino } = await attempt(path, () => stat(path), 'read');
  return [size, mtimeMs, ino].join(' ');
}

/** A short name for a long text, the same on every machine. */
export function toKey(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

async function readIndex(path: string): Promise<Map<string, ExportRecord>> {
  const records = new Map<string, ExportRecord>();
  if (!(await fileExists(path))) return records;
  const index = parseIndex(readRegularFile(path).toString('utf8'));
  if (!isObject(index) || index['indexVersion'] !== INDEX_VERSION) return records;
  for (const [key, value] of Object.entries(index['records'] ?? {})) {
    const { state, outputs, facts } = isObject(value) ? value : {};
    if (typeof state !== 'string' || !isArray(outputs) || !isObject(facts)) continue;
    const names = outputs.filter((name) => typeof name === 'string');
    // The index lies where anyone may have put it: what it names may be removed later.
    if (names.every(isInside)) records.set(key, { state, outputs: names, facts });
  }
  return records;
}

function isInside(name: string): boolean {
  return !isAbsolute(name) && normalize(name) === name && !/^\.\.?(?:[/\\]|$)/.test(name);
}

/** A damaged index is no index. */
function parseIndex(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
