import type { Range } from '../text/view.ts';
import { findMatches } from './find-matches.ts';
import { Marked, type Sighted, toPatternKey } from './marks.ts';

/** A number that opens something, behind its name or before it. */
const NUMBERS: readonly RegExp[] = [
  /(?:(?<=[a-z]_)pin|(?<=[a-z])Pin)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?<secret>\d{4,8})(?![\w:/%-]|\.\w)/g,
  /(?<![A-Za-z\d])(?:(?<!_)[Pp]ins?(?:[ _-]?[Cc]odes?)?|PINs?(?: codes?)?|PUK|puk|CVV|CVC|cvv|T?OTP|t?otp|[Pp]asscode|(?:one[ -]time|temporary)[ -]pass(?:word|code)|(?:[Vv]erification|[Ss]ecurity|[Ll]ogin|[Ss]ign-?in|[Oo]ne[ _-]?[Tt]ime|[Tt]wo[ _-]?[Ff]actor|T?OTP|totp|[Aa]uthenticat(?:ion|or)|[Cc]onfirmation|[Aa]ccess|[Uu]nlock|[Aa]ctivation|[Pp]airing|[Dd]oor|[Gg]ate|[Aa]larm|SMS|sms|[Ee]mail|2FA|2fa|MFA|mfa|otp|[Aa]uth|[Dd]evice|[Rr]ecovery|[Bb]ackup)[ _]?(?:[Cc]odes?|[Tt]oken|[Pp]in|PIN))["'`*]{0,3}(?:[ \t]{0,4}\([^()\n]{0,40}\))?[ \t]{0,4}(?:(?:[:=]|=>|is|was|are|for [^\n:]{1,40}?(?::| is))[ \t:]{0,4})?(?:(?:<\/?[A-Za-z]\w{0,10}(?:\s[^<>]{0,100})?>[\s:]{0,20}){1,6}|["'`*]{0,3})(?<secret>\d{4,8}|\d{3}[ -]\d{3}|[A-Z]{1,2}-\d{4,8})(?![\w:/%-]|\.\w|[ \t]?(?:ms|px|MB|kB|bytes|chars|s|times|Hz)(?!\w))/g,
  /(?<![\w./:#-])(?:[A-Z]-)?(?<secret>\d{4,8}|\d{3}[ -]\d{3})["'`*]{0,3}[ \t](?:is|as|was)[ \t](?:[a-z]{1,4}[ \t])?(?:[A-Za-z\d-]{1,20}[ \t]){0,3}(?:code|PIN|OTP|passcode|pin)(?!\w)/g,
  /(?:[Ee]nter|[Uu]se|[Tt]ype|[Yy]our)[ \t](?:the[ \t])?code(?:[ \t](?:is|below))?(?::|(?=[ \t<]))[ \t]{0,2}(?:(?:<\/?[A-Za-z]\w{0,10}(?:\s[^<>]{0,100})?>[\s:]{0,20}){1,6}|["'`*]{0,3})(?<secret>\d{4,8}|\d{3}[ -]\d{3})(?![\w:/%-]|\.\w)/g,
];
/** The names of members that are such a number, and the number. */
const NAME_OF_NUMBER =
  /(?:^|[_-])(?:pin|t?otp|cvv|cvc|puk)(?:[_-]?code)?$|(?:verification|security|login|sign-?in|one[_ -]?time|two[_ -]?factor|authenticat(?:ion|or)|confirmation|unlock|activation|pairing|door|gate|alarm|sms|email|2fa|mfa|otp|auth|device)[_ -]?(?:code|pin)$/i;
const NAME_AT_END = /[a-z](?:Pin|PIN|Otp|OTP|Totp|TOTP|Cvv|CVV|Cvc|CVC|Puk|PUK)(?:Code)?$/;
const NUMBER = /^(?:\d{4,8}|\d{3}[ -]\d{3})$/;

/** Returns whether a text is a number that opens something, by the name of its member. */
export function isCode(name: string, text: string): boolean {
  if (!NUMBER.test(text) || name.length > MAX_NAME) return false;
  return NAME_OF_NUMBER.test(name) || NAME_AT_END.test(name);
}

/** The head of a list of codes that stand in for a second factor. */
const HEAD =
  /(?:recovery|back-?up|scratch|emergency|single-use)(?:[ _-]|(?<=[a-z])(?=C))(?:scratch[ _-])?codes?/gi;
/** The rest of the head, up to the list: a verb, the end of an element, the frame of a box. */
const REST_OF_HEAD =
  /["'`*]{0,3}(?:[ \t]{1,4}(?:are|is|were))?(?:[ \t]{0,4}[:=(]|[ \t]{1,4}[─═━]{1,80})?/y;
/** Signs, numbers and elements that stand between two codes. */
const BETWEEN =
  /(?:[\s[\](){}"'`,;:*•|>#$/+│┃║╭╮╰╯┌┐└┘├┤─═━-]|<\/?[A-Za-z]\w{0,10}(?:\s[^<>]{0,100})?>|\d{1,6}(?:[→:]|[.)][ \t]|[ \t]{0,4}[|│\t])){0,200}/y;
/** A word, or groups: behind a blank, each has a digit or is the second of two, since a sentence may go on there. */
const CODE =
  /[A-Za-z\d]{4} [A-Za-z\d]{4}(?![\w-]| \w)|(?=[A-Za-z-]{0,12}\d)[A-Za-z\d]{3,64}(?:(?:-| (?=[A-Za-z]{0,12}\d))[A-Za-z\d]{3,12}){0,7}(?![\w-])|[A-Za-z\d]{3,64}(?:-[A-Za-z\d]{3,12}){0,7}(?![\w-])/y;
/** The longest name of a member that is looked at. */
const MAX_NAME = 60;
const MIN_CODE = 6;
const MAX_CODES = 1000;

export const CODE_PATTERNS: readonly RegExp[] = [...NUMBERS, HEAD];
const markedNumbers = new Marked(NUMBERS, toPatternKey);
const markedHeads = new Marked([HEAD], toPatternKey);

/** Codes that are sent to a person, and codes that one keeps. */
export function* findCodes(text: string, sighted: Sighted): Generator<Range> {
  for (const pattern of markedNumbers.choose(sighted)) {
    for (const { 0: match, index, groups } of findMatches(text, pattern)) {
      const code = groups?.['secret'] ?? '';
      const start = index + match.lastIndexOf(code);
      yield { start, end: start + code.length };
    }
  }
  for (const pattern of markedHeads.choose(sighted)) {
    for (const { 0: head, index } of findMatches(text, pattern)) {
      const from = index + head.length;
      yield* readCodes(text, from);
    }
  }
}

/** Reads a list of codes. One without a digit has the groups of the others. */
function* readCodes(text: string, from: number): Generator<Range> {
  let at = skip(REST_OF_HEAD, text, from);
  let groups: string | undefined;
  const withoutDigits: Range[] = [];
  for (let count = 0; count < MAX_CODES; count += 1) {
    const start = skip(BETWEEN, text, at);
    at = skip(CODE, text, start);
    const code = text.slice(start, at);
    const own = code.replace(/[A-Za-z\d]/g, 'x');
    const hasDigit = /\d/.test(code);
    const isOther = groups !== undefined && own !== groups;
    if (code === '' || (isOther && (!hasDigit || withoutDigits.length > 0))) return;
    groups = own;
    const range = { start, end: at };
    // Words of the next sentence may have as many letters.
    const isUnsure = count === 0 || withoutDigits.length > 0 || code.includes(' ');
    if (!hasDigit && isUnsure) withoutDigits.push(range);
    else {
      yield* withoutDigits.splice(0);
      if (code.length >= MIN_CODE) yield range;
    }
  }
}

/** Finds the end of what a pattern matches at a place. */
function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
