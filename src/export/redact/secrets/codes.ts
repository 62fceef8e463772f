import type { Range } from '../text/view.ts';
import { findMatches } from './find-matches.ts';
import { Marked, type Sighted, toPatternKey } from './marks.ts';

/** A number that opens something, behind its name or before it. */
const NUMBERS: readonly RegExp[] = [
  /(?:(?<=[a-z]_)pin|(?<=[a-z])Pin)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?<secret>\d{4,8})(?![\w:/%-]|\.\w)/g,
  /(?<![A-Za-z\d])(?:(?<!_)[Pp]ins?(?:[ _-]?codes?)?|PINs?(?: codes?)?|PUK|puk|CVV|CVC|cvv|T?OTP|t?otp|[Pp]asscode|(?:one[ -]time|temporary)[ -]pass(?:word|code)|(?:[Vv]erification|[Ss]ecurity|[Ll]ogin|[Ss]ign-?in|[Oo]ne[ -][Tt]ime|[Aa]uthenticat(?:ion|or)|[Cc]onfirmation|[Aa]ccess|[Uu]nlock|[Aa]ctivation|[Pp]airing|[Dd]oor|[Gg]ate|[Aa]larm|SMS|sms|[Ee]mail|2FA|2fa|MFA|mfa|OTP|otp|[Aa]uth|[Dd]evice|[Rr]ecovery|[Bb]ackup)[ _]?(?:[Cc]odes?|[Tt]oken|[Pp]in|PIN))["'`*]{0,3}(?:[ \t]{0,4}\([^()\n]{0,40}\))?[ \t]{0,4}(?:(?:[:=]|=>|is|was|are|for [^\n:]{1,40}?(?::| is))[ \t:]{0,4})?(?:(?:<\/?[A-Za-z]\w{0,10}(?:\s[^<>]{0,100})?>[\s:]{0,20}){1,6}|["'`*]{0,3})(?<secret>\d{4,8}|\d{3}[ -]\d{3}|[A-Z]{1,2}-\d{4,8})(?![\w:/%-]|\.\w|[ \t]?(?:ms|px|MB|kB|bytes|chars|s|times|Hz)(?!\w))/g,
  /(?<![\w./:#-])(?:[A-Z]-)?(?<secret>\d{4,8}|\d{3}[ -]\d{3})["'`*]{0,3}[ \t](?:is|as|was)[ \t](?:[a-z]{1,4}[ \t])?(?:[A-Za-z\d-]{1,20}[ \t]){0,3}(?:code|PIN|OTP|passcode|pin)(?!\w)/g,
  /(?:[Ee]nter|[Uu]se|[Tt]ype|[Yy]our)[ \t](?:the[ \t])?code(?:[ \t](?:is|below))?(?::|(?=[ \t<]))[ \t]{0,2}(?:(?:<\/?[A-Za-z]\w{0,10}(?:\s[^<>]{0,100})?>[\s:]{0,20}){1,6}|["'`*]{0,3})(?<secret>\d{4,8}|\d{3}[ -]\d{3})(?![\w:/%-]|\.\w)/g,
];
/** The head of a list of codes that stand in for a second factor. */
const HEAD =
  /(?:recovery|back-?up|scratch|emergency|single-use)(?:[ _-]|(?<=[a-z])(?=C))(?:scratch[ _-])?codes?/gi;
const MAX_LIST = 400;
/** What comes before the next sentence, in lines of codes. */
const LIST =
  /^["'`*]{0,3}(?:[ \t]{1,4}(?:are|is|were))?[ \t]{0,4}[:=(]?[ \t]{0,4}["'`*]{0,3}(?:[\s[("',`*•|>#$/+-]{0,40}(?:\d{1,6}(?:[.)]|(?=[\t→:|]))[ \t→:|]{1,4}){0,2}[\s("'`*•>#$/+-]{0,12}(?:\d{1,2}[.)][ \t]{1,4})?(?=[A-Za-z-]{0,12}\d)[A-Za-z\d]{3,12}(?:[ -][A-Za-z\d]{3,12}){0,7}(?![\w-])[\s\])"',`*;|]{0,8}){1,24}/;
const CODE =
  /(?=[A-Za-z-]{0,12}\d)[A-Za-z\d]{3,12}(?:[ -](?=[A-Za-z]{0,12}\d)[A-Za-z\d]{3,12}){0,7}/g;

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
      const [list = ''] = LIST.exec(text.slice(from, from + MAX_LIST)) ?? [];
      for (const { 0: code, index: at } of findMatches(list, CODE)) {
        if (code.length > 5) yield { start: from + at, end: from + at + code.length };
      }
    }
  }
}
