import { isExpression } from './expressions.ts';
import { CLASS, countPieces, isFact, looksRandom, NUMBER, removeTimes } from './random-words.ts';
import { removeTerms } from './technical-terms.ts';

/** No word, no number, no path, no call: letters of both kinds or signs, and digits among them. */
const LIKE_SECRET =
  /^(?=\D{0,100}\d)(?=[^A-Za-z]{0,100}[A-Za-z])(?:(?=[^a-z]{0,100}[a-z])(?=[^A-Z]{0,100}[A-Z])|(?=[^!#$%^&*+~?@]{0,100}[!#$%^&*+~?@]))[\w!#$%^&*+~?@.:/=-]{8,}$/;
/** Also brackets, commas and letters of Europe, but no quotes. */
const OF_ALL_SIGNS =
  /^(?=\D{0,100}\d)(?=[^A-Za-z]{0,100}[A-Za-z])(?:(?=[^a-z]{0,100}[a-z])(?=[^A-Z]{0,100}[A-Z])|(?=[^!#$%^&*+~?@]{0,100}[!#$%^&*+~?@]))[\w!#-&(-/:-@[\]^{-~\u00c0-\u024f\u0370-\u052f]{8,}$/;
/** A name in a program, with a number in it. */
const LIKE_NAME = /^[A-Za-z._/:-]*(?:\d{1,3}[A-Za-z._/:-]*)?$/;
/** A function of C or a constant, with numbers in its words: `PKCS12_SAFEBAG_get0_bag_type`. */
const SYMBOL =
  /^[A-Za-z]+(?:\d{1,5}[A-Za-z]*){0,2}(?:_(?:\d{1,3}|[A-Za-z]+(?:\d{1,5}[A-Za-z]*){0,2})){1,12}$/;
/** The share of its characters at which such a name begins another word. */
const MAX_WORDS_OF_SYMBOL = 0.45;
/** The share of its characters at which a name begins another word. */
const MAX_WORDS = 0.3;
/** The share says little of a shorter name. */
const MIN_MEASURED = 10;
/** Bytes, as programs write keys, and no address of a function, as `nm` writes it. */
const HEXADECIMAL =
  /^(?!0{4}[\da-f]{12}$)(?=\D{0,100}\d)(?=[\d-]{0,100}[a-f])(?:[\da-f]{16,}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/i;

/** Random letters: of both kinds, which change more often than those of a name, or base64 to its end. */
const LETTERS = /^(?=[^a-z]{0,100}[a-z])(?=[^A-Z]{0,100}[A-Z])[A-Za-z+/_-]{16,}(?<end>={0,2})$/;
const MIN_CHANGES = 0.35;

/** Small letters or capital ones, and digits among them in several places. */
const MIXED = /^(?:[a-z\d]{16,}|[A-Z\d]{16,})$/;
const MIN_PIECES = 6;

/** The length of a value that is looked at. */
const MAX_JUDGED = 256;
/** An address, a path to a file, and the line that a search has found in one. */
const PATH =
  /:\/\/|^[\w@.-]{1,60}\/.*\.[a-z]{1,5}$|^[\w@./~-]{1,200}\.[A-Za-z]{1,6}[:-]\d{1,6}[:-]/;

/** The password of an app in groups of four, as Google and WordPress show it. */
const APP_PASSWORD = /(?:(?:[a-z]{4} ){3}[a-z]{4}|(?:[A-Za-z\d]{4} ){5}[A-Za-z\d]{4})(?![\w-])/y;
/** Four letters that are hardly a word: no vowel is among them, or a rare one is. */
const NO_WORD = /(?<![a-z])(?:[b-df-hj-np-tv-xz]{4}|(?=[a-z]{0,3}[jqxz])[a-z]{4})(?![a-z])/g;

/** Finds the end of the password of an app that begins here; four words of a sentence are not one. */
export function findEndOfGroups(text: string, at: number): number | undefined {
  APP_PASSWORD.lastIndex = at;
  const groups = APP_PASSWORD.exec(text)?.[0];
  if (groups === undefined) return undefined;
  const isPassword =
    looksRandom(groups.replaceAll(' ', '')) || (groups.match(NO_WORD) ?? []).length > 1;
  return isPassword ? at + groups.length : undefined;
}

/** Returns whether a text with blanks is random without them, or the password of an app. */
export function isRandomInParts(value: string): boolean {
  if (!/^\S{1,80}(?: \S{1,80}){1,7}$/.test(value)) return false;
  return /^[a-z]{4}(?: [a-z]{4}){3}$/.test(value) || looksRandom(value.replaceAll(' ', ''));
}

/** Most values have none, which is found much sooner than that they have none of the letters below. */
const OTHER_SIGNS = /[^\0-\x7f]/;
/** Letters of alphabets that have small and capital ones. */
const OTHER_LETTERS = /(?![A-Za-z])[\p{Lu}\p{Ll}]/gu;

/** A value with letters of ASCII for those of other alphabets: a password may be in any of them. */
function toLatin(value: string): string {
  if (!OTHER_SIGNS.test(value)) return value;
  return value.replace(OTHER_LETTERS, (letter) => (letter === letter.toLowerCase() ? 'a' : 'A'));
}

/** Returns whether a value is hardly anything but a secret, if the name of one stands near it. */
export function isLikeSecret(whole: string): boolean {
  const value = toLatin(removeTimes(whole.slice(0, MAX_JUDGED)));
  if (value.includes(' ')) return findEndOfGroups(value, 0) === value.length;
  if (PATH.test(value) || isFact(value)) return false;
  if (CLASS.test(value) || NUMBER.test(value)) return false;
  if (HEXADECIMAL.test(value)) return true;
  if (SYMBOL.test(value) && share(value) < MAX_WORDS_OF_SYMBOL) return false;
  const rest = removeTerms(value);
  if (rest !== value && LIKE_NAME.test(rest) && !(share(rest) > MAX_WORDS)) return false;
  // No name is so long.
  if (whole.length > MAX_JUDGED) return LIKE_SECRET.test(value);
  if (looksRandom(value)) return true;
  if (MIXED.test(value) && countPieces(value) >= MIN_PIECES) return true;
  const letters = LETTERS.exec(value);
  if (letters) return letters.groups?.['end'] !== '' || share(value) > MIN_CHANGES;
  if (!LIKE_SECRET.test(value)) return isOfAllSigns(value);
  if (!LIKE_NAME.test(value)) return true;
  return value.length >= MIN_MEASURED && share(value) > MAX_WORDS;
}

/** Returns whether a value has brackets and signs as those of a password, which no program puts so. */
function isOfAllSigns(value: string): boolean {
  if (!OF_ALL_SIGNS.test(value)) return false;
  return countPieces(value) / value.length >= MIN_CHANGES && !isExpression(value);
}

/** The ends of a sentence, a link, an element, brackets and quotes, which may follow a value. */
const BEHIND = /(?:\]\([^()\s]{0,200}\)?|<\/?[a-z]{1,10}>|[.,:;!?…」』】〉》»›”’)\]}>*|│┃║])$/u;
const MAX_BEHIND = 8;
const MAX_TRIMMED = 512;

/** Finds the secret in a value that something may follow. A sign at its end may be its own. */
export function findBefore(
  value: string,
  isSecret: (value: string) => boolean,
): string | undefined {
  let found = value;
  for (let count = 0; count <= MAX_BEHIND; count += 1) {
    if (isSecret(found)) return found;
    if (found.length > MAX_TRIMMED) return undefined;
    const mayEnd = /[^\w+/=-]/.test(found.charAt(found.length - 1)) || found.includes('](');
    const less = mayEnd ? found.replace(BEHIND, '') : found;
    if (less === found) return undefined;
    found = less;
  }
  return undefined;
}

/** Counts the changes of kind in a value, as a share of its characters, without the signs between words. */
function share(value: string): number {
  return countPieces(value.replace(/[._/:-]/g, '')) / value.length;
}
