import { isAlgorithm, removeTerms } from './technical-terms.ts';

/** Letters of languages that are written without blanks, as Chinese and Japanese are. */
const LETTERS = /[\u3040-\u30ff\u3400-\u9fff]/g;
/** A password begins with its own letters, whatever the language of the text around it. */
const BEGINNING = /^[\u3040-\u30ff\u3400-\u9fff]{2}/;
/** Fewer may be a password that somebody has chosen. */
const MIN_LETTERS = 5;
const WORD = /[\w!#$%&*+./:=?@^~-]+/g;
const PLAIN = /^[A-Za-z./:_-]*[!?]?$/;
/** A length, a limit, a range. */
const NUMBER = /^\d{1,4}(?:[.:~/-]\d{1,4})?$/;
const MAX_DIGITS = 2;
/** Says what follows: `默认为`, `改成`. */
const SAYS = /[为為是成はが]$/;
const MAX_LENGTH = 256;

/**
 * Returns whether a text is a sentence in a language without blanks, with plain words and numbers in it:
 * `长度不能少于8位`. A word in it that may be a secret is none of these.
 */
export function isUnspacedSentence(text: string): boolean {
  if (text.length > MAX_LENGTH || !BEGINNING.test(text.slice(0, 2))) return false;
  if ((text.match(LETTERS)?.length ?? 0) < MIN_LETTERS) return false;
  return Array.from(text.matchAll(WORD)).every(({ 0: word, index }) => {
    const isSaid = SAYS.test(text.slice(0, index));
    if (NUMBER.test(word))
      return !isSaid || word.length <= MAX_DIGITS || isLetter(text[index + word.length]);
    if (isAlgorithm(word) || removeTerms(word) === '') return true;
    return PLAIN.test(word) && !isSaid;
  });
}

function isLetter(sign: string | undefined): boolean {
  return sign !== undefined && BEGINNING.test(sign + sign);
}
