const NONE: readonly RegExpExecArray[] = [];

/**
 * All matches of a pattern that is global. Most patterns match nothing in most texts: to look takes less
 * time than `matchAll`, which copies the pattern first.
 */
export function findMatches(text: string, pattern: RegExp): Iterable<RegExpExecArray> {
  return text.search(pattern) === -1 ? NONE : text.matchAll(pattern);
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
