import { createHash } from 'node:crypto';

/** A UUID that looks like one of version 4: the same for the same text, and not taken. */
export function deriveUuid(text: string, isTaken: (id: string) => boolean): string {
  for (let tries = 0; ; tries += 1) {
    const hex = createHash('sha256').update(`${text}\0${tries}`).digest('hex');
    const id = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`]
      .concat(hex.slice(20, 32))
      .join('-');
    if (!isTaken(id)) return id;
  }
}

const ID_LENGTH = 8;

/** 8 hex digits, more where those are taken: the same for the same text. */
export function deriveShortId(text: string, isTaken: (id: string) => boolean): string {
  const digest = createHash('sha256').update(text).digest('hex');
  let length = ID_LENGTH;
  while (length < digest.length && isTaken(digest.slice(0, length))) length += 1;
  return digest.slice(0, length);
}

/** Short ids for entries that come of no message of their own: the same for the same file. */
export class SyntheticIds {
  readonly #taken: Set<string>;

  constructor(taken: Iterable<string>) {
    this.#taken = new Set(taken);
  }

  create(...seed: readonly (string | number)[]): string {
    const id = deriveShortId(seed.join('\0'), (one) => this.#taken.has(one));
    this.#taken.add(id);
    return id;
  }
}
