import { getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { getModelName } from '../entry/entry-usage.ts';
import { isToolResult } from '../format.ts';

/**
 * Finds the prompts that no model has answered before the next one, or the end. Only an answer that was copied names
 * the session that it is from: where only such prompts were, their ids alone show it.
 */
export class OpenPrompts {
  readonly #found = new Set<string>();
  #last: string | undefined;

  /** Takes the next entry of the conversation. */
  add(value: JsonObject): void {
    if (getModelName(value) !== undefined) this.#last = undefined;
    // The result of a tool follows an answer.
    if (value['type'] !== 'user' || isToolResult(value)) return;
    this.#addLast();
    this.#last = getString(value, 'uuid');
  }

  list(): readonly string[] {
    this.#addLast();
    return [...this.#found];
  }

  #addLast(): void {
    if (this.#last !== undefined) this.#found.add(this.#last);
  }
}
