// @ts-check
import { closeSync, openSync, utimesSync, writeSync } from 'node:fs';

/** Room for the longest line three times over (a UTF-16 unit takes at most three bytes). */
const BUFFER_SIZE = 8 * 1024 * 1024;
const buffer = Buffer.allocUnsafe(BUFFER_SIZE);

/** A JSONL file being written; one at a time, since all share one buffer. */
export class LineFile {
  #path;
  #fd;
  #used = 0;
  bytes = 0;
  lines = 0;

  /** @param {string} path must not exist yet */
  constructor(path) {
    this.#path = path;
    this.#fd = openSync(path, 'wx', 0o600);
  }

  /** @param {object} value */
  write(value) {
    const line = `${JSON.stringify(value)}\n`;
    if (line.length * 3 > BUFFER_SIZE - this.#used) this.#flush();
    const written = buffer.write(line, this.#used);
    this.#used += written;
    this.bytes += written;
    this.lines += 1;
  }

  /** @param {number} modified the file's time, in Unix milliseconds */
  close(modified) {
    this.#flush();
    closeSync(this.#fd);
    utimesSync(this.#path, modified / 1000, modified / 1000);
  }

  #flush() {
    for (let from = 0; from < this.#used;) {
      from += writeSync(this.#fd, buffer, from, this.#used - from);
    }
    this.#used = 0;
  }
}
