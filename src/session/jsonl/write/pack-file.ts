import { createHash } from 'node:crypto';
import { closeSync, fstatSync, lstatSync, readSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { FileError } from '../../../errors.ts';
import { changedError, toFileError } from '../files/file-error.ts';
import { type FileStamp, isSameState } from '../files/identity/file-stamp.ts';
import { flush, syncDirectory } from '../files/flush.ts';
import { releaseAfter, undoAndThrow } from '../files/release-after.ts';
import { CHUNK_BYTES } from '../read/chunks/chunk-pool.ts';
import { findState, getStampSync } from '../files/sync-calls.ts';
import { openForReading } from '../read/open-for-reading.ts';
import { fileExists } from '../read/read-lines.ts';
import { readText } from '../read/text-source.ts';
import { withCompression, withoutCompression } from '../zstd/is-compressed.ts';
import { createPacker } from '../zstd/packing.ts';
import { createFile } from './create-file.ts';
import { removeName, requireMovable } from './set-aside.ts';
import { countBytes } from './count-bytes.ts';

export interface PackOptions {
  /** False to find out how large the other file would be, and to write nothing. */
  readonly apply: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Sizes of both files, in bytes. */
export interface Packing {
  readonly path: string;
  readonly bytesBefore: number;
  readonly bytesAfter: number;
}

/**
 * Puts a compressed file in the place of a plain one, of the same access and time of last change. It is
 * read back before the plain one goes: at every moment one of the two is there, whole. One that a
 * killed run has left, and that holds the same, is taken.
 * @throws FileError if a file cannot be read or written, changes meanwhile, or this Node has no zstd;
 * the plain one is then as it was.
 */
export function packFile(path: string, options: PackOptions): Promise<Packing> {
  return exchange(path, withCompression(path), { ...options, toChunks: pack });
}

/** The other way. @throws FileError as `packFile`, or if the compressed file is damaged. */
export function unpackFile(path: string, options: PackOptions): Promise<Packing> {
  return exchange(path, withoutCompression(path), { ...options, toChunks: unpack });
}

type ToChunks = (path: string, text: Text, signal?: AbortSignal) => AsyncIterable<Buffer>;

interface Exchange extends PackOptions {
  readonly toChunks: ToChunks;
}

async function exchange(
  path: string,
  to: string,
  { apply, signal, toChunks }: Exchange,
): Promise<Packing> {
  try {
    const { stamp, close } = openWhole(path);
    const make = async (): Promise<Packing> => {
      const text = new Text();
      const size = stamp.size;
      if (!apply) {
        const bytes = await countBytes(toChunks(path, text, signal));
        if (!(await fileExists(to))) return { path, bytesBefore: size, bytesAfter: bytes };
        if (!(await holdsSame(to, text, signal))) throw otherError(to);
        return { path, bytesBefore: size, bytesAfter: statSync(to).size };
      }
      for (const name of [path, to]) requireMovable(name);
      await makeOther({ path, stamp }, to, text, { apply, signal, toChunks });
      await removeName(path, () => findState(to) !== undefined);
      await syncDirectory(dirname(path));
      return { path: to, bytesBefore: size, bytesAfter: statSync(to).size };
    };
    return await releaseAfter(make, close);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw toFileError(error, path, 'replace');
  }
}

/**
 * Makes the other file, and reads it back. It is not left where the first one has changed meanwhile; where that is
 * gone, another run has taken the copy for its own, and it is the only one.
 */
async function makeOther(
  { path, stamp }: { readonly path: string; readonly stamp: FileStamp },
  to: string,
  text: Text,
  { signal, toChunks }: Exchange,
): Promise<void> {
  const isThere = await fileExists(to);
  if (isThere) await countBytes(unpack(path, text, signal));
  else {
    const { mtimeMs } = statSync(path);
    await createFile(to, toChunks(path, text, signal), {
      signal,
      like: path,
      isOwnedAlike: true,
      mtimeMs,
    });
  }
  try {
    if (await holdsSame(to, text, signal)) {
      // A file that was made just now is flushed; one that was there may be of a run that was killed before that.
      if (isThere) await flush([to]);
      if (findState(path) !== undefined) requireState(path, stamp);
      return;
    }
    const message = 'the compressed copy differs from it; left unchanged';
    throw isThere ? otherError(to) : new FileError(to, 'EIO', message);
  } catch (error) {
    if (isThere) throw error;
    await undoAndThrow(error, () => removeName(to, () => findState(path) !== undefined));
  }
}

function otherError(to: string): FileError {
  const message = 'there is another file beside it, which holds something else';
  return new FileError(to, 'EEXIST', message);
}

async function holdsSame(path: string, text: Text, signal?: AbortSignal): Promise<boolean> {
  const found = new Text();
  await countBytes(unpack(path, found, signal));
  return found.digest() === text.digest();
}

/** A hash of the text that passes through. */
class Text {
  readonly #hash = createHash('sha256');

  add(bytes: Buffer): void {
    this.#hash.update(bytes);
  }

  /** Returns the hash in hexadecimal; call this once. */
  digest(): string {
    return this.#hash.digest('hex');
  }
}

function openWhole(path: string): { readonly stamp: FileStamp; readonly close: () => void } {
  if (lstatSync(path).isSymbolicLink()) {
    throw new FileError(path, 'ELINK', 'is a symbolic link: name the file that it leads to');
  }
  const { fd, stamp } = openForReading(path);
  return { stamp, close: () => closeSync(fd) };
}

function requireState(path: string, stamp: FileStamp): void {
  if (isSameState(getStampSync(path), stamp)) return;
  throw changedError(path);
}

async function* pack(path: string, text: Text, signal?: AbortSignal): AsyncGenerator<Buffer> {
  const { fd, stamp } = openForReading(path);
  try {
    const packer = createPacker(stamp.size);
    if (!packer) throw new FileError(path, 'ENOTSUP', 'cannot compress: this Node has no zstd');
    const source = Readable.from(readPieces(fd, stamp.size, text), { objectMode: false });
    source.on('error', (error) => packer.destroy(error));
    source.pipe(packer);
    try {
      for await (const chunk of packer) {
        signal?.throwIfAborted();
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a stream of bytes
        yield chunk as Buffer;
      }
    } finally {
      source.destroy();
      packer.destroy();
    }
    if (fstatSync(fd).size !== stamp.size) requireState(path, stamp);
  } finally {
    closeSync(fd);
  }
}

/**
 * The bytes of one chunk of a file, each in memory of its own, since the compressor still reads it
 * later.
 */
function* readPieces(fd: number, size: number, text: Text): Generator<Buffer> {
  for (let at = 0; at < size;) {
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - at));
    const count = readSync(fd, chunk, 0, chunk.length, at);
    if (count === 0) return;
    at += count;
    const bytes = chunk.subarray(0, count);
    text.add(bytes);
    yield bytes;
  }
}

async function* unpack(path: string, text: Text, signal?: AbortSignal): AsyncGenerator<Buffer> {
  for await (const bytes of readText(path, signal)) {
    text.add(bytes);
    yield bytes;
  }
}
