import type { Range } from '../text/view.ts';
import { findMatches } from './find-matches.ts';
import { Marked, type Sighted, toPatternKey } from './marks.ts';
import { FOREIGN_NAMES } from './foreign-names.ts';
import { judgeName, LIKELY } from './secret-names.ts';

/** The name of a secret in a text, as programs and people write it. */
export interface NameInText extends Range {
  readonly name: string;
  /** Whether it is a word of another language than English. */
  readonly isForeign?: boolean;
}

const MAX_BEFORE = 60;
const MAX_AFTER = 40;
const IN_NAME = /[\w.-]/;
/** The account before the type of a resource in the cloud: `arn:aws:secretsmanager:eu-west-1:123456789012:secret:db`. */
const IN_ARN = /:\d{12}:$/;
/** Ends a sentence, or leads to the value. */
const TRAILING = /[._-]{1,100}$/;

/** Two words, as people write them, and a number behind them: `Unseal Key 1`. */
export const TWO_WORDS =
  /(?<![\w.-])(?:api|access|secret|private|auth|licen[cs]e|client|signing|encryption|decryption|aes|hmac|recovery|account|shared|service|unseal|root|master|device|set-?up|verification|activation|product|wpa|wi-?fi|network|pre-?shared|integration|security|join|session|refresh|bearer|bot|app|application|admin|user|deploy|webhook|registration|bootstrap|enrollment|cluster|subscription|authentication|authorization|consumer|server|host|storage|pairing|invite|unlock|login|sso|mfa|2fa|backup)[ \t_-](?:key|token|secret|code|pass(?:word|code|phrase|key)?|pw|pin)(?:[ \t]\d{1,2}(?!\d))?(?![\w-])/gi;

const marked = new Marked([TWO_WORDS], toPatternKey);

/** Finds the names of secrets, first to last. */
export function findNames(text: string, sighted: Sighted): readonly NameInText[] {
  const found = [...findWords(text, sighted)];
  const others: NameInText[] = [];
  for (const pattern of marked.choose(sighted)) {
    for (const { 0: match, index } of findMatches(text, pattern)) {
      others.push({ name: 'secret_key', start: index, end: index + match.length });
    }
  }
  for (const { 0: match, index } of findMatches(text, FOREIGN_NAMES)) {
    others.push({ name: 'password', start: index, end: index + match.length, isForeign: true });
  }
  if (others.length === 0) return found;
  return [...found, ...others].toSorted((a, b) => a.end - b.end);
}

/** An assignment, or a member whose value is in quotes. */
const SET_TO =
  /["'`\])]{0,3}[ \t]{0,40}(?:(?::[ \t]{1,4}[&\w.<>'][&\w.<>' ]{0,40}[ \t])?[?:|+]?=(?!=)|:[ \t]{0,8}["'`])/y;
/** The only word behind it on its line. */
const ALONE = /:[ \t]{1,8}\S{6,128}[ \t]{0,8}(?:\r?\n|$)/y;
/** A member in capital letters, other than a result of tests and a sum of them. */
const OTHER_MEMBER =
  /^[ \t-]{0,40}(?!(?:PASS|FAIL|SKIP|XFAIL|XPASS|ERROR|WARN|TOTAL|OK):)[A-Z][A-Z\d_]{2,60}:[ \t]/;
/** The length of what is looked at of the lines above and below. */
const MAX_BESIDE = 300;

/** Finds what `PASS` is: the name of a password, perhaps one, or the result of a test, as in `PASS: TestName`. */
function* findPass(text: string, range: Range): Generator<NameInText> {
  const { start, end } = range;
  const isBehind = (pattern: RegExp): boolean => {
    pattern.lastIndex = end;
    return pattern.test(text);
  };
  const isAlone = isBehind(ALONE);
  const below = text.slice(ALONE.lastIndex, ALONE.lastIndex + MAX_BESIDE);
  const above =
    text
      .slice(Math.max(0, start - MAX_BESIDE), start)
      .split('\n')
      .at(-2) ?? '';
  const isOneOfSeveral = isAlone && (OTHER_MEMBER.test(below) || OTHER_MEMBER.test(above));
  if (isBehind(SET_TO) || isOneOfSeveral) yield { name: 'PASS', ...range };
  if (isAlone || /["'`]/.test(text.charAt(start - 1))) yield { name: LIKELY, ...range };
}

/** Finds the names of one word. */
function* findWords(text: string, { names }: Sighted): Generator<NameInText> {
  let done = 0;
  for (const at of names) {
    if (at < done) continue;
    let start = at;
    while (start > 0 && at - start < MAX_BEFORE && IN_NAME.test(text.charAt(start - 1))) start -= 1;
    let end = at + 2;
    while (end - at < MAX_AFTER && IN_NAME.test(text.charAt(end))) end += 1;
    // A longer name may have another such word farther on: `AUTHELIA_AUTHENTICATION_BACKEND_LDAP_PASSWORD`.
    done = IN_NAME.test(text.charAt(end)) ? at + 1 : end;
    const name = text.slice(start, end).replace(TRAILING, '');
    if (IN_ARN.test(text.slice(Math.max(0, start - 14), start))) continue;
    if (isImage(text, { name, start, end: start + name.length })) continue;
    if (name === 'PASS') yield* findPass(text, { start, end: start + name.length });
    else if (judgeName(name) !== 'none') yield { name, start, end: start + name.length };
  }
}

/** A version of the image of a container, or the commit that it was made of. */
const TAG = /:(?![\da-f]{32}(?![\da-f]))[a-z\d][a-z\d._-]{0,127}(?=[\s"'`,;)\]}]|$)/y;

/** Returns whether a name is the last of the path of an image, as in `ghcr.io/acme/auth:v1.2.3-4f2a9c1b`. */
function isImage(text: string, { name, start, end }: NameInText): boolean {
  TAG.lastIndex = end;
  return (
    /[\w-]\/$/.test(text.slice(Math.max(0, start - 2), start)) &&
    TAG.test(text) &&
    judgeName(name) === 'weak'
  );
}
