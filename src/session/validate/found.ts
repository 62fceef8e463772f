import type { Finding } from '../dialect/rule.ts';
import { formatNumber } from '../model/text/numbers.ts';

/** The findings of one rule in one file that are kept; of more, one finding gives the number. */
const MOST_OF_A_RULE = 1000;

/** Findings that are counted, and not kept. */
interface Rest {
  readonly first: Finding;
  count: number;
  lastLine: number;
}

/** The findings in one file. Memory follows the rules that found something, not the lines. */
export class Found {
  readonly #most: number;
  readonly #kept: Finding[] = [];
  readonly #counts = new Map<string, number>();
  /** Names a rule and says whether its findings can be repaired. */
  readonly #rests = new Map<string, Rest>();
  #total = 0;

  /** `most`: of each rule. */
  constructor(most = MOST_OF_A_RULE) {
    this.#most = most;
  }

  /** All that were added. */
  get total(): number {
    return this.#total;
  }

  add(finding: Finding): void {
    const { rule } = finding;
    const count = (this.#counts.get(rule) ?? 0) + 1;
    this.#counts.set(rule, count);
    this.#total += 1;
    if (count <= this.#most) this.#kept.push(finding);
    else this.#countOnly(finding);
  }

  inLineOrder(): readonly Finding[] {
    return [...this.#kept, ...Array.from(this.#rests.values(), toFinding)].toSorted(
      (a, b) => a.line - b.line || a.byteOffset - b.byteOffset,
    );
  }

  #countOnly(finding: Finding): void {
    const { rule, fixable, line } = finding;
    const rest = this.#rests.get(`${rule} ${fixable}`);
    if (rest) {
      rest.count += 1;
      rest.lastLine = Math.max(rest.lastLine, line);
    } else this.#rests.set(`${rule} ${fixable}`, { first: finding, count: 1, lastLine: line });
  }
}

/** Keeps no more findings of one rule than a check does. */
export function shorten(findings: readonly Finding[]): readonly Finding[] {
  const found = new Found();
  for (const finding of findings) found.add(finding);
  return found.inLineOrder();
}

function toFinding({ first, count, lastLine }: Rest): Finding {
  if (count === 1) return first;
  const { path, line, byteOffset, rule, level, fixable } = first;
  const message = `and ${formatNumber(count)} more of this kind, up to line ${formatNumber(lastLine)}`;
  return { path, line, byteOffset, rule, level, message, fixable, count };
}
