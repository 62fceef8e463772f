import type { JoinedPlaces } from './join-places.ts';
import type { Place } from './places.ts';
import { moveTo, type Secret } from './secrets/detect-secrets.ts';

/** No secret that is remembered is longer. */
const MAX_BESIDE = 1000;
/** The facts that may be one block of a message: the title of a session, and the task of a sub-agent. */
const SHOWN: ReadonlySet<string> = new Set(['firstMessage', 'description']);

/** The text around one end of a block. */
interface Edge {
  readonly text: string;
  /** The place in it at which the block begins. */
  readonly at: number;
}

/**
 * Blocks of messages that are shown by themselves, as titles: a secret may go on in the next block, which is not shown
 * with it.
 */
export class Openings {
  readonly #expected = new Set<string>();
  readonly #edges = new Map<string, readonly Edge[]>();

  /** Waits for the message of which a text is a block. */
  expect(text: string | null): void {
    if (text !== null && text !== '' && !this.#edges.has(text)) this.#expected.add(text);
  }

  add(places: readonly Place[], joined: JoinedPlaces): void {
    if (this.#expected.size === 0) return;
    for (const [start, index, length] of joined.starts) {
      const { key, kind, text = '' } = places[index] ?? {};
      if (kind !== 'text' || key !== 'text' || !this.#expected.delete(text)) continue;
      const edges = [start, start + length].map((edge) => {
        const from = Math.max(edge - MAX_BESIDE, 0);
        return { text: joined.text.slice(from, edge + MAX_BESIDE), at: start - from };
      });
      this.#edges.set(text, edges);
    }
  }

  /** Finds the parts that a title holds of known secrets. */
  find(
    places: readonly Place[],
    joined: JoinedPlaces,
    recognize: (text: string) => readonly Secret[],
  ): readonly Secret[] {
    if (this.#edges.size === 0) return [];
    return joined.starts.flatMap(([start, index, length]) => {
      const { field = '', text = '' } = places[index] ?? {};
      const edges = (SHOWN.has(field) && this.#edges.get(text)) || [];
      return edges.flatMap((edge) =>
        recognize(edge.text).flatMap((secret) => {
          const from = Math.max(secret.start - edge.at, 0);
          const to = Math.min(secret.end - edge.at, length);
          return from < to ? [moveTo({ ...secret, start: from, end: to }, start)] : [];
        }),
      );
    });
  }
}
