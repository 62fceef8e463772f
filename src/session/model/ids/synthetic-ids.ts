import { createHash } from 'node:crypto';

const ID_LENGTH = 8;

/**
 * Ids for entries that come of no message of their own: 8 hex digits, more where those are taken,
 * the same for the same file.
 */
export class SyntheticIds {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  create(...seed: readonly (string | number)[]): string {
    const digest = createHash('sha256').update(seed.join('\0')).digest('hex');
    let length = ID_LENGTH;
    while (length < digest.length && this.#taken.has(digest.slice(0, length))) length += 1;
    const id = digest.slice(0, length);
    this.#taken.add(id);
    return id;
  }
}
