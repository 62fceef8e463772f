import { dirname } from 'node:path';
import { type Call, realFs as fs } from './fault-layer.mjs';
import { TEMPORARY } from './sandbox.ts';

/** An index or a cache can be made again. */
const NOT_RELIED_ON = /index\.ndjson$|\.coppice-export\.json$|\/\.cache\//;
const WRITES = /^(write|writev|writeFile|appendFile|truncate|ftruncate)$/;

/** What a loss of power would take: contents and names that have not been flushed. */
export class Ledger {
  readonly #root: string;
  readonly #contents = new Set<string>();
  readonly #names = new Set<string>();
  /** Names of open files that were renamed since. */
  readonly #renamed = new Map<string, string>();

  #wasThere = false;

  constructor(root: string) {
    this.#root = root;
  }

  /** To be called before each call. */
  announce({ name, path }: Call): void {
    if (name === 'mkdir') this.#wasThere = fs.existsSync(path);
  }

  /** To be called after each call that was well; `result` is what Node gave. */
  note({ name, path, to, creates }: Call, result: unknown): void {
    if (name === 'open' && creates) this.#renamed.delete(path);
    if (name === 'open' && creates && fs.statSync(path).size === 0) this.#names.add(path);
    else if (WRITES.test(name)) this.#contents.add(this.#toName(path));
    else if (name === 'fsync' || name === 'fdatasync') this.#flush(this.#toName(path));
    else if (name === 'mkdir') this.#noteDirectories(path, result);
    else if (name === 'rename') this.#move(path, to);
    else if (name === 'link' || name === 'copyFile') this.#copy(path, to, name === 'copyFile');
    else if (/^(unlink|rm|rmdir)$/.test(name)) this.#forget(path);
  }

  /** What may be lost of that which is not made again. */
  list(): readonly string[] {
    const isRelied = (path: string): boolean => !TEMPORARY.test(path) && !NOT_RELIED_ON.test(path);
    return [
      ...[...this.#contents].filter(isRelied).map((path) => `content of ${path}`),
      ...[...this.#names].filter(isRelied).map((path) => `name ${path}`),
    ].map((one) => one.replaceAll(`${this.#root}/`, ''));
  }

  /** Nobody needs what is called so. */
  giveUp(pattern: RegExp): void {
    for (const path of [...this.#contents, ...this.#names]) {
      if (pattern.test(path)) this.#forget(path);
    }
  }

  isWritten(path: string): boolean {
    return !this.#contents.has(path);
  }

  /** An open file is known by the name under which it was opened. */
  #toName(path: string): string {
    return this.#renamed.get(path) ?? path;
  }

  #flush(path: string): void {
    this.#contents.delete(path);
    for (const name of this.#names) if (dirname(name) === path) this.#names.delete(name);
  }

  #noteDirectories(path: string, result: unknown): void {
    if (this.#wasThere) return;
    // The outermost one that was made on the way, of a call that makes several.
    const first = typeof result === 'string' ? result : path;
    for (let one = path; one.length >= first.length; one = dirname(one)) this.#names.add(one);
  }

  #move(from: string, to: string): void {
    const wasDirty = this.#contents.has(from);
    this.#forget(from);
    this.#names.add(to);
    this.#contents.delete(to);
    if (wasDirty) this.#contents.add(to);
    this.#renamed.set(from, to);
  }

  #copy(from: string, to: string, isNew: boolean): void {
    this.#names.add(to);
    if (isNew || this.#contents.has(from)) this.#contents.add(to);
  }

  #forget(path: string): void {
    this.#contents.delete(path);
    this.#names.delete(path);
  }
}
