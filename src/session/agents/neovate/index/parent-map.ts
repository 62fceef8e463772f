import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Problem } from '../../../model/summary.ts';

interface Message {
  readonly parentId: string | undefined;
  /** Its number among all messages. */
  readonly at: number;
  readonly isResult: boolean;
}

/** The parents of messages, as Neovate looks them up: the last of several of one id counts. */
export class ParentMap {
  readonly #messages = new Map<string, Message>();
  #count = 0;
  #withoutId = 0;
  #last: { readonly id: string | undefined; readonly parentId: string | undefined } | undefined;

  add(message: JsonObject): void {
    const id = getString(message, 'uuid');
    const parentId = getString(message, 'parentUuid');
    const isResult = message['role'] === 'tool';
    this.#last = { id, parentId };
    this.#count += 1;
    if (id === undefined) this.#withoutId += 1;
    else this.#messages.set(id, { parentId, at: this.#count, isResult });
  }

  /** The ends of branches, as `findEnds` finds them. */
  get leafCount(): number {
    const parents = new Set(Array.from(this.#messages.values(), ({ parentId }) => parentId));
    const lastResults = this.#findLastResults();
    let count = this.#withoutId;
    for (const [id, { parentId = '', at, isResult }] of this.#messages) {
      const isGivenUp = isResult && at < (lastResults.get(parentId) ?? 0);
      if (!parents.has(id) && !isGivenUp) count += 1;
    }
    return count;
  }

  /** The number of the last result behind each message that is there. */
  #findLastResults(): ReadonlyMap<string, number> {
    const last = new Map<string, number>();
    for (const { parentId, at, isResult } of this.#messages.values()) {
      if (!isResult || parentId === undefined || !this.#messages.has(parentId)) continue;
      last.set(parentId, Math.max(at, last.get(parentId) ?? 0));
    }
    return last;
  }

  /** A path without a beginning: the agent has no guard, and walks it for ever. */
  findProblem(): Problem | undefined {
    const seen = new Set<string>();
    if (this.#last?.id !== undefined) seen.add(this.#last.id);
    for (let at = this.#last?.parentId; at !== undefined; at = this.#messages.get(at)?.parentId) {
      if (seen.has(at)) {
        return { code: 'entry-cycle', message: 'its path is a cycle: Neovate hangs' };
      }
      if (!this.#messages.has(at)) break;
      seen.add(at);
    }
    return undefined;
  }
}
