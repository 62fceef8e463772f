import { isCutOff } from '../text/cut-off.ts';
import type { Range } from '../text/view.ts';

/** A known value that stands in a text, or the beginning of one that was cut off. */
export interface Sighting extends Range {
  readonly value: string;
}

/** Less of a value is no use, and may be how somebody names it: `sk-abc...`. */
const MIN_CUT = 10;
const MIN_SHARE = 0.5;

/**
 * Finds any of many values in a text (Aho and Corasick 1975): the time is that of reading, whatever the values are. What
 * was added later is in automata of its own, each at least twice as large as the next one: a value that is learned
 * costs nothing of what was known before.
 */
export class KnownValues {
  readonly #values = new Set<string>();
  readonly #pending = new Set<string>();
  readonly #levels: Level[] = [];
  #haveBlanks = false;
  readonly #shared: KnownValues | undefined;

  /** `shared`: values that others know, too, and to which nothing is added. */
  constructor(shared?: KnownValues) {
    this.#shared = shared;
  }

  add(value: string): void {
    if (value === '' || this.has(value)) return;
    this.#values.add(value);
    this.#pending.add(value);
    this.#haveBlanks ||= value.includes(' ');
  }

  get isEmpty(): boolean {
    return this.#values.size === 0 && (this.#shared?.isEmpty ?? true);
  }

  /** Whether a blank is in any of them. */
  get haveBlanks(): boolean {
    return this.#haveBlanks || this.#shared?.haveBlanks === true;
  }

  has(value: string): boolean {
    return this.#values.has(value) || this.#shared?.has(value) === true;
  }

  /**
   * Finds the values in a text: the longest of several that end at one place; and most of one, where the text is cut
   * off. `onStep` counts the work.
   */
  find(text: string, onStep?: () => void): readonly Sighting[] {
    this.#settle();
    const found = this.#levels.map(({ automaton }) => findAll(automaton, text, onStep));
    const all = this.#shared ? [this.#shared.find(text, onStep), ...found] : found;
    const some = all.filter(({ length }) => length > 0);
    return some.length > 1 ? mergeFound(some.flat()) : (some[0] ?? []);
  }

