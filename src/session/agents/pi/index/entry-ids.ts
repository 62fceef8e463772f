import { hash } from 'node:crypto';
import type { Placement } from '../entry/to-entry.ts';
import { PlaceTable, toShortId } from './place-table.ts';

const ID_LENGTH = 8;
/** The two ends and the length stand for a longer entry: hashing all of it would dominate. */
const MAX_END_BYTES = 256;
const CHAIN_BYTES = 64;
const LENGTH_BYTES = 6;

/**
 * Ids for the entries of a file that has none, chained in file order as pi's own migration does.
 *
 * Deterministic: an id is the start of a hash over every entry so far, so the same file gets the
 * same ids, and a fork shares its parent's ids for the part they have in common.
 * Unique in the file; 8 hex digits, more where 8 are taken.
 */
export class EntryIds {
  #previous: string | null = null;
  /** The hash so far, then the length of the next entry, then its ends. */
  readonly #input = Buffer.alloc(CHAIN_BYTES + LENGTH_BYTES + 2 * MAX_END_BYTES);
  readonly #taken = new IdSet();

  /** `taken`: ids that the file holds already. */
  constructor(taken: Iterable<string> = []) {
    for (const id of taken) this.#taken.add(id);
  }

  /** The chain continues below an entry that has an id of its own. */
  follow(id: string): void {
    this.#previous = id;
  }

  next(lineBytes: Buffer): Placement {
    const digest = this.#digest(lineBytes);
    this.#input.write(digest, 'latin1');
    const id = this.#takeFree(digest);
    const placement = { id, parentId: this.#previous };
    this.#previous = id;
    return placement;
  }

  #digest(bytes: Buffer): string {
    const { length } = bytes;
    let end = this.#input.writeUIntBE(length, CHAIN_BYTES, LENGTH_BYTES);
    end += bytes.copy(this.#input, end, 0, MAX_END_BYTES);
    const tail = Math.max(MAX_END_BYTES, length - MAX_END_BYTES);
    if (tail < length) end += bytes.copy(this.#input, end, tail);
    return hash('sha256', this.#input.subarray(0, end), 'hex');
  }

  #takeFree(digest: string): string {
    let id = digest.slice(0, ID_LENGTH);
    while (!this.#taken.add(id) && id.length < digest.length) id = digest.slice(0, id.length + 1);
    return id;
  }
}

const IS_THERE = 1;

/** Ids of entries. Those as pi makes them take five bytes each, and no string. */
export class IdSet {
  readonly #short = new PlaceTable();
  readonly #others = new Set<string>();

  /** False if it was there. */
  add(id: string): boolean {
    const short = toShortId(id);
    if (short !== undefined) return this.#short.mark(short, IS_THERE);
    const isNew = !this.#others.has(id);
    if (isNew) this.#others.add(id);
    return isNew;
  }
}
