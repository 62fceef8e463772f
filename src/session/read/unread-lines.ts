import type { LineContent } from '../jsonl/read/parse-line.ts';
import { formatCounted } from '../model/text/numbers.ts';

/** Returns whether a line holds something, but no object. */
export function holdsNoObject({ kind }: LineContent): boolean {
  return kind !== 'object' && kind !== 'blank';
}

/** Describes the lines that a new session lacks because they could not be read; none if it lacks none. */
export function describeMissingLines(lines: number): readonly string[] {
  if (lines === 0) return [];
  const verb = lines === 1 ? 'is' : 'are';
  return [`${formatCounted(lines, 'line')} could not be read, and ${verb} not in the new session`];
}
