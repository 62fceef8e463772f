/** The endings of session files: lines, lines that Codex has compressed, and the JSON arrays of old versions. */
const ENDING = /\.json(?:l(?:\.zst)?)?$/;

/** Returns whether a file may hold a session, by its name; its content decides. */
export function isSessionName(name: string): boolean {
  return ENDING.test(name);
}

/** Returns the name of a session file without its ending. */
export function withoutSessionEnding(name: string): string {
  return name.replace(ENDING, '');
}
