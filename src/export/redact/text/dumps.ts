/**
 * A line of what `xxd`, `hexdump -C`, `od -t x1`, `tcpdump -X`, Wireshark and PowerShell print: a place, bytes, and
 * behind two blanks what they stand for.
 */
const DUMP_LINE =
  /^[ \t]{0,8}(?:0x)?(?:[\da-f]{6,16}:?|[\da-f]{4}(?::|(?= {2})))[ \t]{1,4}(?<bytes>(?:[\da-f]{2}){1,16}(?:[ \t]{1,2}(?:[\da-f]{2}){1,8}){0,39}(?![^\s|]))/i;
/** Some of the lines behind are read with both parts: a secret on the border is whole in one of them. */
export const DUMP =
  /(?<=^|\n)(?:[ \t]{0,8}(?:0x)?(?:[\da-f]{6,16}:?|[\da-f]{4}(?::|(?= {2})))[ \t]{1,8}(?:[\da-f]{2}){1,16}(?![\da-z])[^\n]{0,200}(?:\n|$)){1,200}(?=(?<more>(?:[ \t]{0,8}(?:0x)?(?:[\da-f]{6,16}:?|[\da-f]{4}(?::|(?= {2})))[ \t]{1,8}(?:[\da-f]{2}){1,16}(?![\da-z])[^\n]{0,200}(?:\n|$)){0,40}))/gi;
/** Eight bytes, behind which others may stand apart. */
const EIGHT = /^[\da-f]{2}(?: [\da-f]{2}){7}$/i;
const EIGHT_AT_MOST = /^[\da-f]{2}(?: [\da-f]{2}){0,7}$/i;
/** Bytes as numbers, of which a tab alone has one digit in text. */
export const NUMBERS =
  /(?<![\d.])(?:\d{2,3}|9)(?:,\s{0,80}(?:\d{2,3}|9)){7,250}(?![\d.])(?=(?<more>(?:(?:,\s{0,80}(?:\d{2,3}|9)){1,250}(?![\d.]))?))/g;
/** Bytes apart, as dumps and programs write them, on one line or several. */
export const BYTES =
  /(?<![\da-z])(?:0x)?[\da-f]{2}(?:(?:[ :-]|,\s{0,80}|:?\r?\n[ \t]{0,8})(?:0x)?[\da-f]{2}){7,250}(?![\da-z])(?=(?<more>(?:(?:(?:[ :-]|,\s{0,80}|:?\r?\n[ \t]{0,8})(?:0x)?[\da-f]{2}){1,250}(?![\da-z]))?))/gi;

/** The words of a line of what `hexdump`, `od -x` and `xxd -e` print. */
const WORDS =
  /^[ \t]{0,8}(?:0x)?[\da-f]{6,16}:?(?<words>(?:[ \t]{1,8}(?:[\da-f]{2}){1,8}(?![\da-z])){1,16})/i;
const BLANKS_AND_WORD = /([ \t]{1,8})(\w{2,16})/g;
/** `hexdump` adds a byte to an odd number of them. */
const FILLING = /(?:00){1,8}$/;

/** The bytes in the lines of a dump. */
export function getDumped(dump: string): string {
  return dump.split('\n').map(getBytes).join('');
}

/** The bytes in the lines of a dump of words, each of which begins with its last byte, as processors keep them. */
export function getSwapped(dump: string): string {
  return dump.split('\n').map(swapWords).join('').replace(FILLING, '');
}

/**
 * The bytes of the words of a line, which are as long as the first one and as far apart. `xxd` puts blanks before a word
 * that lacks some bytes.
 */
function swapWords(line: string): string {
  const words = [...(WORDS.exec(line)?.groups?.['words'] ?? '').matchAll(BLANKS_AND_WORD)];
  const [all = '', , first = ''] = words[0] ?? [];
  const end = words.findIndex(
    ([both, , word = '']) => both.length !== all.length || word.length > first.length,
  );
  const own = end === -1 ? words : words.slice(0, end);
  return own.map(([, , word = '']) => (word.match(/../g) ?? []).toReversed().join('')).join('');
}

/** The bytes of a line, which may be in two halves, without a word beside them that looks like another. */
function getBytes(line: string): string {
  const bytes = DUMP_LINE.exec(line)?.groups?.['bytes'] ?? '';
  const [half = '', other = ''] = bytes.split(/[ \t]{2}/);
  return EIGHT.test(half) && EIGHT_AT_MOST.test(other) ? half + other : half;
}
