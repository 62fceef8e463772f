import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { FileError } from '../../../errors.ts';

/** How much of a file is read between two looks at the memory. */
const BYTES_PER_LOOK = 4 * 1024 * 1024;

/**
 * The parts of the heap that may be taken: when all lines of a file are read, its tree, its path and what rules keep
 * take up to twice as much again, measured on 1,000,000 and more; when the bodies of entries are read, all of that is
 * there.
 */
const MOST = { lines: 0.33, bodies: 0.75 } as const;

/** The most that young objects have of the heap, in bytes (Node 24): what is kept may not lie there. */
const MAX_YOUNG = 192 * 1024 * 1024;

/** The use at which garbage is collected, to see what is left: less says nothing new. In bytes, on each thread. */
let lookFrom = 0;

/**
 * Watches the memory of this thread while a file is read. V8 ends the whole process when its heap is full: a session
 * with too many entries fails before that, and the run continues with the others.
 */
export class MemoryWatch {
  readonly #path: string;
  readonly #most: number;
  #bytes = 0;

  constructor(path: string, reads: keyof typeof MOST) {
    this.#path = path;
    this.#most = MOST[reads];
  }

  /** Counts a read, and looks at the memory from time to time. @throws FileError `ENOMEM` */
  add(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes < BYTES_PER_LOOK) return;
    this.#bytes = 0;
    const { used_heap_size: used, heap_size_limit: limit } = getHeapStatistics();
    const room = Math.max(limit - MAX_YOUNG, 0.3 * limit);
    const most = this.#most * room;
    if (used < Math.max(most, lookFrom)) return;
    const live = collectGarbage();
    lookFrom = live + (room - live) / 4;
    if (live > most) throw new FileError(this.#path, 'ENOMEM', describeShortage(limit));
  }
}

/** Returns the bytes that are left. */
function collectGarbage(): number {
  // Node offers no other way; and threads start slowly while a flag is not as usual.
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  setFlagsFromString('--no-expose-gc');
  return getHeapStatistics().used_heap_size;
}

function describeShortage(limit: number): string {
  const mebibytes = Math.ceil(limit / 1024 / 1024);
  return (
    `has too many entries for the memory of Node, ${mebibytes} MiB; ` +
    `to use more, set NODE_OPTIONS=--max-old-space-size=${2 * mebibytes}`
  );
}
