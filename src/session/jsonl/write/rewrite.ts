import { createHash, type Hash } from 'node:crypto';
import { fsync, futimesSync, readSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { FileError } from '../../../errors.ts';
import { giveBackChunk, takeChunkToRead } from '../read/chunks/chunk-pool.ts';
import type { Flushed } from '../files/flush.ts';
import {
  actAsPlanned,
  CLOCK_TICK_MS,
  type FileStamp,
  isSameState,
  toUtime,
} from '../files/identity/file-stamp.ts';
import { keepAccess, type NewFile } from '../files/keep-access.ts';
import type { OldFile } from '../files/old-file.ts';
import { type Line, LineSplitter } from '../read/line-splitter.ts';
import { measureLine } from '../read/measure-line.ts';
import { findCopyFault, type LinePart, type LineTransform, putLine } from './line-transform.ts';
import { OutputBuffer } from './output-buffer.ts';
import { getFactsSync, getStampSync, writeAllSync } from '../files/sync-calls.ts';
import { WAITS } from '../files/system.ts';
import { takeTurn } from '../read/chunks/take-turn.ts';

export interface RewriteOptions {
  /** The state in which the file was planned; a file in any other state is left unchanged. */
  readonly planned: FileStamp;
  readonly signal?: AbortSignal | undefined;
  /**
   * Is called before transformed lines become the file, and again for lines that came late. Until the first
   * call has returned nothing has happened to the file: it may throw to leave it alone. Returns the files
   * that are needed beside the new one, or hold what is no longer in it.
   */
  readonly beforeCommit?: (() => Promise<Flushed>) | undefined;
  /** Is called once the new file has the name; what it refers to must be kept from then on. */
  readonly onCommit?: (() => void) | undefined;
}

const LF = 0x0a;
/** How often a file that grows while it is rewritten is caught up with before giving up. */
const MAX_ROUNDS = 20;
/** A file written this recently may have a writer that opened it just before the rename. */
const RECENT_MS = 10 * 60 * 1000;
const LINGER_MS = 100;

/**
 * Streams a source file through a transform into a new file that then takes its name.
 *
 * Only what waits for the disk goes through the thread pool: for all other calls, the way there and
 * back costs more than what they do.
 */
export class Rewrite {
  readonly #target: string;
  readonly #source: OldFile;
  readonly #temp: NewFile;
  readonly #options: RewriteOptions;
  readonly #splitter: LineSplitter;
  /**
   * A hash of the bytes that were read; only if it is likely to be needed, since it takes as long
   * as the copying.
   */
  #hash: Hash | undefined;
  /** A hash of the source at the time of the plan: only appended lines may follow. */
  #plannedDigest = '';
  readonly #chunk = takeChunkToRead();
  readonly #output: OutputBuffer;
  /** The end of the last line that was written may still be to come. */
  #isOpenEnded = false;
  /** The state of the source at the time of the plan, but for names that it was given since. */
  #state: FileStamp;
  /** Whether a change since the reading began shows in the times of the source. */
  #isTimeDistinct = false;
  /** Whether no one has written to it for long: a process that begins now makes this give up. */
  #isAtRest = true;
  bytesRead = 0;
  /** Whether the transform changed any line. */
  changed = false;
  /** Whether the old file keeps another name. */
  hasOtherName = false;
  /** Whether fewer may read the new file than the old one. */
  isNarrowed = false;
  /** Whether the new file has the old one's name. */
  committed = false;

  /** `source` and `temp` remain open. */
  constructor(
    target: string,
    source: OldFile,
    temp: NewFile,
    transform: LineTransform,
    options: RewriteOptions,
  ) {
    this.#target = target;
    this.#source = source;
    this.#temp = temp;
    this.#options = options;
    this.#state = options.planned;
    this.#output = new OutputBuffer((bytes) => writeAllSync(temp.fd, bytes));
    this.#splitter = new LineSplitter((line) => this.#put(line, this.#transform(line, transform)), {
      measure: (most) => measureLine(this.#source.fd, this.bytesRead, most),
    });
  }

  /** Writes everything there is, and whatever is appended until the source stands still. */
  async write(): Promise<void> {
    this.#options.signal?.throwIfAborted();
    this.#isTimeDistinct = this.#since(this.#state.ctimeMs) > CLOCK_TICK_MS;
    this.#isAtRest = !this.#isRecent(this.#state);
    if (!this.#isTimeDistinct || !this.#isAtRest) {
      this.#hash = createHash('sha256');
      this.#plannedDigest = await this.#digestPlanned();
    }
    const source = getFactsSync(this.#source.fd);
    if (!isSameState(source, this.#state)) throw this.#conflict('changed since it was read');
    this.hasOtherName = source.links > 1;
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await this.#readOn();
      if (!this.changed) return;
      await this.#prepareCommit();
      this.#keepAttributes();
      await syncDescriptor(this.#temp.fd);
      if (await this.#isCaughtUp()) return;
      // The bytes that were taken for a line are a part of one.
      if (this.#isOpenEnded) break;
    }
    throw this.#conflict('is being written to');
  }

  /** Lets the new file take the name of the old one; waits a little for a program that has it open. */
  async commit(): Promise<void> {
    const waits = WAITS.values();
    while (!this.#source.replaceBy(this.#temp.path)) {
      const wait = waits.next().value;
      if (wait === undefined) throw this.#conflict('is held open by another program');
      await setTimeout(wait);
      if (!(await this.#isCaughtUp())) throw this.#conflict('is being written to');
    }
    this.committed = true;
    this.#options.onCommit?.();
  }

  /**
   * Lines that reached the old file between the last check and the rename. From here on nothing
   * stops before they are written: they are nowhere else.
   */
  async carryOver(): Promise<void> {
    if (!this.#source.isReadable) return;
    if (this.#isRecent(getStampSync(this.#source.fd))) await setTimeout(LINGER_MS);
    for (;;) {
      const { size } = getStampSync(this.#source.fd);
      if (size === this.bytesRead) return;
      if (size < this.bytesRead) throw this.#conflict('was cut short while it was replaced');
      await this.#readOn();
      await this.#options.beforeCommit?.();
      await syncDescriptor(this.#temp.fd);
    }
  }

  /** Closes the output and gives the chunk back; call this once, when nothing else is called. */
  close(): void {
    this.#output.close();
    giveBackChunk(this.#chunk);
  }

  get bytesWritten(): number {
    return this.#output.written;
  }

  /** Writes everything there is to read. */
  async #readOn(): Promise<void> {
    const signal = this.committed ? undefined : this.#options.signal;
    for (let chunk = this.#read(); chunk.length > 0; chunk = this.#read()) {
      this.#hash?.update(chunk);
      this.#splitter.push(this.#isOpenEnded ? this.#endLine(chunk) : chunk);
      await takeTurn(chunk.length, signal);
    }
    if (this.#splitter.end()) this.#isOpenEnded = true;
    this.#output.flush();
  }

  #read(): Buffer {
    const count = readSync(this.#source.fd, this.#chunk, 0, this.#chunk.length, this.bytesRead);
    this.bytesRead += count;
    return this.#chunk.subarray(0, count);
  }

  /** The rest of a line whose beginning is written already: as it is. What is behind it. */
  #endLine(chunk: Buffer): Buffer {
    const lf = chunk.indexOf(LF);
    const end = lf === -1 ? chunk.length : lf + 1;
    this.#output.add(chunk.subarray(0, end));
    this.#isOpenEnded = lf === -1;
    return chunk.subarray(end);
  }

  #transform(line: Line, transform: LineTransform): Iterable<LinePart> | undefined {
    return actAsPlanned(
      () => transform(line),
      () => isSameState(getStampSync(this.#source.fd), this.#state),
      () => this.#conflict('was rewritten meanwhile'),
    );
  }

  #put(line: Line, replacement: Iterable<LinePart> | undefined): void {
    const fault = findCopyFault(line);
    if (fault !== undefined) throw this.#conflict(fault);
    if (replacement) this.changed = true;
    putLine(this.#output, line, replacement);
  }

  /** A backup is a second name of the file, which changes its ctime, and nothing else. */
  async #prepareCommit(): Promise<void> {
    const before = getFactsSync(this.#source.fd);
    this.#source.prepare();
    await this.#options.beforeCommit?.();
    const after = getFactsSync(this.#source.fd);
    if (after.links > before.links && isSameState(before, this.#state)) {
      this.#state = { ...this.#state, ctimeMs: after.ctimeMs };
    }
  }

  #isRecent({ mtimeMs }: Pick<FileStamp, 'mtimeMs'>): boolean {
    return this.#since(mtimeMs) < RECENT_MS;
  }

  /** How long ago that was, in milliseconds, by the clock of the disk. */
  #since(timeMs: number): number {
    return getStampSync(this.#temp.fd).ctimeMs - timeMs;
  }

  #keepAttributes(): void {
    const source = getFactsSync(this.#source.fd);
    this.isNarrowed = !keepAccess(this.#target, source, this.#temp);
    futimesSync(this.#temp.fd, toUtime(source.atimeMs), toUtime(source.mtimeMs));
  }

  /**
   * Whether the name still leads to the file that was read, and all of it has been read. Reading
   * the state of the name is the last call: another file that is put there later is not seen.
   */
  async #isCaughtUp(): Promise<boolean> {
    const found = this.#statTarget();
    const isSame = this.bytesRead === found.size && isSameState(found, this.#state);
    if (isSame && this.#isTimeDistinct) return true;
    if (!this.#hash || (!isSame && this.#isAtRest)) throw this.#conflict('is being written to');
    if (found.size < this.bytesRead || !(await this.#beginsAsRead(this.#hash))) {
      throw this.#conflict('was rewritten by another program');
    }
    return found.size === this.bytesRead && isSameState(this.#statTarget(), found);
  }

  #statTarget(): FileStamp {
    const named = getStampSync(this.#target);
    const { dev, ino } = this.#state;
    if (named.dev === dev && named.ino === ino) return named;
    throw this.#conflict('was replaced by another program');
  }

  /** Returns whether the file begins with all that was read, and that with all that was planned. */
  async #beginsAsRead(read: Hash): Promise<boolean> {
    const hash = createHash('sha256');
    await this.#addTo(hash, 0, this.#state.size);
    if (hash.copy().digest('hex') !== this.#plannedDigest) return false;
    await this.#addTo(hash, this.#state.size, this.bytesRead);
    return hash.digest('hex') === read.copy().digest('hex');
  }

  async #digestPlanned(): Promise<string> {
    const hash = createHash('sha256');
    await this.#addTo(hash, 0, this.#state.size);
    return hash.digest('hex');
  }

  /** Adds the bytes of the source from `start` to `end`, or to where it ends, to a hash. */
  async #addTo(hash: Hash, start: number, end: number): Promise<void> {
    for (let at = start; at < end;) {
      const length = Math.min(this.#chunk.length, end - at);
      const count = readSync(this.#source.fd, this.#chunk, 0, length, at);
      if (count === 0) return;
      hash.update(this.#chunk.subarray(0, count));
      at += count;
      await takeTurn(count, this.#options.signal);
    }
  }

  #conflict(what: string): FileError {
    return new FileError(this.#target, 'ECHANGED', `${what}; left unchanged`);
  }
}

const syncDescriptor = promisify(fsync);
