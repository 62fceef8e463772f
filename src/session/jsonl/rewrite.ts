import { createHash } from 'node:crypto';
import { type FileHandle, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { FileError } from '../../errors.ts';
import { type Line, LineSplitter } from './line-splitter.ts';
import type { FileStamp } from './read-lines.ts';

/**
 * What stands in place of a line: bytes to be written one after another, LFs included; none to take
 * the line out; undefined to keep it as it is.
 */
export type LineTransform = (line: Line) => readonly Buffer[] | undefined;

export interface RewriteOptions {
  /** The state in which the file was planned; a file in any other state is left alone. */
  readonly planned: FileStamp;
  readonly signal?: AbortSignal | undefined;
  /** Called before transformed lines become the file, and again for lines that came late. */
  readonly beforeCommit?: (() => Promise<void>) | undefined;
  /** Called once the new file has the name; what it refers to must stay from then on. */
  readonly onCommit?: (() => void) | undefined;
}

const LF = Buffer.from('\n');
const CHUNK_BYTES = 256 * 1024;
/** How often a file that grows while it is rewritten is caught up with before giving up. */
const MAX_ROUNDS = 20;
/** A file written this recently may have a writer that opened it just before the rename. */
const RECENT_MS = 10 * 60 * 1000;
const LINGER_MS = 50;

/** Streams a source file through a transform into a new file that then takes its name. */
export class Rewrite {
  readonly #target: string;
  readonly #source: FileHandle;
  readonly #temp: FileHandle;
  readonly #options: RewriteOptions;
  readonly #splitter: LineSplitter;
  readonly #hash = createHash('sha256');
  readonly #buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  #output: Buffer[] = [];
  bytesRead = 0;
  bytesWritten = 0;
  /** Whether the transform changed any line. */
  changed = false;
  /** Whether the new file has the old one's name. */
  committed = false;

  constructor(
    target: string,
    source: FileHandle,
    temp: FileHandle,
    transform: LineTransform,
    options: RewriteOptions,
  ) {
    this.#target = target;
    this.#source = source;
    this.#temp = temp;
    this.#options = options;
    this.#splitter = new LineSplitter((line) => this.#put(line, transform(line)));
  }

  /** Writes everything there is, and whatever is appended until the source stands still. */
  async write(): Promise<void> {
    const before = await this.#source.stat();
    if (!isSameState(before, this.#options.planned))
      throw this.#conflict('changed since it was read');
    await this.#readOn();
    this.#splitter.end();
    await this.#flush();
    if (!this.changed) return;
    await this.#keepOwner(before);
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      await this.#options.beforeCommit?.();
      const now = await this.#source.stat();
      await this.#temp.utimes(now.atime, now.mtime);
      await this.#temp.sync();
      if (await this.#isCaughtUp()) return;
      await this.#readOn();
    }
    throw this.#conflict('is being written to all the time');
  }

  /** Lets the new file take the name of the old one. */
  async commit(temp: string): Promise<void> {
    await rename(temp, this.#target);
    this.committed = true;
    this.#options.onCommit?.();
    await syncDirectory(dirname(this.#target));
  }

  /** Lines that reached the old file between the last check and the rename. */
  async carryOver(): Promise<void> {
    const [{ mtimeMs }, { ctimeMs }] = [await this.#source.stat(), await this.#temp.stat()];
    if (ctimeMs - mtimeMs < RECENT_MS) await setTimeout(LINGER_MS);
    for (;;) {
      const { size } = await this.#source.stat();
      if (size === this.bytesRead) return;
      if (size < this.bytesRead) throw this.#conflict('was cut short while it was replaced');
      await this.#readOn();
      await this.#options.beforeCommit?.();
      await this.#temp.sync();
    }
  }

  async #readOn(): Promise<void> {
    for (;;) {
      this.#options.signal?.throwIfAborted();
      const { bytesRead } = await this.#source.read(this.#buffer, 0, CHUNK_BYTES, this.bytesRead);
      if (bytesRead === 0) return;
      const chunk = this.#buffer.subarray(0, bytesRead);
      this.bytesRead += bytesRead;
      this.#hash.update(chunk);
      this.#splitter.push(chunk);
      await this.#flush();
    }
  }

  #put(line: Line, replacement: readonly Buffer[] | undefined): void {
    if (line.oversized) throw this.#conflict(`has a line too long to copy: line ${line.number}`);
    if (replacement) this.changed = true;
    const kept = line.terminated ? [line.bytes, LF] : [line.bytes];
    for (const bytes of replacement ?? kept) this.#output.push(bytes);
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#output);
    this.#output = [];
    await this.#temp.appendFile(bytes);
    this.bytesWritten += bytes.length;
  }

  async #keepOwner(source: { mode: number; uid: number; gid: number }): Promise<void> {
    const temp = await this.#temp.stat();
    if (temp.uid !== source.uid || temp.gid !== source.gid) {
      await this.#temp.chown(source.uid, source.gid);
    }
    await this.#temp.chmod(source.mode & 0o7777);
  }

  /** True when the name still leads to the file that was read, and all of it has been read. */
  async #isCaughtUp(): Promise<boolean> {
    const named = await stat(this.#target);
    const { planned } = this.#options;
    if (isSameState(named, planned) && this.bytesRead === planned.size) return true;
    if (named.dev !== planned.dev || named.ino !== planned.ino) {
      throw this.#conflict('was replaced by another program');
    }
    if (named.size < this.bytesRead || !(await this.#isPrefixUnchanged())) {
      throw this.#conflict('was rewritten by another program');
    }
    return named.size === this.bytesRead;
  }

  async #isPrefixUnchanged(): Promise<boolean> {
    const hash = createHash('sha256');
    for (let at = 0; at < this.bytesRead;) {
      const length = Math.min(CHUNK_BYTES, this.bytesRead - at);
      const { bytesRead } = await this.#source.read(this.#buffer, 0, length, at);
      if (bytesRead === 0) return false;
      hash.update(this.#buffer.subarray(0, bytesRead));
      at += bytesRead;
    }
    return hash.digest('hex') === this.#hash.copy().digest('hex');
  }

  #conflict(what: string): FileError {
    return new FileError(this.#target, 'ECHANGED', `${what}: left as it is`);
  }
}

/** Whether a file is still the one that was planned for. */
export function isSameState(
  a: Pick<FileStamp, 'dev' | 'ino' | 'size' | 'mtimeMs'>,
  b: FileStamp,
): boolean {
  return a.dev === b.dev && a.ino === b.ino && a.size === b.size && a.mtimeMs === b.mtimeMs;
}

/** Makes a rename or a new name in a directory survive a power cut. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r');
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
