const NONE: readonly RegExpExecArray[] = [];

/**
 * All matches of a pattern that is global. Most patterns match nothing in most texts: to look takes less
 * time than `matchAll`, which copies the pattern first.
 */
export function findMatches(text: string, pattern: RegExp): Iterable<RegExpExecArray> {
  return text.search(pattern) === -1 ? NONE : text.matchAll(pattern);
}

/** Finds the matches that are meant. Within one that is not, another may begin, right behind the group `name`. */
export function* findMeant(
  text: string,
  pattern: RegExp,
  isMeant: (match: RegExpExecArray) => boolean,
): Generator<RegExpExecArray> {
  if (text.search(pattern) === -1) return;
  for (let at = 0; ;) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    at = Math.max(pattern.lastIndex, at + 1);
    pattern.lastIndex = 0;
    if (!match) return;
    if (isMeant(match)) yield match;
    else at = Math.max(match.index + 1, findEndOfName(match));
  }
}

/** Finds the end of the name in a match, unless that stands before it. */
function findEndOfName({ 0: match, index, groups }: RegExpExecArray): number {
  const name = groups?.['name'] ?? '';
  const at = match.indexOf(name);
  return at === -1 ? index + match.length : index + at + name.length;
}

/** Finds the matches of a sticky pattern from a place on, each right behind the one before, and not more than `most`. */
export function* findInRow(
  text: string,
  pattern: RegExp,
  from: number,
  most: number,
): Generator<RegExpExecArray> {
  let at = from;
  for (let count = 0; count < most; count += 1) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (!match) return;
    at = pattern.lastIndex;
    yield match;
  }
}
