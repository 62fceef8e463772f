import { countPieces, SOURCE_MAP } from './random-words.ts';

/** A word, a number, several signs that mean one thing, or a sign. */
const TOKEN =
  /[A-Za-z_]\w*|\d[\w.]*|:\/\/|<\/|\/>|[=!]==?|[<>]=|=>|->|\?\.|\?\?|&&|\|\||[+*/|&:-]=|[.,:;]{2,3}|\+\+|--|\*\*|<<|[^]/g;
/** A word of a program, which has digits in two places only at the ends of words (`utf8_to_utf16`). */
const NAME =
  /^(?:[A-Za-z]{2,}\d{0,3}(?:_[A-Za-z]{2,}\d{0,3}){1,8}|[A-Za-z_]+(?:\d{1,5}[A-Za-z_]*)?|\d+(?:\.\d+)*(?:[A-Za-z]{0,2}|e\d{1,3})|0x[\da-f]+)$/i;
const PREFIX = /^(?:[&*!~+$@?:-]|\+\+|--|\*\*|[.]{2,3})$/;
const OPERATOR =
  /^(?::\/\/|<\/|\/>|[=!]==?|[<>]=?|=>|->|\?\.|\?\?|&&|\|\||[+*/|&:-]=?|[.,:;]{1,3}|\*\*|<<|[?=])$/;
const CLOSING: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);
/** The end of a string in one, a quote, and what was left out. */
const IN_STRING = /\\["'`]|["'`]|(?<!…)…+$/g;
const END_OF_LINE = /\\[nrt]/g;
/** A part of a regular expression. */
export const REGEXP = /[A-Za-z\d]-[A-Za-z\d][^\]]{0,20}\]|\\[dwsDWSb]|\\x[\dA-F]{2}|\(\?/;

/**
 * Returns whether a word without blanks may be cut out of a program, a list or a sentence: names and numbers that
 * signs connect, and brackets that fit. Passwords of all signs rarely are.
 */
export function isExpression(word: string): boolean {
  if (REGEXP.test(word) || SOURCE_MAP.test(word)) return true;
  const text = word.replace(END_OF_LINE, ';').replace(IN_STRING, '');
  const open: (string | undefined)[] = [];
  let last: 'nothing' | 'operand' | 'either' = 'nothing';
  for (const token of text.match(TOKEN) ?? []) {
    if (CLOSING.has(token)) {
      open.push(CLOSING.get(token));
      last = 'nothing';
    } else if (/^[)\]}]$/.test(token)) {
      if (open.length > 0 && open.pop() !== token) return false;
      last = token === '}' ? 'either' : 'operand';
    } else if (NAME.test(token)) {
      if (last === 'operand') return false;
      last = 'operand';
    } else if (last !== 'nothing' && OPERATOR.test(token)) {
      last = token === '>' || token.startsWith(';') ? 'either' : 'nothing';
    } else if (last === 'operand' ? token !== '!' : !PREFIX.test(token)) return false;
  }
  return true;
}

/** A variable, a template or a format within a text. */
const TEMPLATE =
  /[$#%]?\{{1,3}[\w .:|/-]{1,60}\}{1,3}|\$\([^()]{1,60}\)|%(?:\(\w{1,40}\))?[\d.-]{0,4}[sdvqxfu](?![A-Za-z\d])|<[A-Za-z][\w -]{0,40}>|\$[A-Z_]{3,40}(?![A-Za-z\d])|%[A-Z_]{3,40}%/g;
const SIGNS = /[!#$%^&*+~?@=()[\]{}|]/g;
const MIN_OF_JUMBLE = { length: 10, signs: 3, changes: 0.5 };

/**
 * Returns whether a word is letters and several signs in no order that a program has, as programs make passwords of all
 * signs: `(mumj83!j2gf$luqk&%dfi_00`, `%2kD*+3hz}Jf(B8b`.
 */
export function isJumble(word: string): boolean {
  const rest = word.replace(TEMPLATE, '');
  const { length, signs, changes } = MIN_OF_JUMBLE;
  if (rest.length < length || !/[a-z]/.test(rest) || !/[A-Z\d]/.test(rest)) return false;
  if ((rest.match(SIGNS)?.length ?? 0) < signs) return false;
  return countPieces(rest) / rest.length >= changes && !isExpression(rest);
}
