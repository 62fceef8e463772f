import type { Range } from '../text/view.ts';

/** A known value that stands in a text, or the beginning of one that was cut off. */
export interface Sighting extends Range {
  readonly value: string;
}

/** The sign of agents and programs that they have cut a text off. */
const CUT_OFF = /\s{0,4}(?:\[?[ \t]{0,2}(?:…|\.{3})|\[Output truncated)/y;
/** Less of a value is no use, and may be how somebody names it: `sk-abc...`. */
const MIN_CUT = 10;
const MIN_SHARE = 0.5;

/**
 * Finds any of many values in a text in one pass (Aho and Corasick 1975): the time is that of
 * reading, however many and whatever they are.
 */
export class KnownValues {
  readonly #values = new Set<string>();
  #automaton: Automaton | undefined;

  add(value: string): void {
    if (value === '' || this.#values.has(value)) return;
    this.#values.add(value);
    this.#automaton = undefined;
  }

  get isEmpty(): boolean {
    return this.#values.size === 0;
  }

  has(value: string): boolean {
    return this.#values.has(value);
  }

  /**
   * Finds the values in a text: the longest of several that end at one place; and most of one, where the text is cut
   * off. `onStep` counts the work.
   */
  find(text: string, onStep?: () => void): readonly Sighting[] {
    if (this.#values.size === 0) return [];
    const { next, fallbacks, values, begun } = (this.#automaton ??= build(this.#values));
    const found: Sighting[] = [];
    let state = ROOT;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      let to = next.get(toStep(state, code));
      while (to === undefined && state !== ROOT) {
        onStep?.();
        state = fallbacks[state] ?? ROOT;
        to = next.get(toStep(state, code));
      }
      onStep?.();
      state = to ?? ROOT;
      const value = values[state];
      if (value !== undefined) found.push({ value, start: at + 1 - value.length, end: at + 1 });
      const cut = begun[state];
      if (cut === undefined || !isCutOff(text, at + 1)) continue;
      found.push({ value: cut.value, start: at + 1 - cut.length, end: at + 1 });
    }
    return found;
  }
}

/** States are numbers, so that a million of them take tens of megabytes. */
interface Automaton {
  /** The states that follow, by state and character. */
  readonly next: ReadonlyMap<number, number>;
  /** The states to continue from when no character fits, by state. */
  readonly fallbacks: readonly number[];
  /** The longest value that ends at each state. */
  readonly values: readonly (string | undefined)[];
  /** A value of which most has been read at a state, and how much. */
  readonly begun: readonly (Begun | undefined)[];
}

interface Begun {
  readonly value: string;
  readonly length: number;
}

const ROOT = 0;

function isCutOff(text: string, at: number): boolean {
  CUT_OFF.lastIndex = at;
  return CUT_OFF.test(text);
}

function toStep(state: number, code: number): number {
  return state * 0x10000 + code;
}

function build(all: ReadonlySet<string>): Automaton {
  const next = new Map<number, number>();
  const steps: (readonly [from: number, code: number])[] = [[ROOT, 0]];
  const values: (string | undefined)[] = [undefined];
  const begun: (Begun | undefined)[] = [undefined];
  for (const value of all) {
    let state = ROOT;
    for (let at = 0; at < value.length; at += 1) {
      const code = value.charCodeAt(at);
      const to = next.get(toStep(state, code)) ?? steps.length;
      if (to === steps.length) {
        next.set(toStep(state, code), to);
        steps.push([state, code]);
        values.push(undefined);
        begun.push(undefined);
      }
      state = to;
      const length = at + 1;
      if (length >= MIN_CUT && length >= value.length * MIN_SHARE)
        begun[state] ??= { value, length };
    }
    values[state] = value;
  }
  const fallbacks = steps.map(() => ROOT);
  const queue = [ROOT];
  const children = toChildren(steps);
  for (const state of queue) {
    for (const child of children[state] ?? []) {
      const [, code] = steps[child] ?? [ROOT, 0];
      const fallback = findFallback({ next, fallbacks }, state, code);
      fallbacks[child] = fallback;
      // A value that is the end of a longer one is found with it.
      values[child] ??= values[fallback];
      queue.push(child);
    }
  }
  return { next, fallbacks, values, begun };
}

function toChildren(
  steps: readonly (readonly [from: number, code: number])[],
): readonly (readonly number[])[] {
  const children: number[][] = steps.map(() => []);
  for (const [child, [from]] of steps.entries()) {
    if (child !== ROOT) children[from]?.push(child);
  }
  return children;
}

function findFallback(
  { next, fallbacks }: Pick<Automaton, 'next' | 'fallbacks'>,
  parent: number,
  code: number,
): number {
  for (let state = parent; state !== ROOT;) {
    state = fallbacks[state] ?? ROOT;
    const to = next.get(toStep(state, code));
    if (to !== undefined) return to;
  }
  return ROOT;
}
