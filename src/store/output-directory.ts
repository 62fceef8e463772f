import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { toFileError } from '../session/jsonl/file-error.ts';
import { releaseAfter } from '../session/jsonl/release-after.ts';
import { createCleaner, createTempFile } from '../session/jsonl/temp-file.ts';
import { refuseLink } from './refuse-link.ts';

type Chunk = string | Uint8Array;
type Chunks = AsyncIterable<Chunk> | Iterable<Chunk>;

const CHUNK_BYTES = 64 * 1024;

/** Where a run puts what it makes of sessions. */
export class OutputDirectory {
  readonly directory: string;
  /** Takes away what runs that were killed have left in a directory. */
  readonly #clear: (directory: string) => Promise<void>;

  /** `now` in milliseconds. */
  constructor(directory: string, now: number) {
    this.directory = directory;
    this.#clear = createCleaner(now);
  }

  /**
   * Writes one file, mode 0600: at every moment it is wholly what it was, or wholly the new one.
   * Returns its size in bytes. Nothing is written through a link that lies in the directory.
   * @throws FileError with the cause; whatever `chunks` throws, and then nothing is left behind.
   */
  async write(name: string, chunks: Chunks): Promise<number> {
    const path = join(this.directory, name);
    const temp = await attempt(path, async () => {
      await refuseLink(this.directory, dirname(path));
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
}

/** Does what may fail for reasons of the file system. @throws FileError */
export async function attempt<T>(path: string, act: () => Promise<T>, what = 'write'): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw toFileError(error, path, what);
  }
}

/** A write for each small piece would take longer than making it. */
async function* inChunks(pieces: Chunks): AsyncGenerator<Buffer> {
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
