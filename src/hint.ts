import leven from 'leven';

/** Farther from what was typed, a suggestion would only confuse. */
const MAX_DISTANCE = 3;

/** `. Did you mean …?`, or nothing when nothing is near. */
export function formatHint(typed: string, known: readonly string[], prefix = ''): string {
  const begun = known.find((name) => name.startsWith(typed));
  if (begun !== undefined) return `. Did you mean ${prefix}${begun}?`;
  const scored = known.map((name) => ({ name, distance: leven(typed, name) }));
  const [best] = scored.toSorted((a, b) => a.distance - b.distance);
  const isNear = best && best.distance <= Math.min(MAX_DISTANCE, Math.ceil(typed.length / 2));
  return isNear ? `. Did you mean ${prefix}${best.name}?` : '';
}
