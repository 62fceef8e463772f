import { getNumber, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { openLine } from '../format.ts';
import { isSpawned } from './relations.ts';

/**
 * Finds the lines that a sub-agent has copied from the thread that began it, or a fork from its parent, handed the
 * lines behind its header in file order. A file with ordinals states how far they go. Another one has the header of
 * that thread first, and its own part begins where a line names the sub-agent, or a turn is newer.
 */
export class CopiedPart {
  readonly #id: string;
  readonly #end: number | undefined;
  readonly isSpawned: boolean;
  #isFirst = true;
  #isOver = false;
  #isTimed = false;

  constructor(header: JsonObject) {
    this.#id = getString(header, 'id') ?? '';
    this.#end = getNumber(header, 'subagent_history_start_ordinal');
    this.isSpawned = isSpawned(header);
  }

  /** Whether a line says where the part ends, or that it does not: turns of releases before 0.100 have no id. */
  get isSure(): boolean {
    return this.#isTimed || this.#end !== undefined;
  }

  /** Returns whether a line was copied. */
  has(value: JsonObject): boolean {
    if (this.#isOver) return false;
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    this.#isOver = this.#end === undefined ? this.#isOwn(value, isFirst) : this.#isPast(value);
    return !this.#isOver;
  }

  /** A line without an ordinal may be of either part. */
  #isPast(value: JsonObject): boolean {
    const ordinal = getNumber(value, 'ordinal');
    return ordinal === undefined || ordinal >= (this.#end ?? 0);
  }

  #isOwn(value: JsonObject, isFirst: boolean): boolean {
    const { type, kind, payload } = openLine(value);
    if (isFirst) return type !== 'session_meta' || getString(payload, 'id') === this.#id;
    if (getString(payload, 'thread_id') === this.#id) return true;
    const turn = kind === 'task_started' ? getString(payload, 'turn_id') : undefined;
    if (turn === undefined || !isTimed(turn) || !isTimed(this.#id)) return false;
    this.#isTimed = true;
    return turn > this.#id;
  }
}

/** An id of version 7 begins with the time at which it was made. */
function isTimed(id: string): boolean {
  return /^[\da-f]{8}-[\da-f]{4}-7/.test(id);
}
