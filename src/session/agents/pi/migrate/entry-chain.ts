import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { EntryIds } from '../index/entry-ids.ts';
import { isV1Entry } from '../format.ts';

/** The members that an entry lacks for its place in the tree. */
export interface MissingPlace {
  readonly id?: string;
  readonly parentId?: string | null;
}

const NOTHING: MissingPlace = {};

/**
 * Finds places for the entries of one file, in file order.
 *
 * Of v1 every entry gets a new one, below the entry before it, as pi 1.6.0 has it (`migrateV1ToV2`).
 * Of later versions only entries of v1: what pi's fork copied, or a release for v1 has appended
 * since. For both, the conversation continued from the entry before it in the file.
 * An entry that pi appends to such a file has an id and, its leaf being undefined, no `parentId`:
 * it belongs below the entry before it too.
 */
export class EntryChain {
  readonly #isLinear: boolean;
  readonly #ids: EntryIds;
  /** Ids by position among the parsed lines, as v1 counts; what is not an entry is a hole. */
  readonly #positions: (string | undefined)[] = [];
  /** The id that the entry before this one was given; undefined if it had its own. */
  #given: string | undefined;

  constructor(isLinear: boolean, takenIds: Iterable<string>) {
    this.#isLinear = isLinear;
    this.#ids = new EntryIds(takenIds);
  }

  /** A parsed line that is not an entry: v1 counts it too. */
  skip(): void {
    this.#positions.push(undefined);
  }

  add(entry: JsonObject, bytes: Buffer): MissingPlace {
    if (this.#isLinear || isV1Entry(entry)) return this.addWithoutPlace(bytes);
    const id = getString(entry, 'id');
    this.#positions.push(id);
    if (id === undefined) return NOTHING;
    const parentId = this.#given;
    this.#given = undefined;
    this.#ids.follow(id);
    return parentId !== undefined && entry['parentId'] === undefined ? { parentId } : NOTHING;
  }

  /** Adds an entry of v1 by its line. */
  addWithoutPlace(bytes: Buffer): Required<MissingPlace> {
    const placement = this.#ids.next(bytes);
    this.#given = placement.id;
    this.#positions.push(placement.id);
    return placement;
  }

  /**
   * Finds the entry that a `firstKeptEntryIndex` of the latest entry points at: an id, null for the header,
   * which keeps nothing, or undefined for what is not an entry at or before it.
   */
  findFirstKept(index: number): string | null | undefined {
    return index === 0 ? null : this.#positions[index];
  }
}
