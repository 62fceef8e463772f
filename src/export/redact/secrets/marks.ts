import marks from './marks.json' with { type: 'json' };
import { PROGRAM_MARKS } from './program-table.ts';
import { NAME_MARKS, NEAR_WORD } from './secret-names.ts';

/**
 * Lists of strings by pattern: every match of the pattern holds one of each list, in the match or around it. A test
 * derives them from the patterns. A pattern that is not here is looked for in every text.
 */
const MARKS: Readonly<Record<string, readonly (readonly string[])[] | undefined>> = marks;

/** The marks that stand in a text. */
export interface Sighted {
  /** Their numbers. */
  readonly marks: ReadonlySet<number>;
  /** The places at which a word of a secret may begin, in order. */
  readonly words: readonly number[];
  /** The places of what every name of a secret has, in the order of their ends. */
  readonly names: readonly number[];
  /** The places at which the name of a program that takes a secret begins. */
  readonly programs: readonly number[];
}

/** States are numbers; the last of them are those at which a mark ends. */
interface Automaton {
  /** The class of each character of ASCII: letters of both cases have one. */
  readonly classes: Uint8Array;
  readonly width: number;
  /** The next state, by state and class. */
  readonly next: Uint16Array;
  /** The numbers of the marks that end at a state. */
  readonly ends: readonly (readonly number[] | undefined)[];
}

const ALL: readonly string[] = [
  ...new Set([
    ...NAME_MARKS,
    ...PROGRAM_MARKS,
    ...Object.values(MARKS).flatMap((lists = []) => lists.flat()),
  ]),
];
const NUMBERS = new Map(ALL.map((mark, number) => [mark, number]));
/** The other tasks of a mark, as a sum, by its number: the places of such a mark are kept. */
const IS_WORD = 1;
const IS_NAME = 2;
const IS_PROGRAM = 4;
const PLACED = new Uint8Array(ALL.length);
for (const [marked, kind] of [
  [MARKS[toPatternKey(NEAR_WORD)]?.flat() ?? [], IS_WORD],
  [NAME_MARKS, IS_NAME],
  [PROGRAM_MARKS, IS_PROGRAM],
] as const) {
  for (const mark of marked) {
    const number = NUMBERS.get(mark) ?? -1;
    PLACED[number] = (PLACED[number] ?? 0) | kind;
  }
}
let automaton: Automaton | undefined;

/**
 * Finds the marks in a text, and the places of some, in one pass (Aho and Corasick 1975), a step for each
 * character. Marks with a capital letter stand there as they are, others in any case.
 */
export function findMarks(text: string): Sighted {
  const { classes, width, next, ends } = (automaton ??= build());
  const found = new Set<number>();
  const words: number[] = [];
  const names: number[] = [];
  const programs: number[] = [];
  let state = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    state = next[state * width + (code < 128 ? (classes[code] ?? 0) : 0)] ?? 0;
    const ended = ends[state];
    if (ended === undefined) continue;
    for (const number of ended) {
      const placed = PLACED[number] ?? 0;
      if (placed === 0 && found.has(number)) continue;
      const mark = ALL[number] ?? '';
      const start = at + 1 - mark.length;
      if ((placed & IS_WORD) !== 0) words.push(start);
      if ((placed & IS_NAME) !== 0) names.push(start);
      if ((placed & IS_PROGRAM) !== 0 && !isWithinWord(text, start)) programs.push(start);
      if (isFolded(mark) || text.startsWith(mark, start)) found.add(number);
    }
  }
  return { marks: found, words, names, programs };
}

/** Returns whether a word, or the name of a file, began before a place. */
function isWithinWord(text: string, at: number): boolean {
  return at > 0 && /[\w.-]/.test(text.charAt(at - 1));
}

/** Returns whether one of the words stands in the text that every name of a secret has. */
export function mayNameSecret({ marks: sighted }: Sighted): boolean {
  return NAME_MARKS.some((mark) => sighted.has(NUMBERS.get(mark) ?? -1));
}

/** Things that look for patterns, each only in a text that may hold a match. */
export class Marked<T> {
  readonly #items: readonly (readonly [item: T, needs: readonly (readonly number[])[]])[];
  /** The places of things that look in every text. */
  readonly #always: readonly number[];
  /** The places of the others, by the marks of their first list. */
  readonly #places = new Map<number, number[]>();

  /** `toKey` names a thing as `marks.json` does. */
  constructor(items: readonly T[], toKey: (item: T) => string) {
    this.#items = items.map((item) => {
      const lists = MARKS[toKey(item)] ?? [];
      return [item, lists.map((list) => list.map((mark) => NUMBERS.get(mark) ?? -1))];
    });
    this.#always = [...this.#items.keys()].filter((place) => this.#items[place]?.[1].length === 0);
    for (const [place, [, [first = NONE]]] of this.#items.entries()) {
      for (const number of first) {
        const places = this.#places.get(number);
        if (places) places.push(place);
        else this.#places.set(number, [place]);
      }
    }
  }

  /** Those that look in a text with these marks, in order. */
  choose({ marks: sighted }: Sighted): readonly T[] {
    const places = new Set(this.#always);
    for (const number of sighted) {
      for (const place of this.#places.get(number) ?? NONE) places.add(place);
    }
    return [...places]
      .toSorted((a, b) => a - b)
      .flatMap((place) => {
        const found = this.#items[place];
        const isHere = found?.[1].every((list) => list.some((number) => sighted.has(number)));
        return found && isHere ? [found[0]] : [];
      });
  }
}

export function toPatternKey(pattern: RegExp): string {
  return `/${pattern.source}/${pattern.flags}`;
}

const NONE: readonly number[] = [];

function isFolded(mark: string): boolean {
  return mark === mark.toLowerCase();
}

function build(): Automaton {
  const folded = ALL.map((mark) => mark.toLowerCase());
  const letters = [...new Set(folded.join(''))];
  const classes = new Uint8Array(128);
  for (const [index, letter] of letters.entries()) {
    classes[letter.charCodeAt(0)] = index + 1;
    classes[letter.toUpperCase().charCodeAt(0)] = index + 1;
  }
  const width = letters.length + 1;
  const children: number[][] = [[]];
  const ends: number[][] = [[]];
  for (const [number, mark] of folded.entries()) {
    let state = 0;
    for (const letter of mark) {
      const to = classes[letter.charCodeAt(0)] ?? 0;
      const child = (children[state] ??= [])[to] ?? children.length;
      if (child === children.length) {
        children.push([]);
        ends.push([]);
      }
      (children[state] ??= [])[to] = child;
      state = child;
    }
    ends[state]?.push(number);
  }
  const next = connect(children, ends, width);
  return { classes, width, next, ends: ends.map((some) => (some.length > 0 ? some : undefined)) };
}

/** Makes the table of steps: where no mark goes on, another may that began later. */
function connect(
  children: readonly (readonly number[])[],
  ends: readonly number[][],
  width: number,
): Uint16Array {
  const next = new Uint16Array(children.length * width);
  const fallbacks = new Uint16Array(children.length);
  const queue = [0];
  for (const state of queue) {
    const fallback = fallbacks[state] ?? 0;
    for (let to = 0; to < width; to += 1) {
      const child = children[state]?.[to];
      const other = state === 0 ? 0 : (next[fallback * width + to] ?? 0);
      next[state * width + to] = child ?? other;
      if (child === undefined) continue;
      fallbacks[child] = other;
      ends[child]?.push(...(ends[other] ?? NONE));
      queue.push(child);
    }
  }
  return next;
}
