// What a terminal would obey and JSON.stringify leaves as it is; it stands only inside strings.
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;

/** JSON of a value from a session; one that is nested too deeply for a stack says so. */
export function stringify(value: unknown, indent?: number): string {
  try {
    return (JSON.stringify(value, undefined, indent) ?? 'null').replace(UNSAFE, toEscape);
  } catch (error) {
    if (error instanceof RangeError) return '"(nested too deeply)"';
    throw error;
  }
}

function toEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
