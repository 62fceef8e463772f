import { removeTerms } from './technical-terms.ts';

/** A word with letters and digits. */
const MIXED = /^(?=\D*\d)(?=[^A-Za-z]*[A-Za-z])/;
/** A word in a program, a number, a sign. */
const PIECE = /[A-Z]?[a-z]+|[A-Z]+|\d+|[^A-Za-z\d]/g;
const SIGNS = /[!#$%^*~?@]/g;
/** Numbers of commits and files, and other ids that are no one's secret; public keys of SSH, addresses of Ethereum. */
const ID =
  /^(?:I?[\da-f-]+$|0x[\dA-Fa-f]{40}$|AAAA(?:[BC]3NzaC1|E2VjZHNh|GnNr)[\w+/]+={0,2}|[\dA-F-]+$|\w{0,20}[@:][\da-f]{7,64}|(?:srv)?(?:toolu|call|msg|req|resp|rs|fc|ws|chatcmpl|run|thread|gen|pi-session|sha\d{3})[_-].*|\d{4}-\d\d-\d\d[T_ ].*)$/;
/** A number in hexadecimal, such as the place of a function in memory. */
export const NUMBER = /^0x(?:[\da-f]{1,15}|0{4}[\da-f]{12})u?l{0,2}$/i;
/** A version of an API, as those of Kubernetes are called, by itself or in a name. */
const API_VERSION = /v\d{1,2}(?:alpha|beta)\d{0,2}/i;
/** Characters that a regular expression means: `0-9a-fA-F`. */
export const CLASS = /^(?:\d-\d|[a-z]-[a-z]|[A-Z]-[A-Z]|[_.+-]){2,}$/;
const HEX = /^(?:[\da-f]+|[\dA-F]+)$/;
/** Places in a source map. */
export const SOURCE_MAP = /(?:[,;][A-Za-z\d+/]{0,11}){4}/;
/** Addresses, paths, expressions and regular expressions. */
const OTHER =
  /:\/\/|%3[Aa]%2[Ff]%2[Ff]|^(?:[A-Za-z]{1,16}:)?[\w.+-]+@[\w-]+(?:\.[\w-]+)+$|^[<{[%@\\^?-]|^\$[({]|[=-]>|&&|\|\||::|===?|\\|[A-Za-z]-[A-Za-z]\d-\d|;base64,|\w@@[A-Z]|&(?:#\d|[a-z]{2,6};)/;
/** A pod of a cluster, and a token of a service there: its alphabet has no vowel, and nothing that looks like another. */
const POD =
  /^[a-z][a-z\d-]{0,200}-(?:[bcdfghjklmnpqrstvwxz2456789]{6,10}|token|access)-[bcdfghjklmnpqrstvwxz2456789]{5}$/;
/** The name that Kustomize gives a secret or a map, which ends in the hash of its content. */
const HASHED = /^[a-z][a-z\d-]{0,200}-[bcdfghkmt2456789]{10}$/;
/** The name of a resource of AWS. */
const ARN = /^arn:aws[\w-]{0,20}:[a-z\d-]{1,40}:/;
/** A version of a package, as Debian and Red Hat write it. */
const VERSION =
  /^\(?(?:\d{1,2}:)?\d[a-z\d.+~-]{0,60}?(?:(?:[+~](?:deb|bpo)|\.(?:el|fc)|ubuntu)\d{1,3}|[+~.]dfsg\d{0,3})(?:[u._+~-][a-z\d._]{0,12}){0,3}\)?$/;
/** A version or a range of them, behind the name of the package or not, as those of npm write it. */
const RANGE =
  /^(?:@?[\w./-]{1,100}@)?(?:npm:|workspace:|\d{1,2}:)?[\^~<>=v]{0,2}\d{1,5}(?:\.(?:\d{1,9}|[x*])){1,3}(?:[-+](?:[a-z]{2,12}[.-]?)?[\d.]{0,20})?$/i;
/** A package of Debian, which says for what machines it is. */
const PACKAGE = /^[a-z\d][a-z\d.+-]{1,60}:(?:amd64|arm64|armhf|i386|all|any|native)$/;
/** A time as programs write it, with its zone or without. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?$/;
/** One in a row, an address or the name of a file. */
const TIME_WITHIN =
  /(?:\d\d)?\d\d-\d\d-\d\dT\d\d(?:(?::|-|_|%3[Aa])\d\d){1,2}(?:[.,]\d{1,9})?(?:Z|(?:[+-]|%2[Bb])\d\d(?::|%3[Aa])?\d\d)?(?![A-Za-z\d])/g;
/** Base64 to its end, which may be without digits. */
const PADDED = /^(?:[A-Za-z\d+/]{4}){5,}(?:[A-Za-z\d+/]{2}==|[A-Za-z\d+/]{3}=)$/;
const MIN_OF_PADDED = 0.35;
const MIN_LENGTH = 8;
/** A shorter part of a word says nothing. */
const MIN_PART = 5;
const MAX_LENGTH = 256;
/** The share of its characters at which a word of random characters changes its kind. */
const MIN_CHANGES = 0.4;
/** The share with less than four changes: names such as `file2` and `Width2x` have as many. */
const MIN_OF_FEW = 0.5;

/** Returns whether a word is hardly one that people or programs made up: `Zk3v9Qw8`, `tr0ub4dor&3`. */
export function looksRandom(whole: string): boolean {
  const word = removeTimes(whole);
  if (word.length < MIN_LENGTH || word.length > MAX_LENGTH) return false;
  if (PADDED.test(word)) return countPieces(word) / word.length >= MIN_OF_PADDED;
  if (!MIXED.test(word) || ID.test(word) || NUMBER.test(word)) return false;
  if (OTHER.test(word) || SOURCE_MAP.test(word)) return false;
  if (isFact(word) || CLASS.test(word)) return false;
  if (removeTerms(word) === '') return false;
  // Any name in a path may be an id.
  if (word.includes('/') && !/^[A-Za-z\d+/]{20,}={0,2}$/.test(word)) return false;
  if (word.split(/[^A-Za-z\d]+/).some(isRandom)) return true;
  const signs = word.match(SIGNS)?.length ?? 0;
  return (
    signs > 1 && /[a-z]/.test(word) && /[A-Z]/.test(word) && countPieces(word) / word.length >= 0.5
  );
}

function isRandom(whole: string): boolean {
  // Most words of a long text are shorter, and nothing below makes them longer.
  if (whole.length < MIN_PART) return false;
  const known = whole.replace(API_VERSION, '');
  if (known !== whole && known.length < MIN_LENGTH) return false;
  const part = removeTerms(known);
  if (part.length < MIN_PART) return false;
  if (!MIXED.test(part) || HEX.test(part) || NUMBER.test(part)) return false;
  const pieces = countPieces(part);
  return pieces / part.length >= (pieces < 4 ? MIN_OF_FEW : MIN_CHANGES);
}

/** A word without the times in it, of which no one makes a secret. */
export function removeTimes(word: string): string {
  return word.replace(TIME_WITHIN, '');
}

export function countPieces(word: string): number {
  return word.match(PIECE)?.length ?? 0;
}

const FACTS = [PACKAGE, VERSION, RANGE, TIME, ARN, POD, HASHED];

/** Returns whether a word is a package, or the version of one, a time, or what a cloud calls one of its resources. */
export function isFact(word: string): boolean {
  return FACTS.some((pattern) => pattern.test(word));
}
