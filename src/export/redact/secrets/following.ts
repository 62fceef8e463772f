import type { Range } from '../text/view.ts';
import type { NameInText } from './names.ts';
import { findRandomPieces } from './random-pieces.ts';
import { looksRandom } from './random-words.ts';
import { Values } from './read-value.ts';
import { isSecretValue, MIN_LENGTH } from './secret-names.ts';
import { isUnspacedSentence } from './unspaced.ts';
import { findBefore, isLikeSecret } from './values.ts';

export interface Named {
  readonly name: string;
  readonly value: string;
  readonly isQuoted: boolean;
}

/**
 * An assignment of `.env`, yaml, ini, shells, URLs, JDBC, JSON or code, behind the name; no `TestToken::test_v2`, and no
 * `id="password" :rules="x"` of Vue.
 */
const ASSIGNED =
  /(?:\\{1,8}["']|["'`[\]*_!?]{0,4})(?:[ \t]{1,4}\{[ \t]{0,4}get;[^{}\n]{0,40}\}|:(?:"?[\w\\]{1,80}"?:)?(?:private|protected)\]|:[ \t]{1,4}(?:&'static[ \t])?[&\w.<>]{1,40}(?: \| \w{1,40})?(?=[ \t]|=[ \t]{0,4}["']))?[ \t]{0,40}(?:=>|[|?:+]{0,2}=(?!={1,2}[\w$]|(?<=!=)[\w$])|:(?!\/\/|:[A-Za-z]?[a-z]{1,30}\d{0,3}(?:_?[A-Z][a-z]{1,30}\d{0,3}|_[a-z]{1,30}\d{0,3}|_\d{1,3}){0,12}(?![\w!#$%&*+=~?@^-])|(?<=["'][ \t]{1,40}:)[a-z][\w.:-]{0,60}=["']))\*{0,2}[ \t]{0,40}(?:\\\r?\n[ \t]{0,40})?(?:\s{0,40}string\(\d{1,5}\)[ ](?=")|0x[\da-f]{4,16}[ ](?=")|\[[ \t]{0,4}(?=["'])|!!?\w{1,20}[ \t]|&\w{1,40}[ \t]|''(?=')|""(?=")|(?:R"|%[qQ]?|~[sS]|q{1,2})[([{|]|\[\[|''(?=[^\s'"`,;)\]}]{4,256}'')|``(?=[^\s'"`]{4,256}``)|[A-Za-z@$]{1,3}#{0,3}(?:""(?=")|''(?=')|(?=(?<quote>["'])[^\n]{0,2000}?\k<quote>(?!\w)))|["']?(?:\$\(|`)(?:echo|printf)[ \t]{1,4}(?:-\w{1,3}[ \t]{1,4}|["']?%s(?:\\n)?["']?[ \t]{1,4}){0,2}|(?:new[ \t])?(?:String(?:::from)?|\[\]byte|bytes|bytearray|Some|Just|Buffer\.from|\w{0,20}Secret\w{0,10}(?:::new|::from)?|T\.pack|std::string|QString|\w{1,10}\.GetBytes|TextEncoder\(\)\.encode|_T|TEXT)\((?=["']))?/y;
/** A remark between a name and its sign: `password (production)`, `password for bob`. */
const ABOUT =
  /(?:[ \t]\*)?["'`*)\]}]{0,4}(?:[ \t](?:value|word|phrase|string))?(?:[ \t](?:\([^()\n]{1,40}\)|(?:\[[^[\]\n]{1,40}\][ \t]?){1,3}(?<![ \t])))?(?:[ \t](?:for|of|on|at|to|in|von|zum|zur|zu|de|del|della|da|do|di|d|für|för|til|till|pour|para|per|от|для|к|k|van|voor|của)[ \t'](?:(?:the|my|our|your|user|den|der|die|das|dem|la|le|les|el|los|las|il|lo|l|o|a|os|as|um|het)[ \t'])?(?:["'`*]{1,3}[^\n="'`*()]{1,60}["'`*]{1,3}|[^\s:="'`()]{1,60})){0,2}/y;
/** A remark of any words before a verb of another language: `le mot de passe du serveur est `. */
const REMARK =
  /["'`*)\]}]{0,4}(?:[ \t'’][\p{L}\p{M}-]{1,30}){1,6}?(?=[ \t](?:ist|lautet|è|é|es|est|är|er|je|este|là|jest|adalah|είναι|היא|هي)[ \t:])/uy;
/** Such a remark before a sign, or a verb that is a word of English, too: `пароль для базы данных: `. */
const FOREIGN_REMARK =
  /["'`*)\]}]{0,4}(?:[ \t'’][\p{L}\p{M}-]{1,30}){1,6}?(?=[ \t]{0,2}[:：=—–→]|[ \t](?:-[ \t]|(?:on|to)[ \t:]))/uy;
/** Texts between a name and a value that is less sure: the value must look like a secret, too. */
const LEADS: readonly RegExp[] = [
  // A sign, as tables, lists and people draw it: `password → value`, `password ..... value`, `password|value`.
  /["'`*)\]}]{0,4}[ \t]{0,20}(?:[:=|│┃║—–→»›>~•·⇒…#-]{1,3}|\.{1,60}:|\.{2,60}|_{2,20}|\/(?=[ \t"'`])|[,;])[ \t]{0,20}(?:(?:[→>=|›»…-]|->|=>)[ \t]{1,4})?[[({<]{0,2}\*{0,3}/y,
  // Any other sign between blanks.
  /["'`*)\]}]{0,4}[ \t:]{1,20}[\p{S}\p{Po}\p{Pd}]{1,3}\ufe0f?[ \t]{1,20}\*{0,3}/uy,
  // The end of a question: `What is your API key? value`.
  /["'`*)\]}]{0,4}\?[ \t]{1,4}(?:[›»…][ \t]{1,4})?/y,
  // A bracket: `password [value]`.
  /["'`*)\]}]{0,4}[ \t]{0,4}[:：=]?[ \t]{0,4}(?:[[({<]{1,2}|[「『“„«‹][ \u00a0\u202f]?)/y,
  // A verb, or nothing: `password is value`, `la contraseña es value`.
  /["'`*)\]}]{0,4}[ \t]{1,20}(?:(?:is|was|are|IS|WAS|ist|lautet|è|é|es|est|to|er|är|je|on|este|là|jest|adalah|είναι|היא|هي)[: \t]{1,4}(?:(?:still|currently|now|actually|just|simply|noch|aktuell|jetzt|toujours|todavía|ainda|ancora)[ \t])?)?:?[ \t]{0,4}\*{0,3}/y,
  // A verb of a language without blanks.
  /["'`*)\]}]{0,4}[ \t]{0,4}(?:是|为|為|は|는|은|が)[:：]?[ \t]{0,4}(?:\*{1,3}|[「『“«‹])?/y,
  // The end of an element of a page, and the beginning of another: `<b>Password:</b> <code>value`, `password is <b>value`.
  /[ \t]{0,4}(?:[ \t](?:is|was|are|ist|lautet|è|é|es|est|är|er|is now|is set to))?[ \t]{0,4}:?[ \t]{0,4}(?:<\/?[A-Za-z]\w{0,10}(?:\s[^<>]{0,100})?>[\s:]{0,20}){1,6}/y,
  // A string of several lines: a block of YAML, a here document, three quotes.
  /["'`*)\]}]{0,4}[ \t]{0,20}(?::=|=>|[:=])[ \t]{0,20}(?:(?:!!?\w{1,20}[ \t]|&\w{1,40}[ \t]){0,2}[|>](?:[+-]?\d?|\d[+-])(?:[ \t]{1,8}#[^\n]{0,100})?|<{2,3}[-~]?["']?\w{1,30}["']?[;.\w()]{0,20}|[A-Za-z]{0,2}(?:"{3}|'{3})\\?|@?["']\\?|''|\|{3}|\[=?\[)(?:[ \t]{0,8}\r?\n){1,3}[ \t]{0,40}/y,
  // A remark between a name and its value, which is on the next line: `password: # old`, `password = // old`.
  /["'`*)\]}]{0,4}[ \t]{0,20}(?::=|=>|[:=])[ \t]{0,8}(?:[|>][+-]?|\()?[ \t]{0,8}(?:(?:#|\/\/|\/\*|--)[^\n]{0,120})?\r?\n(?:[ \t]{0,40}(?:#|\/\/|--)[^\n]{0,120}\n){0,3}[ \t]{0,40}/y,
  // A part of a form, with more headers.
  /(?<=form-data;[ \t]{1,4}name=["']?[\w.[\]-]{1,80})\]?["']?(?:;[^\r\n]{0,200})?\r?\n(?:[A-Za-z][\w-]{1,40}:[^\r\n]{0,200}\r?\n){0,4}\r?\n/y,
  // A field of a page with more than its text, as Playwright shows it.
  /:\r?\n[ \t]{1,80}- (?:\/placeholder:[^\n]{0,120}\r?\n[ \t]{1,80}- )?text:[ \t]{1,4}/y,
  // The end of the line; the next of a list of checksums is none.
  /["'`*)\]}]{0,4}(?:[ \t](?:is|was|are|ist))?[ \t]{0,4}:?[ \t]{0,4}(?:\\|[|>][+-]?)?\r?\n[ \t]{0,40}(?:(?:[→>•*+-]|=>|(?:\([\w *:]{1,60}\)[ ])?\$R?\d{1,4} =(?:[ ]0x[\da-f]{4,16})?|Out\[\d{1,4}\]:|\[1\])[ \t]{1,4})?(?=[^\s-])(?![\da-f]{32,128} [ *][\w./-])/y,
];
/** The first sign of a language without blanks. */
const FIRST_IDEOGRAPH = 0x3000;
/** A value, and no text for people in such a language. */
const LETTERS_AND_DIGITS = /^(?=[^]{0,128}\d)[^]{0,128}[A-Za-z]/;
/** The rest of a sentence without blanks. */
const REST_OF_SENTENCE = /[\u3000-\u9fff\uac00-\ud7ff]{1,20}$/;
/** A sign that only a sentence has, such a one or another, or a picture: `（root）`, `—keep it`. */
const SIGN_OF_SENTENCE =
  /[,;:(/|[{<]{0,2}(?:[\u00b7\u060c\u061b\u061f\u06d4\u0964\u0e00-\u0e7f\u2013-\u2027\u2190-\u2bff\u3000-\u9fff\uac00-\ud7ff\uff01-\uffee]|(?![\d#*])\p{Extended_Pictographic})/u;
/** A file of users, whose passwords are elsewhere, or the program. */
const SYSTEM_FILE =
  /\/(?:etc|s?bin)\/(?:[\w.-]{1,40}\/){0,4}(?:(?:ch|g)?passwd-?|common-password)(?![\w.-])[^\n]{0,60}\n?[ \t]{0,40}$/;

/** Finds the values that stand right behind names. */
export function* findFollowing(text: string, names: readonly NameInText[]): Generator<Range> {
  const others = new Set(names);
  for (const found of findBehind(text, names, { lead: ASSIGNED, isSecret: isSure })) {
    others.delete(found.behind);
    yield found;
  }
  const left = [...others];
  const foreign = left.filter(({ isForeign }) => isForeign);
  const lists = [
    left,
    readBehind(text, left, ABOUT),
    readBehind(text, left, REMARK),
    readBehind(text, foreign, FOREIGN_REMARK),
  ];
  for (const lead of LEADS) {
    for (const list of lists) {
      yield* takeCells(text, findBehind(text, list, { lead, isSecret: isLikely }));
    }
  }
}

/** Returns the names that a remark follows, with it. */
function readBehind(
  text: string,
  names: readonly NameInText[],
  remark: RegExp,
): readonly NameInText[] {
  return names.flatMap((name) => {
    remark.lastIndex = name.end;
    const hasMore = remark.test(text) && remark.lastIndex > name.end;
    return hasMore ? [{ ...name, end: remark.lastIndex }] : [];
  });
}

/** Takes the cells that look random, if a value is a row below the names of its columns. */
function* takeCells(text: string, founds: Iterable<Behind>): Generator<Range> {
  for (const { behind, start: from, end: to } of founds) {
    for (const { start, end } of findRandomPieces(
      text.slice(from, to),
      text.charAt(behind.start - 1),
    )) {
      yield { start: from + start, end: from + end };
    }
  }
}

interface Behind extends Range {
  readonly behind: NameInText;
}

interface Place {
  /** The text between a name and its value. */
  readonly lead: RegExp;
  readonly isSecret: (named: Named) => boolean;
}

function* findBehind(
  text: string,
  names: readonly NameInText[],
  { lead, isSecret }: Place,
): Generator<Behind> {
  const values = new Values(text);
  for (const behind of names) {
    const { name } = behind;
    lead.lastIndex = behind.end;
    if (!lead.test(text)) continue;
    const { start, end, isQuoted } = values.read(lead.lastIndex);
    if (end - start < MIN_LENGTH) continue;
    const whole = text.slice(start, end);
    const isWhole = isQuoted && LETTERS_AND_DIGITS.test(whole);
    const isFollowed = !isWhole && text.charCodeAt(end - 1) >= FIRST_IDEOGRAPH;
    if (isUnspacedSentence(whole)) continue;
    const first = isFollowed ? whole.replace(REST_OF_SENTENCE, '') : whole;
    const isOne = (one: string): boolean => isSecret({ name, value: one, isQuoted });
    const value = findBefore(first, isOne) ?? findBefore(cutSentence(whole), isOne);
    if (value === undefined) continue;
    if (isSystemFile(name, text, start)) continue;
    yield { behind, start, end: start + value.length };
  }
}

/** The limit of the characters before such a sign. */
const MAX_BEFORE_SIGN = 128;

function cutSentence(word: string): string {
  const beginning = word.slice(0, MAX_BEFORE_SIGN);
  const at = beginning.search(SIGN_OF_SENTENCE);
  return at === -1 ? '' : beginning.slice(0, at);
}

export function isSure({ name, value, isQuoted }: Named): boolean {
  // Programs have `PASS` for a result, too.
  const isVariable = name !== 'PASS' && /^[A-Z\d_]+$/.test(name);
  return isSecretValue({ name, value, isText: isQuoted || isVariable });
}

/** A parameter, a mention, a tag. */
const MAY_BE_REFERENCE = /^[@!*%$]\w*$/;

export function isLikely({ name, value }: Omit<Named, 'isQuoted'>): boolean {
  // The result of a test stands beside what was tested.
  if (name === 'PASS') return false;
  if (MAY_BE_REFERENCE.test(value) && !looksRandom(value)) return false;
  return isLikeSecret(value) && isSecretValue({ name, value, isText: true });
}

/** Returns whether the name before a value is the name of a file, such as `/etc/passwd`. */
export function isSystemFile(name: string, text: string, at: number): boolean {
  if (!/^(?:ch|g)?passwd|^common-password/.test(name)) return false;
  return SYSTEM_FILE.test(text.slice(Math.max(0, at - 200), at));
}
