import type { Entry } from '../../../../model/entry.ts';

/** Finds the root above a node, and remembers the way. */
export class Roots {
  readonly #above: Map<Entry, Entry>;

  constructor(parents: Iterable<readonly [Entry, Entry]>) {
    this.#above = new Map(parents);
  }

  find(node: Entry): Entry {
    let root = node;
    for (let at = this.#above.get(root); at; at = this.#above.get(root)) root = at;
    for (let at = node; at !== root;) {
      const next = this.#above.get(at) ?? root;
      this.#above.set(at, root);
      at = next;
    }
    return root;
  }

  attach(root: Entry, parent: Entry): void {
    this.#above.set(root, parent);
  }
}
