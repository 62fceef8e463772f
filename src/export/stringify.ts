/** JSON of a value from a session; one that is nested too deeply for a stack says so. */
export function stringify(value: unknown, indent?: number): string {
  try {
    return JSON.stringify(value, undefined, indent) ?? 'null';
  } catch (error) {
    if (error instanceof RangeError) return '"(nested too deeply)"';
    throw error;
  }
}
