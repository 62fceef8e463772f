import type { LineProblem } from '../dialect/migration.ts';
import { quote } from './wording.ts';

/** One thing of a line that another agent has no place for; `name`: what of it. */
export interface Loss<Code extends string> {
  readonly code: Code;
  readonly name?: string | undefined;
}

const MAX_NAMES = 5;

interface Counted {
  /** The first one. */
  readonly line: number;
  count: number;
  last: number;
  readonly names: Set<string>;
}

/** Counts what another agent has no place for, line by line. */
export class Losses<Code extends string> {
  readonly #words: Readonly<Record<Code, (count: number) => string>>;
  readonly #found = new Map<Code, Counted>();

  /** `words`: what a problem says of this many. */
  constructor(words: Readonly<Record<Code, (count: number) => string>>) {
    this.#words = words;
  }

  /** A line counts once for its fields, however many there are. */
  add({ code, name }: Loss<Code>, line: number): void {
    const found = this.#found.get(code) ?? { line, count: 0, last: 0, names: new Set() };
    if (code !== 'field' || found.last !== line) found.count += 1;
    found.last = line;
    if (name !== undefined) found.names.add(name);
    this.#found.set(code, found);
  }

  list(): readonly LineProblem[] {
    return [...this.#found].map(([code, { line, count, names }]) => {
      const message = this.#words[code](count) + listNames([...names]);
      return { line, code: `${code}-lost`, message };
    });
  }
}

/** The problem of a call without a result. `name`: that of the tool. */
export function describeOpenCall(line: number, name: string): LineProblem {
  const message = `a call of ${quote(name)} has no result: pi reports that to the model`;
  return { line, code: 'tool-use-open', message };
}

/** Names as the end of a message: the first few, and whether there are more. */
export function listNames(names: readonly string[]): string {
  if (names.length === 0) return '';
  const more = names.length > MAX_NAMES ? ', …' : '';
  const shown = names.slice(0, MAX_NAMES).map((name) => quote(name));
  return `: ${shown.join(', ')}${more}`;
}
