// Nothing in it without a bound: texts are long, and may be made to take long.
const MARKS =
  /-----BEGIN|:\/\/[^\s/@]{1,200}@|(?:passw|secret|token|api.?key|bearer)\w{0,20}\s{0,5}[:=]|\s(?:-u|--user)[\s=]{0,2}[^\s:]{1,100}:\S|\s(?:-p|--pass\w{0,10})[\s=]{0,2}[^\s/-]{4}/i;
/** Names of files and branches are long, too, but made of words. */
const LONG_WORD = 14;
/** The tokens of some services are letters only. */
const LONGEST_WORD = 30;

/**
 * Returns whether text looks as if a key or a password were in it. Rather too often than too rarely: it costs
 * no more than reading a file again. A detector proper would take longer to load than a listing.
 */
export function mayHoldKey(text: string): boolean {
  return MARKS.test(text) || hasMixedWord(text);
}

/**
 * Returns whether a long word has letters of ASCII and digits, or is longer than any in a language. A pattern took ten
 * times as long.
 */
function hasMixedWord(text: string): boolean {
  let letters = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    const lower = unit | 0x20;
    if (lower >= 0x61 && lower <= 0x7a) letters += 1;
    else if (unit >= 0x30 && unit <= 0x39) digits += 1;
    else letters = digits = 0;
    if (letters >= LONGEST_WORD) return true;
    if (letters > 0 && digits > 0 && letters + digits >= LONG_WORD) return true;
  }
  return false;
}
