import { isTooLong } from '../errors.ts';
import { replaceHidden } from '../session/hidden-characters.ts';

/**
 * JSON of a value from a session, with escapes for what nobody could see in it, which stands only
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

function toEscapes(char: string): string {
  const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}
