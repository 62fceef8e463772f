import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import type { Problem } from '../../../model/summary.ts';

/** The parents of messages, as Neovate looks them up: the last of several of one id counts. */
export class ParentMap {
  readonly #parents = new Map<string, string | undefined>();
  #withoutId = 0;
  #last: { readonly id: string | undefined; readonly parentId: string | undefined } | undefined;

  add(message: JsonObject): void {
    const id = getString(message, 'uuid');
    const parentId = getString(message, 'parentUuid');
    this.#last = { id, parentId };
    if (id === undefined) this.#withoutId += 1;
    else this.#parents.set(id, parentId);
  }

  get leafCount(): number {
    const parents = new Set(this.#parents.values());
    let count = this.#withoutId;
    for (const id of this.#parents.keys()) if (!parents.has(id)) count += 1;
    return count;
  }

  /** A path without a beginning: the agent has no guard, and walks it for ever. */
  findProblem(): Problem | undefined {
    const seen = new Set<string>();
    if (this.#last?.id !== undefined) seen.add(this.#last.id);
    for (let at = this.#last?.parentId; at !== undefined; at = this.#parents.get(at)) {
      if (seen.has(at)) {
        return { code: 'entry-cycle', message: 'its path is a cycle: Neovate hangs' };
      }
      if (!this.#parents.has(at)) break;
      seen.add(at);
    }
    return undefined;
  }
}
