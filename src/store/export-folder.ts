import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isArray, isObject, type JsonObject } from '../session/json.ts';
import { toFileError } from '../session/jsonl/file-error.ts';
import { fileExists } from '../session/jsonl/read-lines.ts';
import { releaseAfter } from '../session/jsonl/release-after.ts';
import { createCleaner, createTempFile } from '../session/jsonl/temp-file.ts';

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
  readonly directory: string;
  readonly #indexPath: string;
  readonly #records: Map<string, ExportRecord>;

  /** Takes away what runs that were killed have left in a directory. */
  readonly #clear: (directory: string) => Promise<void>;

  private constructor(
    directory: string,
    indexPath: string,
    records: Map<string, ExportRecord>,
    now: number,
  ) {
    this.directory = directory;
    this.#indexPath = indexPath;
    this.#records = records;
    this.#clear = createCleaner(now);
  }

  /** `part` keeps apart runs that share the folder at the same time. `now` in milliseconds. */
  static async open(directory: string, now: number, part = ''): Promise<ExportFolder> {
    const indexPath = join(directory, `.coppice-export${part}.json`);
    return new ExportFolder(directory, indexPath, await readIndex(indexPath), now);
  }

  /** The record of a source, if what was made of this state of it is still there. */
  async findCurrent(key: string, state: string): Promise<ExportRecord | undefined> {
    const record = this.#records.get(key);
    if (record?.state !== state) return undefined;
    for (const name of record.outputs) {
      if (!(await fileExists(join(this.directory, name)))) return undefined;
    }
    return record;
  }

  /** Every record whose key begins like this. */
  list(prefix: string): readonly (readonly [key: string, record: ExportRecord])[] {
    return [...this.#records].filter(([key]) => key.startsWith(prefix));
  }

  set(key: string, record: ExportRecord): void {
    this.#records.set(key, record);
  }

  /**
   * Writes one file, mode 0600: at every moment it is wholly what it was, or wholly the new one.
   * Returns its size in bytes.
   * @throws FileError with the cause; whatever `chunks` throws, and then nothing is left behind.
   */
  async write(name: string, chunks: AsyncIterable<string | Uint8Array>): Promise<number> {
    const path = join(this.directory, name);
    const temp = await attempt(path, async () => {
      await mkdir(dirname(path), { recursive: true, mode: 0o700 });
      await this.#clear(dirname(path));
      return createTempFile(path);
    });
    const fill = async (): Promise<number> => {
      let size = 0;
      for await (const piece of inChunks(chunks)) {
        await attempt(path, () => temp.file.writeFile(piece));
        size += piece.length;
      }
      await attempt(path, async () => {
        await temp.file.sync();
        await rename(temp.path, path);
      });
      return size;
    };
    return releaseAfter(
      fill,
      () => attempt(path, () => temp.file.close()),
      () => attempt(path, () => rm(temp.path, { force: true })),
    );
  }

  /** Takes away what an earlier export wrote under this key, and its record. */
  async remove(key: string): Promise<void> {
    for (const name of this.#records.get(key)?.outputs ?? []) {
      const path = join(this.directory, name);
      await attempt(path, () => rm(path, { force: true }), 'remove');
    }
    this.#records.delete(key);
  }

  /** Writes the index, for the next run. */
  async save(): Promise<void> {
    const records = Object.fromEntries(this.#records);
    const text = `${JSON.stringify({ indexVersion: INDEX_VERSION, records })}\n`;
    await this.write(this.#indexPath.slice(this.directory.length + 1), toChunks(text));
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

const CHUNK_BYTES = 64 * 1024;

/** A write for each small piece would take longer than making it. */
async function* inChunks(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    const bytes = Buffer.from(piece);
    held.push(bytes);
    size += bytes.length;
    if (size < CHUNK_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(held);
}

async function* toChunks(text: string): AsyncGenerator<string> {
  yield text;
}

async function attempt<T>(path: string, act: () => Promise<T>, what = 'write'): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw toFileError(error, path, what);
  }
}

async function readIndex(path: string): Promise<Map<string, ExportRecord>> {
  const records = new Map<string, ExportRecord>();
  if (!(await fileExists(path))) return records;
  const index = parseIndex(await attempt(path, () => readFile(path, 'utf8'), 'read'));
  if (!isObject(index) || index['indexVersion'] !== INDEX_VERSION) return records;
  for (const [key, value] of Object.entries(index['records'] ?? {})) {
    const { state, outputs, facts } = isObject(value) ? value : {};
    if (typeof state !== 'string' || !isArray(outputs) || !isObject(facts)) continue;
    const names = outputs.filter((name) => typeof name === 'string');
    records.set(key, { state, outputs: names, facts });
  }
  return records;
}

/** A damaged index is no index. */
function parseIndex(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
