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
