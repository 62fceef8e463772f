import type { Range } from './view.ts';

/** A known value that stands in a text. */
export interface Sighting extends Range {
  readonly value: string;
}

interface State {
  readonly next: Map<number, State>;
  /** Where to go on when no character fits. */
  fallback: State | undefined;
  /** The longest value that ends here. */
  value: string | undefined;
}

/**
 * Finds any of many values in a text in one pass (Aho and Corasick 1975): the time is that of
 * reading, however many and whatever they are.
 */
export class KnownValues {
  readonly #values = new Set<string>();
  #root: State | undefined;

  add(value: string): void {
    if (value === '' || this.#values.has(value)) return;
    this.#values.add(value);
    this.#root = undefined;
  }

  has(value: string): boolean {
    return this.#values.has(value);
  }

  /** Where they stand: of several that end at one place, the longest. `onStep` counts the work. */
  find(text: string, onStep?: () => void): readonly Sighting[] {
    if (this.#values.size === 0) return [];
    const root = (this.#root ??= build(this.#values));
    const found: Sighting[] = [];
    let state = root;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      let next = state.next.get(code);
      while (next === undefined && state.fallback !== undefined) {
        onStep?.();
        state = state.fallback;
        next = state.next.get(code);
      }
      onStep?.();
      state = next ?? root;
      const { value } = state;
      if (value !== undefined) found.push({ value, start: at + 1 - value.length, end: at + 1 });
    }
    return found;
  }
}

function build(values: Iterable<string>): State {
  const root = createState();
  for (const value of values) {
    let state = root;
    for (let at = 0; at < value.length; at += 1) {
      const code = value.charCodeAt(at);
      const next = state.next.get(code) ?? createState();
      state.next.set(code, next);
      state = next;
    }
    state.value = value;
  }
  const queue = [root];
  for (const state of queue) {
    for (const [code, child] of state.next) {
      child.fallback = findFallback(state, code, root);
      // A value that is the end of a longer one is found with it.
      child.value ??= child.fallback.value;
      queue.push(child);
    }
  }
  return root;
}

function findFallback(state: State, code: number, root: State): State {
  for (let at = state.fallback; at !== undefined; at = at.fallback) {
    const next = at.next.get(code);
    if (next !== undefined) return next;
  }
  return root;
}

function createState(): State {
  return { next: new Map(), fallback: undefined, value: undefined };
}
