import { createHash } from 'node:crypto';
import type { Placement } from './to-entry.ts';

const ID_LENGTH = 8;

/**
 * Ids for the entries of a file that has none, chained in file order as pi's own migration does.
 *
 * Deterministic: an id is the start of a hash over the bytes of every entry so far, so the same
 * file gets the same ids, and a fork shares its parent's ids for the part they have in common.
 * Unique in the file; 8 hex digits, more where 8 are taken.
 */
export class EntryIds {
  #previous: string | null = null;
  #chain = '';
  readonly #taken = new Set<string>();

  next(lineBytes: Buffer): Placement {
    const digest = createHash('sha256').update(this.#chain).update(lineBytes).digest('hex');
    this.#chain = digest;
    const id = this.#firstFree(digest);
    this.#taken.add(id);
    const placement = { id, parentId: this.#previous };
    this.#previous = id;
    return placement;
  }

  #firstFree(digest: string): string {
    let length = ID_LENGTH;
    while (length < digest.length && this.#taken.has(digest.slice(0, length))) length += 1;
    return digest.slice(0, length);
  }
}
