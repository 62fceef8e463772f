import type { Range } from '../text/view.ts';
import { findMatches } from './find-matches.ts';
import { Marked, type Sighted, toPatternKey } from './marks.ts';
import { findRandomPieces } from './random-pieces.ts';
import { looksRandom } from './random-words.ts';
import { findBefore, isLikeSecret } from './values.ts';

/** Sentences, lists of users, and arguments of programs that hold a secret. */
export const SENTENCES: readonly RegExp[] = [
  // `use hunter2 as the password`, `hunter2 is my password`.
  /(?:[Uu]s(?:e|ing)|[Tt]ry|[Ww]ith|[Ee]nter|[Tt]ype|[Gg]ive|[Ss]end)[ \t](?:<[A-Za-z]\w{0,10}(?:\s[^<>]{0,100})?>|["'`*]{0,3})(?<secret>[^\s"'`<>(){}]{6,128})["'`*]{0,3}(?:<\/\w{1,10}>)?[ \t](?:as|for|in(?:to)?)[ \t](?:(?:the|my|your|its|our|an?)[ \t])?(?:[A-Za-z]{1,16}[ \t]){0,2}?(?:pass(?:word|wd|phrase|code)|pwd?|PIN|secret|token|(?:api|API|access|secret|private)[ _-]?key|credentials?)(?!\w)/g,
  /[ \t](?:is|was|works as|being)(?<=(?<![^\s"'`(*])(?<secret>[^\s"'`<>(){}]{6,128})["'`*]{0,3}[ \t](?:is|was|works as|being))[ \t](?:the|my|your|our|his|her)[ \t](?:[A-Za-z]{1,16}[ \t]){0,2}?(?:pass(?:word|wd|phrase|code)|pwd?|PIN|secret|token|(?:api|API|access|secret|private)[ _-]?key)(?!\w)/dg,
  // `the passphrase is hunter2`, `set its password to hunter2`.
  /(?:[Pp]ass(?:word|wd|phrase|code)|[Pp]wd?|[Ss]ecret|(?:[Aa]pi|API|[Aa]ccess|[Ss]ecret)[ _-]?[Kk]ey|[Tt]oken)["'`*]{0,3}(?:['’]s|[ \t](?:will be|should be|must be|(?:has been |was |is )?(?:set|changed|reset) to|is now|is|was))[ \t]{0,2}:?[ \t]{0,2}(?:<[A-Za-z]\w{0,10}(?:\s[^<>]{0,100})?>|["'`*]{0,3})(?<secret>[^\s"'`<>(){}]{6,128})/g,
  /(?:[Ss]et|[Cc]hanged?|[Rr]eset|[Uu]pdated?)[ \t](?:[A-Za-z']{1,16}[ \t]){0,4}?(?:pass(?:word|wd|phrase|code)|pwd?|secret|token)[ \t](?:for[ \t]\S{1,40}[ \t])?(?:from[ \t]\S{1,60}[ \t])?(?:to|as)[ \t:]{1,3}["'`*]{0,3}(?<secret>[^\s"'`<>(){}]{6,128})/g,
  // `login: bob / hunter2`, `default credentials are admin:hunter2`.
  /(?<!\w)(?:[Ll]ogins?|[Ll]og(?:ged)? in|[Ss]ign in|[Cc]red(?:ential)?s|[Aa]ccounts?|[Uu]ser(?:name)?[ \t]{0,2}\/[ \t]{0,2}[Pp]ass(?:word)?|ID\/PW|[Ww]i-?[Ff]i)["'`*]{0,3}(?:(?:[ \t]\([^()\n]{1,40}\)|[ \t](?:for|to)[ \t]\S{1,40})?[ \t]{0,4}(?:[:=→]|->)|[ \t](?:is|are|with|as))[ \t]{0,4}["'`*]{0,3}[\w.@+\\\u00c0-\u1fff\u3040-\ud7ff-]{1,64}["'`*]{0,3}(?:[ \t]{0,2}[/|:,][ \t]{0,2}|[ \t](?:and|with)[ \t])["'`*]{0,3}(?<secret>[^\s"'`<>(){}/]{6,128})/g,
  // `u: bob p: hunter2`.
  /(?<!\w)[uU](?:ser(?:name)?)?[ \t]{0,2}[:=][ \t]{0,2}[\w.@+-]{1,64}[\s,;/|]{1,4}[pP](?:w|ass)?[ \t]{0,2}[:=][ \t]{0,2}["'`*]{0,3}(?<secret>[^\s"'`<>(){}]{6,128})/g,
  // A list of users: `bob@example.com:hunter2`.
  /@[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}[:;](?<secret>[^\s"'`<>(){}|/.]{6,128})(?=\.?(?:[\s"'`|<]|$))/g,
  // The key of a network.
  /(?<!\w)WPA[23]?(?:[ \t/-](?:PSK|key|[Pp]ersonal|[Pp]assword))?["'`*]{0,3}[ \t]{0,2}[:=][ \t]{1,4}["'`]?(?<secret>[^\s"'`<>(){}|/]{8,63})(?=["'`]?(?:\s|$))/g,
  // A program that is given a user, and then a password.
  /(?<=\s)(?:-[uUl]|--user(?:name)?|--login)[ \t=]{1,3}(?!-)[\w.@\\-]{1,60}[ \t](?:[^\n|;&]{0,100}?[ \t])?-[pPwW][ \t]{1,2}["'`*]{0,3}(?<secret>[^\s"'`$</.~-][^\s"'`/]{5,128})/g,
];
/** Others, whose values must look random. */
export const RANDOM_SENTENCES: readonly RegExp[] = [
  // A list of users with base64, which looks like a path.
  /@[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}[:;](?<secret>(?!\/)[\w+/]{16,128}={0,2})(?=\.?(?:[\s"'`|<]|$))/g,
  /@[\w-]{1,60}(?:\.[\w-]{1,60}){1,4}[ \t]{0,2}[ \t|/,(][ \t]{0,2}["'`]?(?<secret>[^\s"'`<>(){}|]{8,128})/g,
  /(?<![\w./-])(?:admin|root|administrator|bob|user|test|guest|demo)[ \t]{0,2}[:/|][ \t]{0,2}["'`]?(?<secret>[^\s"'`<>(){}|]{8,128})/g,
  /(?<![\w-])(?:PASS|EAP|XAUTH|[Ii]dentify|\/oper[ \t]\S{1,40}|user[ \t][^\s"'`]{1,40}|key)[ \t:=]{1,3}["']?(?!\w{0,40}[Ii][Dd]=)(?<secret>(?!\/)[A-Za-z\d+/]{20,126}={1,2}(?![\w+/=])|[^\s"'`<>(){}|/]{8,128})/g,
  // `sed 's/DB_PASSWORD/value/'`.
  /(?:pass(?:word|wd)?|PASS(?:WORD|WD)?|secret|SECRET|token|TOKEN|[Kk]ey|KEY)[^\s/|#"']{0,30}[/|#](?<secret>[^\s/|#"'`]{8,128})[/|#]g?["']/g,
  // The only argument of a client, a bot or a cipher.
  /(?:[Cc]lient|[Bb]ot|[Ss]tripe|\.run|Twilio|OpenAI|Anthropic|[Hh]ash(?:::make)?|sha\d{1,3}|KeyStore\.load|ks\.load|FTP|connect|Sequelize|create[A-Z]\w{0,20}|create_\w{1,20}|basic)\((?:(?:["'][^"'\n]{1,100}["']|[^()\n"', \t][^()\n"',]{0,60}),[ \t]?){0,4}b?["'](?<secret>[^\s"'`<>(){}]{8,128})["']/g,
];

/** Others, whose values must look like a secret, and not like an address. */
export const LIKELY_SENTENCES: readonly RegExp[] = [
  // `changed the password from old to new`.
  /(?:[Cc]hang|[Rr]otat|[Uu]pdat|[Rr]eplac|[Rr]eset|[Ss]witch)(?:e|ed|ing|ted|ting)?[ \t](?:[A-Za-z']{1,16}[ \t]){0,4}?(?:pass(?:word|wd|phrase|code)|pwd?|secret|token|(?:api|API|access)[ _-]?key)[ \t](?:for[ \t]\S{1,40}[ \t])?from[ \t:]{1,3}["'`*]{0,3}(?<secret>[^\s"'`<>(){}|]{8,128})/g,
  /(?:[Rr]otat|[Rr]eplac|[Ss]witch)(?:e|ed|ing)?[ \t](?:[A-Za-z']{1,16}[ \t]){0,4}?(?:pass(?:word|wd|phrase|code)|pwd?|secret|token|(?:api|API|access)[ _-]?key)[ \t](?:for[ \t]\S{1,40}[ \t])?(?:from[ \t]\S{1,128}[ \t])?(?:to|with|by)[ \t:]{1,3}["'`*]{0,3}(?<secret>[^\s"'`<>(){}|]{8,128})(?=[\s"'`<>){}|]|$)/g,
  // `What is the password?`, and below it `> value`.
  /(?:pass(?:word|wd|phrase|code)|pwd|secret|token|(?:api|API|access)[ _-]?key)[^\n?]{0,60}\?["'`*]{0,3}\s{1,4}(?:[>*-]{1,2}[ \t]|A(?:nswer)?:[ \t])?["'`*]{0,3}(?<secret>[^\s"'`<>(){}|]{8,128})(?=["'`*]{0,3}(?:\s|$))/g,
  // `here is my key: value`, `my OpenAI key is value`.
  /(?<!\w)(?:[Mm]y|[Yy]our|[Oo]ur)[ \t](?:(?!public|cache|primary|foreign|partition|sort|row|object|lookup|idempotency)[A-Za-z.]{2,20}[ \t]){0,2}?key["'`*]{0,3}(?:[ \t](?:is|was)(?:[ \t]now)?:?|[ \t]{0,2}(?:[:=]|->))[ \t]{1,4}["'`*]{0,3}(?<secret>[^\s"'`<>(){}|]{16,128})/g,
  // `creds bob / value`, `u/p: bob:value`, `use bob:value to log in`.
  /(?<!\w)(?:[Ll]ogins?|[Cc]red(?:ential)?s|[Aa]ccounts?|u\/p|(?:[Uu]ser(?:name)?|id)[ \t]?\/[ \t]?[Pp](?:ass(?:word)?|w)|[Zz]ugangsdaten|[Ii]dentifiants|[Cc]redenciales|[Cc]redenziali|[Uu]se|[Ww]ith)["'`*]{0,3}[ \t:=]{1,4}["'`]?[\w.@+\\\u00c0-\u1fff\u3040-\ud7ff-]{1,64}[ \t]{0,2}[/:|,][ \t]{0,2}["'`]?(?<secret>(?!:)[^\s"'`<>(){}|]{8,128})/g,
];

const ADDRESS = /@[\w-]{1,60}\.[A-Za-z]/;
/** A word with a number or a sign in it, no number, no address, no name of an algorithm or of a type, no time. */
const UNCOMMON =
  /^(?=[^A-Za-z]{0,64}[A-Za-z])(?=[^]{0,128}(?:\d|[!#$%^&*~?@][^]))(?![\w.-]{1,64}:\/\/|[$%{[<@#~.\\/-]|(?:[a-z]{2,8}[-_]?\d{1,4}$)|[^]*(?:=>|::|\(|\.[a-z]{2,4}$)|(?:sha|md|base|utf|aes|rsa|hs|rs|es|v|http|oauth|x)-?\d|\d+[a-z]{1,4}$|(?:\d{4}-\d\d-\d\dT)?\d\d:\d\d(?::\d\d)?(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?$)/i;
/** `hunter2`. */
const WORD_AND_NUMBER = /^[a-z]{4,}\d{1,4}[!.?]?$/i;

const marked = new Marked(SENTENCES, toPatternKey);
const markedLikely = new Marked(LIKELY_SENTENCES, toPatternKey);
const markedRandom = new Marked(RANDOM_SENTENCES, toPatternKey);

/** Finds the secrets that sentences name. */
export function* findInSentences(text: string, sighted: Sighted): Generator<Range> {
  for (const pattern of marked.choose(sighted)) {
    for (const range of findValues(text, pattern)) {
      const value = text.slice(range.start, range.end);
      if (UNCOMMON.test(value) || WORD_AND_NUMBER.test(value)) yield range;
    }
  }
  for (const pattern of markedRandom.choose(sighted)) {
    for (const range of findValues(text, pattern)) {
      const whole = text.slice(range.start, range.end);
      if (!looksRandom(whole)) continue;
      for (const { start, end } of findRandomPieces(whole, text.charAt(range.start - 1))) {
        yield { start: range.start + start, end: range.start + end };
      }
    }
  }
  for (const pattern of markedLikely.choose(sighted)) {
    for (const range of findValues(text, pattern)) {
      const whole = text.slice(range.start, range.end);
      const value = findBefore(whole, isLikeSecret);
      if (value === undefined || ADDRESS.test(value)) continue;
      yield { start: range.start, end: range.start + value.length };
    }
  }
}

/** Finds the values of a pattern; the sign that ends a sentence is none of them. */
function* findValues(text: string, pattern: RegExp): Generator<Range> {
  for (const { 0: match, index, groups, indices } of findMatches(text, pattern)) {
    const found = groups?.['secret'] ?? '';
    const value = found.replace(/[.,;:)\]\\]{1,3}$/, '');
    const [start] = indices?.groups?.['secret'] ?? [index + match.lastIndexOf(found)];
    if (value.length > 5) yield { start, end: start + value.length };
  }
}
