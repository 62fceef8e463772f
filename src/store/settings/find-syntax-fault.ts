/**
 * Finds the place in a text at which it stops being JSON, as a line and a column from 1; undefined if it is JSON, or
 * only ends too early. The text that the error of `JSON.parse` quotes is not shown to people: it may be a key.
 */
export function findSyntaxFault(
  text: string,
): { readonly line: number; readonly column: number } | undefined {
  if (!isFaulty(text)) return undefined;
  // The shortest beginning that no end could complete: V8 gives the place of some faults only.
  let [low, high] = [0, text.length - 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isFaulty(text.slice(0, middle + 1))) high = middle;
    else low = middle + 1;
  }
  const before = text.slice(0, low).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** Returns whether nothing that follows a text could make it JSON. */
function isFaulty(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    const [, position] = /at position (\d+)/.exec(message) ?? [];
    return !message.includes('end of JSON') && Number(position) !== text.length;
  }
}
