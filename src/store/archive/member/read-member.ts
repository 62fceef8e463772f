import { createHash, hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { FileError } from '../../../errors.ts';
import { parseJson } from '../../../session/jsonl/edit/json.ts';
import { orFileError, toFileError } from '../../../session/jsonl/files/file-error.ts';
import { openForReading } from '../../../session/jsonl/read/open-for-reading.ts';
import { ROWS_NAME } from '../../database/stored-rows.ts';
import { isGone } from '../../files/stat-file.ts';
import { ByteReader } from '../byte-reader.ts';
import {
  checkManifest,
  listNamesOfState,
  type Manifest,
  MANIFEST_NAME,
  type ManifestFile,
} from './manifest.ts';
import { readTarHeader, skipTarPadding, TAR_END } from '../tar.ts';

/** Room for the description of some 50,000 files beside a session. */
export const MAX_MANIFEST_BYTES = 16 * 1024 * 1024;

/** Sees one file of a member; must take every chunk. What it took counts only once all is read. */
export type FileVisitor = (file: ManifestFile, chunks: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Reads a member from front to back, and compares size and SHA-256 of every file with what the
 * member says of itself. Nothing is unpacked beyond the sizes that it declares up front, so that a
 * file which inflates without end is stopped where it begins to lie.
 * @throws FileError when it cannot be read or anything is not as it says.
 */
export async function readMember(path: string, visit: FileVisitor): Promise<Manifest> {
  return withReader(path, async (reader) => {
    const manifest = await readFirst(reader, path);
    await readRowsOf(manifest, reader, path);
    for (const file of manifest.files) {
      const header = await readTarHeader(reader, path);
      if (header?.path !== file.name || header.size !== file.size) throw damaged(path, file.name);
      const check = new Check(file, path);
      await visit(file, check.watch(reader.stream(file.size)));
      check.finish();
      await skipTarPadding(reader, file.size);
    }
    await requireEnd(reader, path);
    return manifest;
  });
}

/** Two blocks of zeros, and nothing behind them: only then has gzip compared its own sum. */
async function requireEnd(reader: ByteReader, path: string): Promise<void> {
  const end = await reader.take(TAR_END.length + 1);
  if (!end.equals(TAR_END)) throw damaged(path, 'data after the last file');
}

/** Takes every chunk of a file, and does nothing with it. */
export const readToEnd: FileVisitor = async (_file, chunks) => {
  const iterator = chunks[Symbol.asyncIterator]();
  while (!(await iterator.next()).done);
};

/** Checks that every byte of a member can be had back. */
export async function verifyMember(path: string): Promise<Manifest> {
  return readMember(path, readToEnd);
}

/** Returns whether every byte of a member can be had back. */
export async function isSound(path: string): Promise<boolean> {
  return !((await orFileError(() => verifyMember(path))) instanceof FileError);
}

/** Reads the description of a member from its first bytes. */
export async function readManifest(path: string): Promise<Manifest> {
  return withReader(path, (reader) => readFirst(reader, path));
}

/**
 * Finds the path of a sound member that holds a state. Two archives that somebody has joined may have it under the names
 * of two kinds, one of which is damaged; where all are, the first.
 */
export async function findSound(directory: string, member: string): Promise<string> {
  const first = join(directory, member);
  const others = listNamesOfState(member).map((name) => join(directory, name));
  if (others.every(isGone)) return first;
  for (const path of [first, ...others]) if (await isSound(path)) return path;
  return first;
}

/** The rows of the session in databases of its agent; undefined where it has none. */
export async function readRows(path: string): Promise<Buffer | undefined> {
  return withReader(path, async (reader) =>
    readRowsOf(await readFirst(reader, path), reader, path),
  );
}

async function readRowsOf(
  { rows }: Manifest,
  reader: ByteReader,
  path: string,
): Promise<Buffer | undefined> {
  if (!rows) return undefined;
  const header = await readTarHeader(reader, path);
  if (header?.path !== ROWS_NAME || header.size !== rows.size) throw damaged(path, ROWS_NAME);
  const bytes = await reader.take(rows.size);
  if (bytes.length !== rows.size || hash('sha256', bytes) !== rows.sha256)
    throw damaged(path, ROWS_NAME);
  await skipTarPadding(reader, rows.size);
  return bytes;
}

class Check {
  readonly #file: ManifestFile;
  readonly #from: string;
  readonly #hash = createHash('sha256');
  #bytes = 0;

  constructor(file: ManifestFile, from: string) {
    this.#file = file;
    this.#from = from;
  }

  async *watch(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.#bytes += chunk.length;
      this.#hash.update(chunk);
      yield chunk;
    }
    // This is compared before the visitor learns that this was all.
    this.#compare();
  }

  finish(): void {
    if (this.#bytes !== this.#file.size) throw damaged(this.#from, this.#file.name);
  }

  #compare(): void {
    this.finish();
    if (this.#hash.digest('hex') !== this.#file.sha256) throw damaged(this.#from, this.#file.name);
  }
}

async function readFirst(reader: ByteReader, path: string): Promise<Manifest> {
  const header = await readTarHeader(reader, path);
  if (header?.path !== MANIFEST_NAME || header.size > MAX_MANIFEST_BYTES) {
    throw new FileError(path, 'EARCHIVE', 'is not a member of an archive of coppice');
  }
  const text = (await reader.take(header.size)).toString('utf8');
  await skipTarPadding(reader, header.size);
  return checkManifest(parseJson(text), path);
}

function damaged(path: string, name: string): FileError {
  return new FileError(path, 'EARCHIVE', `is damaged: ${name} is not what was archived`);
}

async function withReader<T>(path: string, read: (reader: ByteReader) => Promise<T>): Promise<T> {
  const { fd } = openForReading(path);
  const source = createReadStream(path, { fd });
  const gunzip = createGunzip();
  // An error of either stream comes out of the iteration below.
  pipeline(source, gunzip, () => undefined);
  try {
    return await read(new ByteReader(gunzip));
  } catch (error) {
    if (isZlibError(error)) {
      throw new FileError(path, 'EARCHIVE', 'is damaged: no whole gzip file', { cause: error });
    }
    throw toFileError(error, path, 'read');
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

function isZlibError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    /^Z_|^ERR_STREAM_PREMATURE_CLOSE$/.test(error.code)
  );
}
