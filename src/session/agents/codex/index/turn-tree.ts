import type { Entry } from '../../../model/entry.ts';
import { getNumber, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { beginsTurn, endsTurn, isPrompt } from '../entry/turn-limits.ts';
import { openLine } from '../format.ts';
import { ToolFacts } from './tool-facts.ts';

/** A turn on the current path: its place, and whether a person typed something in it. */
interface OpenTurn {
  readonly parent: Entry | undefined;
  isTyped: boolean;
  isEnded: boolean;
}

/**
 * Gives the lines of a rollout, handed in file order, their ids and their places in the tree: each
 * below the line before, and behind a rollback below the last line that it leaves. An id is that of
 * the turn that begins at a line, or else `line-<n>`.
 */
export class TurnTree {
  /** The turns that have given a line its id. */
  readonly #turnIds = new Set<string>();
  /** The turn that has begun last. */
  #turnId: string | undefined;
  readonly #tools = new ToolFacts();
  #last: Entry | undefined;
  #turns: OpenTurn[] = [];
  /** Whether a line has begun a turn by saying so. */
  #hasLimits = false;

  /** `isCopied`: a sub-agent has it from the session that began it. */
  add(entry: Entry, value: JsonObject, isCopied: boolean): Entry {
    const { payload } = openLine(value);
    if (entry.type === 'thread_rolled_back') this.#rollBack(getNumber(payload, 'num_turns') ?? 0);
    const id = this.#createId(entry, payload);
    const facts = this.#tools.complete(entry, payload);
    // All members of `toEntry`, written out: see `docs/performance.md`, Spreads.
    const placed: Entry = {
      id,
      parentId: this.#last?.id ?? null,
      type: entry.type,
      role: entry.role,
      time: entry.time,
      line: entry.line,
      offset: entry.offset,
      length: entry.length,
      model: facts.model ?? entry.model,
      customType: facts.customType ?? entry.customType,
      callId: entry.callId,
      isCopied: isCopied ? true : undefined,
      targetId: this.#findEarlierTurn(payload),
    };
    this.#recordTurn(placed);
    this.#last = placed;
    return placed;
  }

  #createId(entry: Entry, payload: JsonObject): string {
    const turn = entry.type === 'task_started' ? getString(payload, 'turn_id') : undefined;
    if (turn === undefined || turn === '' || this.#turnIds.has(turn) || LINE_ID.test(turn)) {
      return `line-${entry.line}`;
    }
    this.#turnIds.add(turn);
    this.#turnId = turn;
    return turn;
  }

  /** The turn of an item that came when another one had begun; undefined for every other line. */
  #findEarlierTurn(payload: JsonObject): string | undefined {
    if (payload['type'] !== 'item_completed') return undefined;
    const turn = getString(payload, 'turn_id');
    return turn !== undefined && turn !== this.#turnId && this.#turnIds.has(turn)
      ? turn
      : undefined;
  }

  #recordTurn(entry: Entry): void {
    const turn = this.#turns.at(-1);
    const isOpen = turn !== undefined && !turn.isEnded;
    if (beginsTurn(entry, { hasLimits: this.#hasLimits, isOpen })) {
      this.#turns.push({ parent: this.#last, isTyped: isPrompt(entry), isEnded: false });
    } else if (turn && isPrompt(entry)) turn.isTyped = true;
    else if (turn && endsTurn(entry)) turn.isEnded = true;
    this.#hasLimits ||= entry.type === 'task_started';
  }

  /** Takes the newest turns off the path; of those that no one typed in, as many as are between. */
  #rollBack(count: number): void {
    let left = count;
    while (left > 0) {
      const turn = this.#turns.pop();
      if (!turn) {
        this.#last = undefined;
        return;
      }
      this.#last = turn.parent;
      if (turn.isTyped) left -= 1;
    }
  }
}

/** An id that a line without a turn may have. */
const LINE_ID = /^line-\d/;
