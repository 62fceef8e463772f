/** Long enough to distinguish ids and names. */
const MAX_QUOTED = 40;
/** Long enough for most paths, and the names of files. */
const MAX_PATH = 200;
// Control characters, and what hides, reorders or breaks the text around it.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text of a session as a message may show it: on one line, short, without control characters. */
export function quote(text: string, maxLength = MAX_QUOTED): string {
  const isLong = text.length > maxLength;
  const shown = (isLong ? text.slice(0, maxLength) : text).replace(UNSAFE, '').trim();
  if (shown === '') return '(blank)';
  return isLong ? `${shown}…` : shown;
}

/** A path, or the name of a file, as a message may show it. */
export function quotePath(path: string): string {
  return quote(path, MAX_PATH);
}
