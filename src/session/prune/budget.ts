import type { Candidate } from './candidate.ts';
import type { Decision, Policy } from './policy.ts';

/** Counts the remaining size and number of the selected sessions, and compares them with the limits. */
export class Budget {
  readonly #policy: Pick<Policy, 'maxBytes' | 'maxSessions'>;
  /** How many names there still are of each file that has several. */
  readonly #names = new Map<string, number>();
  #bytes = 0;
  #sessions = 0;

  constructor(policy: Pick<Policy, 'maxBytes' | 'maxSessions'>) {
    this.#policy = policy;
  }

  /** Counts one session; those in its folder add their bytes only. */
  add(candidate: Candidate, isPart: boolean): void {
    this.#bytes += candidate.bytes;
    const isFurther = this.#isNamed(candidate);
    for (const { file, bytes } of candidate.shared ?? []) {
      const names = this.#names.get(file) ?? 0;
      if (names > 0) this.#bytes -= bytes;
      this.#names.set(file, names + 1);
    }
    if (!isPart && !isFurther) this.#sessions += 1;
  }

  subtract(candidate: Candidate, isPart: boolean): void {
    this.#bytes -= candidate.bytes;
    for (const { file, bytes } of candidate.shared ?? []) {
      const names = (this.#names.get(file) ?? 0) - 1;
      if (names > 0) this.#bytes += bytes;
      this.#names.set(file, names);
    }
    if (!isPart && !this.#isNamed(candidate)) this.#sessions -= 1;
  }

  /** Returns whether its file has another name among those that are counted. */
  #isNamed({ file }: Candidate): boolean {
    return file !== undefined && (this.#names.get(file) ?? 0) > 0;
  }

  /** The limits that are exceeded, in words; undefined when there is no budget at all. */
  findExcess(): readonly string[] | undefined {
    const { maxBytes, maxSessions } = this.#policy;
    if (!maxBytes && !maxSessions) return undefined;
    const excess: string[] = [];
    if (maxBytes && this.#bytes > maxBytes.value) excess.push(maxBytes.text);
    if (maxSessions && this.#sessions > maxSessions.value) excess.push(maxSessions.text);
    return excess;
  }

  get counted(): { readonly bytes: number; readonly sessions: number } {
    return { bytes: this.#bytes, sessions: this.#sessions };
  }
}

/** The size and number of kept sessions, and the limits that these exceed, in words. */
export interface Excess {
  readonly limits: readonly string[];
  readonly bytes: number;
  readonly sessions: number;
}

/** Counts the selected sessions that are kept, be they damaged; undefined if they are within the budget. */
export function findLeftOver(decisions: readonly Decision[], policy: Policy): Excess | undefined {
  const budget = new Budget(policy);
  if (budget.findExcess() === undefined) return undefined;
  for (const { candidate, action, owner } of decisions) {
    if (action === 'keep' && (owner ?? candidate).selected) budget.add(candidate, !!owner);
  }
  const limits = budget.findExcess() ?? [];
  return limits.length > 0 ? { limits, ...budget.counted } : undefined;
}
