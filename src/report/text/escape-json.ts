// Characters that JSON.stringify keeps though a terminal obeys or hides them: DEL, C1, and marks such as
// those that reorder text. They occur only inside strings, where an escape means the same.
const UNSAFE = /[\u007f-\u009f\p{Format}\p{Line_Separator}\p{Paragraph_Separator}]/gu;
// Matches every escape, so that `\\ud800`, a backslash and five letters, is not taken for one.
const ESCAPE = /\\(?:u(d[89a-f][0-9a-f]{2})|.)/g;

/**
 * The output of JSON.stringify made fit for a terminal, and for every parser: it means the same,
 * but for half a surrogate pair, which is U+FFFD, as `jq` takes no document that holds one.
 */
export function escapeJson(json: string): string {
  return replaceLoneSurrogates(json).replace(UNSAFE, toEscapes);
}

function replaceLoneSurrogates(json: string): string {
  // Few texts have one, and most have other escapes.
  if (!json.includes('\\ud')) return json;
  return json.replace(ESCAPE, (escape: string, loneSurrogate?: string) =>
    loneSurrogate === undefined ? escape : '\ufffd',
  );
}

function toEscapes(char: string): string {
  let escapes = '';
  for (let unit = 0; unit < char.length; unit += 1) {
    escapes += `\\u${char.charCodeAt(unit).toString(16).padStart(4, '0')}`;
  }
  return escapes;
}

/** An array, an item a line, in pieces. */
export function* formatJsonArray(items: Iterable<object>): Generator<string> {
  let before = '[\n';
  for (const item of items) {
    yield `${before}${escapeJson(JSON.stringify(item))}`;
    before = ',\n';
  }
  yield before === '[\n' ? '[]' : '\n]';
}
