import { createHash } from 'node:crypto';
import { closeSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeDirectories } from '../../session/jsonl/files/make-directories.ts';
import { flushDescriptor } from '../../session/jsonl/files/flush.ts';
import type { FileStamp } from '../../session/jsonl/files/identity/file-stamp.ts';
import { OutputBuffer } from '../../session/jsonl/write/output-buffer.ts';
import { releaseAfter } from '../../session/jsonl/files/release-after.ts';
import { getStampSync, writeAllSync } from '../../session/jsonl/files/sync-calls.ts';
import { renameFileSync } from '../../session/jsonl/files/system.ts';
import { takeTurn } from '../../session/jsonl/read/chunks/take-turn.ts';
import { createCleaner, createTempFileSync } from '../../session/jsonl/files/temp-file.ts';
import { attempt, attemptSync } from '../files/attempt.ts';
import { inDirectoryBelow } from './hold-directory.ts';

type Chunk = string | Uint8Array;
type Chunks = AsyncIterable<Chunk> | Iterable<Chunk>;

/** A file of the directory as it was written. */
export interface WrittenFile {
  /** Relative to the directory. */
  readonly name: string;
  /** The size in bytes. */
  readonly size: number;
  readonly sha256: string;
  /** A text that differs between two files of one name and size. */
  readonly stamp: string;
}

/** The directory for the files that a run makes of sessions. */
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
   * Nothing is written through a link that is in the directory.
   * @throws FileError with the cause; whatever `chunks` throws, and then nothing is left behind.
   */
  async write(name: string, chunks: Chunks): Promise<WrittenFile> {
    const path = join(this.directory, name);
    attemptSync(path, () => makeDirectories(this.directory));
    const write = (home: string) => this.#writeIn(join(home, basename(path)), path, name, chunks);
    return inDirectoryBelow(this.directory, dirname(path), write, makePrivate);
  }

  /** `path` is that of the file in messages; `held` leads to its directory, whatever happens to that. */
  async #writeIn(held: string, path: string, name: string, chunks: Chunks): Promise<WrittenFile> {
    await attempt(path, () => this.#clear(dirname(path)));
    // A call through Node's pool of threads takes longer than all of these, but for a flush.
    const temp = attemptSync(path, () => createTempFileSync(held));
    const hash = createHash('sha256');
    const output = new OutputBuffer((bytes) => {
      hash.update(bytes);
      attemptSync(path, () => writeAllSync(temp.fd, bytes));
    });
    let isRenamed = false;
    const fill = async (): Promise<WrittenFile> => {
      for await (const piece of chunks) {
        const before = output.written;
        output.add(piece);
        if (output.written > before) await takeTurn(output.written - before, undefined);
      }
      output.flush();
      await attempt(path, () => flushDescriptor(temp.fd));
      return attemptSync(path, () => {
        renameFileSync(temp.path, held);
        isRenamed = true;
        // The state is taken after the rename, which changes the ctime.
        const stamp = describeStamp(getStampSync(temp.fd));
        return { name, size: output.written, sha256: hash.digest('hex'), stamp };
      });
    };
    return releaseAfter(
      fill,
      () => output.close(),
      () => attemptSync(path, () => closeSync(temp.fd)),
      () => {
        if (!isRenamed) attemptSync(path, () => rmSync(temp.path, { force: true }));
      },
    );
  }
}

async function makePrivate(path: string, shown: string): Promise<void> {
  attemptSync(shown, () => makeDirectories(path));
}

/**
 * Describes the state of a file for a record, without the device, whose number may be another one after each start of
 * the system.
 */
export function describeStamp({ mtimeMs, ctimeMs, ino }: FileStamp): string {
  return `${mtimeMs} ${ctimeMs} ${ino}`;
}
