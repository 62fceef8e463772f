import { isTooLong } from '../../errors.ts';
import { replaceHidden } from '../../session/model/text/hidden-characters.ts';

/**
 * JSON of a value from a session, with escapes for what no one could see in it, which stands only
 * inside strings. A value that is nested too deeply for a stack says so.
 * @throws RangeError for what is too long for a string.
 */
export function stringify(value: unknown, indent?: number): string {
  try {
    return replaceHidden(JSON.stringify(value, undefined, indent) ?? 'null', toEscapes);
  } catch (error) {
    if (error instanceof RangeError && !isTooLong(error)) return '"(nested too deeply)"';
    throw error;
  }
}

/** The escapes of each character: a hostile text may hold millions of one. */
const escapes = new Map<string, string>();

function toEscapes(char: string): string {
  const known = escapes.get(char);
  if (known !== undefined) return known;
  const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at));
  const escape = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  escapes.set(char, escape);
  return escape;
}
