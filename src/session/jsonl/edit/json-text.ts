import type { JsonValue } from './json.ts';

const TOO_DEEP = '"(nested too deep to be shown)"';

/**
 * As `JSON.stringify`, for text that is counted or read and not kept: where that runs out of stack,
 * a word in its place. `JSON.parse` takes deeper values than it can write.
 */
export function toJsonText(value: JsonValue): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return TOO_DEEP;
  }
}
