import { closeSync, readSync } from 'node:fs';
import { type FileStamp, isSameState } from '../../session/jsonl/files/identity/file-stamp.ts';
import { throwIfBug } from '../../session/jsonl/files/file-error.ts';
import { giveBackChunk, takeChunk } from '../../session/jsonl/read/chunks/chunk-pool.ts';
import { type Line, LineSplitter } from '../../session/jsonl/read/line-splitter.ts';
import { openForReading, type OpenFile } from '../../session/jsonl/read/open-for-reading.ts';
import { countLeading } from '../../session/model/count-leading.ts';
import { readStartOfBlock } from './index-block.ts';
import { addTo } from '../../session/model/tree/group-by.ts';

/** The place of a block without its LF, and the name of its first file. */
export interface Place {
  readonly offset: number;
  /** Bytes. */
  readonly length: number;
  readonly first: string;
}

/**
 * The file of an index: a line for the version, and then blocks. Only their places are kept in memory: an index
 * of 100,000 sessions has 60 MB. A file that cannot be read, was not written in whole, or is of another version has no
 * blocks.
 */
export class BlockFile {
  readonly #path: string;
  readonly #stamp: FileStamp | undefined;
  readonly #places = new Map<string, Place[]>();
  /** Memory for one block, used again for the next. */
  #memory = Buffer.alloc(0);

  /** `head`: the line of the version. */
  constructor(path: string, head: string) {
    this.#path = path;
    this.#stamp = useFile(path, (file) => {
      if (this.#findBlocks(file, head)) return file.stamp;
      this.#places.clear();
      return undefined;
    });
  }

  /** When it was written, in milliseconds; 0 if it has no blocks. */
  get writtenAt(): number {
    return this.#stamp?.mtimeMs ?? 0;
  }

  get directories(): Iterable<string> {
    return this.#places.keys();
  }

  /** Lists the blocks of a directory in their order. */
  list(directory: string): readonly Place[] {
    return this.#places.get(directory) ?? [];
  }

  /** The bytes of a block until the next is read; none if the file has been replaced since, or cannot be read. */
  read({ offset, length }: Place): Buffer {
    const bytes = useFile(this.#path, ({ fd, stamp }) => {
      if (!this.#stamp || !isSameState(stamp, this.#stamp)) return undefined;
      if (this.#memory.length < length) this.#memory = Buffer.allocUnsafeSlow(2 * length);
      return this.#memory.subarray(0, readSync(fd, this.#memory, 0, length, offset));
    });
    return bytes?.length === length ? bytes : Buffer.alloc(0);
  }

  /** Returns whether the file has that head, and an LF at its end. */
  #findBlocks({ fd, stamp }: OpenFile, head: string): boolean {
    let isOfThisVersion = false;
    const splitter = new LineSplitter((line) => {
      if (line.number === 1) isOfThisVersion = line.bytes.toString('latin1') === head;
      else if (line.terminated) this.#add(line);
    });
    const chunk = takeChunk();
    try {
      for (let at = 0; at < stamp.size;) {
        const count = readSync(fd, chunk, 0, chunk.length, at);
        splitter.push(chunk.subarray(0, count));
        at += count;
        if (count === 0 || !isOfThisVersion) return false;
      }
    } finally {
      giveBackChunk(chunk);
    }
    return !splitter.end();
  }

  #add({ bytes, offset, length }: Line): void {
    const begin = readStartOfBlock(bytes, 0);
    if (begin) addTo(this.#places, begin.directory, { offset, length, first: begin.first });
  }
}

/** Lets `use` read a file; undefined where it cannot be read: an index is only ever a cache. */
function useFile<T>(path: string, use: (file: OpenFile) => T): T | undefined {
  try {
    const file = openForReading(path);
    try {
      return use(file);
    } finally {
      closeSync(file.fd);
    }
  } catch (error) {
    throwIfBug(error);
    return undefined;
  }
}

/** Finds the last block that begins at a name or before it. */
export function findPlace(places: readonly Place[], name: string): Place | undefined {
  return places[countLeading(places, ({ first }) => first <= name) - 1];
}
