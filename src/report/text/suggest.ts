import leven from 'leven';

/** Farther from what was typed, a suggestion would only confuse. */
const MAX_DISTANCE = 3;

/** `; did you mean …?`, or nothing when nothing is near. */
export function formatHint(typed: string, known: readonly string[], prefix = ''): string {
  const near = findNear(typed, known);
  return near === undefined ? '' : `; did you mean ${prefix}${near}?`;
}

/** The remedy for a value that is none of a few: the nearest, or all of them. */
export function formatChoices(typed: string, choices: readonly string[]): string {
  return `unknown value${formatHint(typed, choices) || `; use ${choices.length > 1 ? 'one of ' : ''}${choices.join(', ')}`}`;
}

function findNear(typed: string, known: readonly string[]): string | undefined {
  const [begun, ...others] = typed === '' ? [] : known.filter((name) => name.startsWith(typed));
  // A single letter often is the beginning of many.
  if (begun !== undefined && (typed.length > 1 || others.length === 0)) return begun;
  const longer = typed.length < 4 ? undefined : known.find((name) => name.includes(typed));
  if (longer !== undefined) return longer;
  const scored = known.map((name) => ({ name, distance: leven(typed, name) }));
  const [best] = scored.toSorted((a, b) => a.distance - b.distance);
  if (!best || best.distance > Math.min(MAX_DISTANCE, Math.ceil(typed.length / 3)))
    return undefined;
  // A slip of several letters seldom is in the first one as well.
  return best.distance === 1 || best.name[0] === typed[0] ? best.name : undefined;
}
