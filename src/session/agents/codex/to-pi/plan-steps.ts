import type { Entry } from '../../../model/entry.ts';

export type StepKind = 'answer' | 'prompt' | 'other' | 'compaction';

/** Lines of the source that become one entry of pi. */
export interface Step {
  readonly kind: StepKind;
  readonly lines: readonly Entry[];
  /** The time of the first line, in milliseconds; NaN if it has none. */
  readonly time: number;
}

/** The entries that a path becomes: what the model said until something else is one answer. */
export function planSteps(
  path: readonly Entry[],
  kinds: ReadonlyMap<Entry, StepKind>,
): readonly Step[] {
  const steps: { readonly kind: StepKind; readonly lines: Entry[]; readonly time: number }[] = [];
  for (const entry of path) {
    const kind = kinds.get(entry);
    if (!kind) continue;
    const last = steps.at(-1);
    if (kind === 'answer' && last?.kind === 'answer') last.lines.push(entry);
    else steps.push({ kind, lines: [entry], time: entry.time });
  }
  return steps;
}