  #settle(): void {
    if (this.#pending.size === 0) return;
    const values = new Set(this.#pending);
    this.#pending.clear();
    let size = measure(values);
    for (let last = this.#levels.at(-1); last && last.size < 2 * size; last = this.#levels.at(-1)) {
      for (const value of last.values) values.add(value);
      size += last.size;
      this.#levels.pop();
    }
    this.#levels.push({ values, size, automaton: build(values) });
  }
}

interface Level {
  readonly values: ReadonlySet<string>;
  /** Characters of all of them. */
  readonly size: number;
  readonly automaton: Automaton;
}

function measure(values: ReadonlySet<string>): number {
  let size = 0;
  for (const { length } of values) size += length;
  return size;
}

/** Puts them in the order of their ends; of several that end at one place, the longest is left. */
function mergeFound(found: readonly Sighting[]): readonly Sighting[] {
  const sorted = found.toSorted((a, b) => a.end - b.end || a.start - b.start);
  return sorted.filter((one, index) => sorted[index - 1]?.end !== one.end);
}

function findAll(automaton: Automaton, text: string, onStep?: () => void): readonly Sighting[] {
  const { characters, values, begun } = automaton;
  const found: Sighting[] = [];
  let state = ROOT;
  for (let at = 0; at < text.length; at += 1) {
    const character = characters[text.charCodeAt(at)] ?? OTHER;
    state = character === OTHER ? ROOT : follow(automaton, state, character, onStep);
    if (state === ROOT) continue;
    const value = values[state];
    if (value !== undefined) found.push({ value, start: at + 1 - value.length, end: at + 1 });
    const cut = begun[state];
    if (cut === undefined || !isCutOff(text, at + 1)) continue;
    found.push({ value: cut.value, start: at + 1 - cut.length, end: at + 1 });
  }
  return found;
}

type Steps = Pick<Automaton, 'next' | 'width' | 'fallbacks' | 'rows' | 'rowStarts'>;

/** States and characters are numbers, so that a million of them take tens of megabytes. */
interface Automaton extends Trie {
  /** The states to continue from when no character fits, by state. */
  readonly fallbacks: Int32Array;
  /** Every state near the root has a row here: the state that each character leads to. */
  readonly rows: Int32Array;
  /** The start of the row of each state, or `NO_ROW`. */
  readonly rowStarts: Int32Array;
}

interface Trie {
  /** The number of each character of the values, by UTF-16 code: from 1, or `OTHER`. */
  readonly characters: Uint16Array;
  /** One more than the highest of these numbers. */
  readonly width: number;
  /** The states that continue a state, by `state * width + character`. */
  readonly next: ReadonlyMap<number, number>;
  /** These keys, by the state that they lead to. */
  readonly lastSteps: readonly number[];
  /** The longest value that ends at each state. */
  readonly values: (string | undefined)[];
  /** A value of which most has been read at a state, and how much. */
  readonly begun: (Begun | undefined)[];
}

interface Begun {
  readonly value: string;
  readonly length: number;
}

const ROOT = 0;
const OTHER = 0;
const NO_ROW = -1;
/** A megabyte: a text without any value seldom leads to states without a row. */
const MAX_IN_ROWS = 0x40000;

/** The state that a character leads to. */
function follow(
  { next, width, fallbacks, rows, rowStarts }: Steps,
  from: number,
  character: number,
  onStep?: () => void,
): number {
  let state = from;
  for (;;) {
    onStep?.();
    const row = rowStarts[state] ?? NO_ROW;
    if (row !== NO_ROW) return rows[row + character] ?? ROOT;
    const to = next.get(state * width + character);
    if (to !== undefined) return to;
    state = fallbacks[state] ?? ROOT;
  }
}

function build(all: ReadonlySet<string>): Automaton {
  const trie = buildTrie(all);
  const { width, lastSteps, values, begun } = trie;
  const fallbacks = new Int32Array(lastSteps.length);
  const rowStarts = new Int32Array(lastSteps.length).fill(NO_ROW);
  const rows = new Int32Array(width * Math.min(lastSteps.length, Math.ceil(MAX_IN_ROWS / width)));
  const automaton = { ...trie, fallbacks, rows, rowStarts };
  const children = toChildren(trie);
  const queue = [ROOT];
  let end = 0;
  for (const state of queue) {
    const fallback = fallbacks[state] ?? ROOT;
    const own = children[state] ?? [];
    if (end < rows.length) {
      rowStarts[state] = end;
      const start = rowStarts[fallback] ?? end;
      rows.copyWithin(end, start, start + width);
      for (const child of own) rows[end + toCharacter(trie, child)] = child;
      end += width;
    }
    for (const child of own) {
      if (state !== ROOT) fallbacks[child] = follow(automaton, fallback, toCharacter(trie, child));
      // A value that is the end of a longer one is found with it; so is most of one that begins in another.
      values[child] ??= values[fallbacks[child] ?? ROOT];
      begun[child] ??= begun[fallbacks[child] ?? ROOT];
      queue.push(child);
    }
  }
  return automaton;
}

function buildTrie(all: ReadonlySet<string>): Trie {
  const [characters, width] = numberCharacters(all);
  const next = new Map<number, number>();
  const lastSteps = [0];
  const values: (string | undefined)[] = [undefined];
  const begun: (Begun | undefined)[] = [undefined];
  for (const value of all) {
    let state = ROOT;
    for (let at = 0; at < value.length; at += 1) {
      const step = state * width + (characters[value.charCodeAt(at)] ?? OTHER);
      state = next.get(step) ?? lastSteps.length;
      if (state === lastSteps.length) {
        next.set(step, state);
        lastSteps.push(step);
        values.push(undefined);
        begun.push(undefined);
      }
      const length = at + 1;
      if (length >= MIN_CUT && length >= value.length * MIN_SHARE)
        begun[state] ??= { value, length };
    }
    values[state] = value;
  }
  return { characters, width, next, lastSteps, values, begun };
}

function numberCharacters(all: ReadonlySet<string>): readonly [Uint16Array, width: number] {
  const characters = new Uint16Array(0x10000);
  let width = OTHER + 1;
  for (const value of all) {
    for (let at = 0; at < value.length; at += 1) {
      const code = value.charCodeAt(at);
      if (characters[code] !== OTHER) continue;
      characters[code] = width;
      width += 1;
    }
  }
  return [characters, width];
}

function toCharacter({ lastSteps, width }: Trie, state: number): number {
  return (lastSteps[state] ?? 0) % width;
}

function toChildren({ lastSteps, width }: Trie): readonly (readonly number[])[] {
  const children: number[][] = lastSteps.map(() => []);
  for (const [child, step] of lastSteps.entries()) {
    if (child !== ROOT) children[Math.floor(step / width)]?.push(child);
  }
  return children;
}
