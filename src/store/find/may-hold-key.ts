// Nothing in it without a bound: texts are long, and may be made to take long.
const MARKS =
  /-----BEGIN|:\/\/[^\s/@]{1,200}@|(?:passw|secret|token|api.?key|bearer)\w{0,20}\s{0,5}[:=]/i;
/** Names of files and branches are long, too, but made of words. */
const LONG_WORD = /[A-Za-z0-9]{14,}/g;

/**
 * Returns whether text looks as if a key or a password were in it. Rather too often than too rarely: it costs
 * no more than reading a file again. A detector proper would take longer to load than a listing.
 */
export function mayHoldKey(text: string): boolean {
  if (MARKS.test(text)) return true;
  return (text.match(LONG_WORD) ?? []).some((word) => /\d/.test(word) && /[A-Za-z]/.test(word));
}
