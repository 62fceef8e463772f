/** The sign of agents and programs that they have cut a text off; behind a string, as debuggers and `strace` show one. */
const CUT_OFF =
  /["'`*]{0,3}\s{0,4}(?:[[(*]?[ \t]{0,2}(?:…|\.{3})|[[(<](?:[^\])>\n]{0,60}\b)?(?:truncated|omitted|cut off)\b|\[Showing (?:lines|last) )/iy;

/** Returns whether a text is cut off at a place. */
export function isCutOff(text: string, at: number): boolean {
  return findCutOff(text, at) !== undefined;
}

/** Finds the end of the sign that a text is cut off at a place. */
export function findCutOff(text: string, at: number): number | undefined {
  CUT_OFF.lastIndex = at;
  return CUT_OFF.test(text) ? CUT_OFF.lastIndex : undefined;
}
