import type { Range } from '../text/view.ts';
import type { SecretPattern } from './find.ts';
import { findInRow, findMatches } from './find-matches.ts';
import { Marked, type Sighted, toPatternKey } from './marks.ts';
import { isLikeSecret } from './values.ts';

/** The header, in any quoting, up to its value. */
const SCHEMES: readonly RegExp[] = [
  /(?<![A-Za-z\d])authorization["'`\]]{0,2}[ \t]{0,8}(?:=>|[:=,])[ \t]{0,8}["'`]?(?:(?:basic|bearer|token|apikey|digest|negotiate|bot|aws4-hmac-sha256)[ \t]{1,4})?(?<secret>(?![\w-]{1,40}=\\?["'])(?=[^\s"'`]{0,250}[\d=])[^\s"'`,$<{](?:[^\s"'`,<]|<(?!\/)){5,})/gi,
  /(?<![\w-])(?:bearer|basic|geniekey|splunk|ssws|apikey)[ \t]{1,4}(?<secret>(?=[\w.~+/-]{0,250}\d)[\w.~+/-]{16,}={0,2})/gi,
  // A header in the configuration of a server: `proxy_set_header Authorization "Bearer value"`.
  /(?<![A-Za-z\d])authorization[ \t]{1,8}["'](?:basic|bearer|token|apikey|digest|negotiate|bot)[ \t]{1,4}(?<secret>(?=[^\s"']{0,250}[\d=])[^\s"'$%<{][^\s"']{5,512})["']/gi,
];
/** Of a scheme that is not known, what looks like a secret. */
const OTHER_SCHEMES: readonly RegExp[] = [
  /(?<![A-Za-z\d])authorization["'`\]]{0,2}[ \t]{0,8}(?:=>|[:=,])[ \t]{0,8}[bfru]?["'`]?[A-Za-z][\w.-]{0,40}[ \t]{1,4}(?:["'`](?:[ \t]?[+.][ \t]?["'`])?)?(?:[\w.@-]{1,60}:)?(?<secret>[^\s"'`,$<{](?:[^\s"'`,<]|<(?!\/)){7,})/gi,
  /(?<![A-Za-z\d])authorization[ \t]{1,8}["'][A-Za-z][\w.-]{0,40}[ \t]{1,4}(?<secret>[^\s"'$%<{][^\s"']{7,512})["']/gi,
  /(?<![\w-])(?:geniekey|splunk|ssws|(?:[\w-]{1,20}-)?api-?(?:key|token)|(?:[\w-]{1,20}-)?oauthtoken|ntlm|negotiate|oauth|digest)[ \t]{1,4}["']?(?<secret>[\w.~+/!@#$%^&*-]{8,512}={0,2})/gi,
];

function isLikely(value: string): boolean {
  return isLikeSecret(value) || (value.length > 11 && /\d/.test(value));
}

export const AUTHORIZATION: readonly SecretPattern[] = [
  ...SCHEMES.map((pattern) => ({ rule: 'authorization', pattern })),
  ...OTHER_SCHEMES.map((pattern) => ({ rule: 'authorization', pattern, isSecret: isLikely })),
];

/** The header, its scheme, and parameters behind it: `Digest username="bob", response="…"`. */
export const PARAMETERS =
  /(?<![A-Za-z\d])authorization["'`\]]{0,2}[ \t]{0,8}(?:=>|[:=,])[ \t]{0,8}[bfru]?["'`]?[A-Za-z][\w.-]{0,40}(?=[ \t]{1,4}[\w-]{1,40}=)/gi;
const PARAMETER =
  /[ \t,]{1,8}(?<name>[\w-]{1,40})=(?:\\?"(?<quoted>[^"\\\r\n]{0,2048})\\?"?|\\?["']?(?<value>[^\s"',\\]{1,2048})\\?["']?)/y;
const IS_SECRET = /response|signature|^sig|mac$|token|secret|password|auth|key$/i;
const MAX_PARAMETERS = 100;

const marked = new Marked([PARAMETERS], toPatternKey);

/** Finds the secrets among the parameters of a header. */
export function* findParameters(text: string, sighted: Sighted): Generator<Range> {
  for (const pattern of marked.choose(sighted)) {
    for (const { 0: head, index } of findMatches(text, pattern)) {
      const from = index + head.length;
      for (const match of findInRow(text, PARAMETER, from, MAX_PARAMETERS)) {
        const { name = '', quoted } = match.groups ?? {};
        const value = quoted ?? match.groups?.['value'] ?? '';
        const start = match.index + match[0].lastIndexOf(value);
        if (IS_SECRET.test(name) && value.length > 5) yield { start, end: start + value.length };
      }
    }
  }
}
