/** Long enough to distinguish ids and names. */
const MAX_QUOTED = 40;
// Control characters, and what hides, reorders or breaks the text around it.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** Text of a session as a message may show it: on one line, short, without control characters. */
export function quote(text: string, maxLength = MAX_QUOTED): string {
  const isLong = text.length > maxLength;
  const shown = (isLong ? text.slice(0, maxLength) : text).replace(UNSAFE, '').trim();
  if (shown === '') return '(blank)';
  return isLong ? `${shown}…` : shown;
}
