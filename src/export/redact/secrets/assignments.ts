import { findCells } from './columns.ts';
import { looksRandom } from './random-words.ts';
import { isSecretValue, judgeName } from './secret-names.ts';
import type { Find } from './find.ts';
import { findMatches } from './find-matches.ts';
import { findMarks, Marked, mayNameSecret, type Sighted, toPatternKey } from './marks.ts';
import { findCodes } from './codes.ts';
import { findHeld } from './holders.ts';
import { findInputs } from './inputs.ts';
import { findNearValues } from './near-values.ts';
import { findNearWords } from './near-words.ts';
import { findOutputs } from './outputs.ts';
import { findPlaced } from './placed.ts';
import { findInSentences } from './sentences.ts';
import type { Range } from '../text/view.ts';

/** Patterns of text before a value that names it: each match ends where the value begins. */
export const NAMES: readonly RegExp[] = [
  // An assignment of `.env`, yaml, ini, shells, URLs, JDBC, JSON or code. It looks back from the sign, as there
  // are fewer.
  /(?:=>|[|?:+]{0,2}=|:(?!\/\/))(?<=(?<![\w.-])(?<name>[\w.-]{2,100})["'`[\]*!?]{0,4}(?::[ \t]{1,4}[&\w.<>]{1,40}(?: \| \w{1,40})?)?[ \t]{0,40}(?:[|?:+]{0,2}=|=>|:))\*{0,2}[ \t]{0,40}(?:\[[ \t]{0,4}(?=["'])|!!?\w{1,20}[ \t]|&\w{1,40}[ \t]|''(?=')|""(?=")|(?:R"|%[qQ]?|~[sS]|q{1,2})[([{|]|\[\[|[A-Za-z@$]{1,3}#{0,3}(?=["'])|["']?(?:\$\(|`)(?:echo|printf)[ \t]{1,4}(?:-\w{1,3}[ \t]{1,4}|["']?%s(?:\\n)?["']?[ \t]{1,4}){0,2}|(?:new[ \t])?(?:String(?:::from)?|\[\]byte|bytes|bytearray|Some|Just|Buffer\.from|\w{0,20}Secret\w{0,10}(?:::new|::from)?|T\.pack|std::string|QString|\w{1,10}\.GetBytes|TextEncoder\(\)\.encode|_T|TEXT)\((?=["']))?/g,
  // `.password("value")`, `setPassword("value")`.
  /\((?=["'][^"'\n]{0,250}[\d!#$%^&*+=~?@-])(?<=(?:\.|(?<![A-Za-z\d])(?:set|with)_?)(?!get|check|is|has|find|verify|validate|compare|hash)(?<name>[A-Za-z]\w{1,40})\()/g,
  // `setenv("DB_PASSWORD", "value")`, `put("password", "value")`, `fill('#password', 'value')`. A plain word is
  // what a program calls something, and a text before a colon is a name.
  /(?:(?:put|set|add|append|type|fill|[Ss]et\w{1,20})\(["'][#.]?(?<name>[\w.-]{2,100})|(?<![\w.-])(?<variable>[A-Z][A-Z\d]{0,40}_[A-Z\d_]{1,60}))["'],[ \t]{0,4}(?=["'](?![A-Z\d_]{1,60}["'])[^"'\n]{0,250}[\d!#$%^&*+=~?@-])(?!["'][^"'\n]{0,100}["'][ \t]{0,4}[:=])/g,
  // `read PASSWORD <<< value`, also below.
  /<<(?<=(?<![\w.-])(?<name>\w{2,60})[ \t]{1,4}<<)(?:<[ \t]{0,4}|-?[ \t]{0,4}["']?\w{1,20}["']?\r?\n[ \t]{0,40})(?=\S)/g,
  /cat[ \t]{1,4}<<(?<=(?<![\w.-])(?<name>\w{2,60})=["']?(?:\$\(|`)cat[ \t]{1,4}<<)-?[ \t]{0,4}["']?\w{1,20}["']?\r?\n[ \t]{0,40}(?=\S)/g,
  // `--password value`.
  /(?<![\w-])--?(?<name>[A-Za-z][\w-]{1,60})[ \t]{1,8}(?!-)/g,
  // `<password>value</password>`.
  /<(?<name>[\w.:-]{2,60})(?:\s[^<>]{0,200})?>(?:\s{0,40}<(?:[Vv]alue|!\[CDATA\[)>?\s{0,40})?(?=[^<>\s\]]{1,250}(?:\]\]>)?\s{0,40}<\/)/g,
  // A variable of Kubernetes or Compose, a header of HAR: `name: X` and then `value: Y`.
  /(?<![\w-])(?:name|key)["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?<name>[\w.-]{2,100})["']?[\s,+-]{1,80}["']?value["']?[ \t]{0,8}[:=][ \t]{0,8}/gi,
  // A variable of Terraform, and what it is changed to: `password = "old" -> "new"`.
  /variable[ \t]{1,4}"(?<name>[\w-]{2,100})"[ \t]{0,4}\{[^{}]{0,300}?default[ \t]{0,20}=[ \t]{0,8}(?=")/g,
  /->(?<=(?<![\w.-])(?<name>[\w.-]{2,100})["']?[ \t]{0,40}[=:][ \t]{0,4}["'][^"'\n]{0,200}["'][ \t]{0,4}->)[ \t]{0,4}(?=["'])/g,
  // Assignments of a Dockerfile, fish, C, AWS and Windows.
  /(?<![\w-])(?:ENV|ARG|#define|setx|setenv|configure set|set -\w{1,3})[ \t]{1,4}(?<name>\w{2,100})[ \t]{1,4}/g,
];
/** Patterns that are less sure: each value must look like a secret, too. */
export const LOOSE_NAMES: readonly RegExp[] = [
  // Assignments in a table and in a sentence: `| password | value |`, `password value`, `the
  // password is value`.
  /(?<![\w.-])(?<name>[A-Za-z][\w.-]{1,60})["'`*]{0,3}(?:[ \t]{0,20}[|│┃—–][ \t]{0,20}|[ \t]{0,4}:?[ \t]{0,4}(?:\\|[|>][+-]?)?\r?\n[ \t]{1,40}|[ \t]{1,20}(?:(?:is|was|are|ist)?:?[ \t]{1,4})?)/g,
  // `--password \` and the value on the next line.
  /(?<![\w.-])-{0,2}(?<name>[A-Za-z][\w.-]{1,60})["'`]?[ \t]{0,4}\\?\r?\n[ \t]{0,8}(?=[^\s-])/g,
  // `<entry key="password">value`, `<td>password</td><td>value`, `<password>` and a line.
  /(?<![\w-])(?:key|name|id)=["'](?<name>[\w.:-]{2,60})["'][^<>]{0,100}>\s{0,40}/gi,
  />(?<name>[\w.-]{2,60}):?<\/\w{1,20}>\s{0,40}<\w{1,20}[^<>]{0,100}>\s{0,40}/g,
  /<(?<name>[\w.:-]{2,60})>\s{1,40}/g,
  // `password (production): value`, `password.equals("value")`.
  /\)["'`*]{0,3}:(?<=(?<![\w.-])(?<name>[A-Za-z][\w.-]{1,60})[ \t]{1,4}\([^()\n]{1,40}\)["'`*]{0,3}:)\*{0,2}[ \t]{1,4}/g,
  /\.[eE]quals(?:IgnoreCase)?\((?<=(?<![\w.-])(?<name>[A-Za-z][\w.-]{1,60})\.[eE]quals(?:IgnoreCase)?\()(?=")/g,
  // Two words, as people write them.
  /(?<![\w.-])(?<name>(?:api|access|secret|private|auth|license|client|signing|encryption|recovery|account|shared|service)[ \t](?:key|token|secret|code|password))["'`*]{0,3}(?:[ \t]{0,8}[:=|│—–]\*{0,2}[ \t]{0,8}|[ \t]{1,4}(?:is[ \t:]{1,4})?)/gi,
];
/** Words for a password in other languages. */
const FOREIGN_NAMES =
  /(?:密码|密碼|口令|密钥|パスワード|비밀번호|парол[ьяю]|contraseñ[ae]|contrasenya|clave|mot de passe|senha|kennwort|passwort|wachtwoord|hasło|parole?a?|lösenord|passord|adgangskode|salasana|heslo|jelszó|[sş]ifre|κωδικός|парола|סיסמה|كلمة المرور|कूटशब्द|รหัสผ่าน|mật khẩu|kata sandi|암호)["'`*]{0,3}[ \t]{0,4}(?:[:=]|是|为|は|는|은|ist|is|est|es|lautet)?\*{0,2}[ \t]{0,4}/gi;
/** A value in quotes may be a whole certificate. */
const MAX_QUOTED = 8192;
/** A longer word is not a password; its beginning is enough to make it worthless. */
const MAX_BARE = 2048;
/** A quote or a bracket within a word does not end it. */
const END_OF_BARE = /\s|["'`](?![\w#$%&*@~^])|[<>](?![\w#$%&*@~^]{0,16}[\d!#$%^&*~])/g;
/** Another parameter follows. */
const SEPARATOR = /[;&,](?=[\w.-]{1,60}[=:])/g;
/** Ends a list or a sentence. */
const TRAILING = ',;)]}.\\';

/** No word, no number, no path, no call: letters of both kinds or signs, and digits among them. */
const LIKE_SECRET =
  /^(?=[^]{0,100}\d)(?=[^]{0,100}[A-Za-z])(?:(?=[^]{0,100}[a-z])(?=[^]{0,100}[A-Z])|(?=[^]{0,100}[!#$%^&*+~?@]))[\w!#$%^&*+~?@.:/=-]{8,}$/;
/** A file of users, whose passwords are elsewhere, or the program. */
const SYSTEM_FILE =
  /\/(?:etc|s?bin)\/(?:[\w.-]{1,40}\/){0,4}passwd-?(?![\w.-])[^\n]{0,60}\n?[ \t]{0,40}$/;
/** A name in a program, with a number in it. */
const LIKE_NAME = /^[A-Za-z._/:-]*(?:\d{1,3}[A-Za-z._/:-]*)?$/;

const markedNames = new Marked(NAMES, toPatternKey);
const markedLooseNames = new Marked(LOOSE_NAMES, toPatternKey);

/** Other finders of secrets, by the text around them. */
const FINDERS: readonly (readonly [rule: string, find: typeof findInSentences])[] = [
  ['password', findInSentences],
  ['command-password', findInputs],
  ['printed-secret', findOutputs],
  ['code', findCodes],
  ['secret-word', findNearWords],
];

/** Secrets that are known by their names, by headers, or as arguments of programs. */
export function* findAssigned(text: string, sighted: Sighted = findMarks(text)): Generator<Find> {
  const isNamed = mayNameSecret(sighted);
  if (isNamed) {
    for (const pattern of markedNames.choose(sighted)) yield* findNamed(text, pattern, isSure);
    for (const pattern of markedLooseNames.choose(sighted)) {
      yield* findNamed(text, pattern, isLikely);
    }
  }
  yield* findNamed(text, FOREIGN_NAMES, isLikely);
  if (isNamed) {
    for (const { name, value, start, end } of [...findCells(text), ...findNearValues(text)]) {
      if (isLikely({ name, value })) yield { rule: 'assigned-secret', start, end };
    }
    for (const { name, value, start, end, isSure: isKnown } of findHeld(text)) {
      if (isKnown || isLikely({ name, value })) yield { rule: 'assigned-secret', start, end };
    }
  }
  for (const [rule, find] of FINDERS) {
    for (const range of find(text, sighted)) yield { rule, ...range };
  }
  yield* findPlaced(text, sighted);
}

interface Named {
  readonly name: string;
  readonly value: string;
  readonly isQuoted: boolean;
}

function isSure({ name, value, isQuoted }: Named): boolean {
  return isSecretValue({ name, value, isText: isQuoted || /^[A-Z\d_]+$/.test(name) });
}

function isLikely({ name, value }: Omit<Named, 'isQuoted'>): boolean {
  if (!looksRandom(value) && (!LIKE_SECRET.test(value) || LIKE_NAME.test(value))) return false;
  return isSecretValue({ name, value, isText: true });
}

/** Values after names; each match ends where a value begins. */
function* findNamed(text: string, pattern: RegExp, isSecret: (named: Named) => boolean) {
  const values = new Values(text);
  for (const { 0: match, index, groups } of findMatches(text, pattern)) {
    const name = groups ? (groups['name'] ?? groups['variable'] ?? '') : 'password';
    if (judgeName(name) === 'none') continue;
    if (name.startsWith('passwd') && isSystemFile(text, index + match.length)) continue;
    const { start, end, isQuoted } = values.read(index + match.length);
    const named = { name, value: text.slice(start, end), isQuoted };
    if (isSecret(named)) yield { rule: 'assigned-secret', start, end };
  }
}

/** Returns whether the name before a value is the name of a file, such as `/etc/passwd`. */
function isSystemFile(text: string, at: number): boolean {
  return SYSTEM_FILE.test(text.slice(Math.max(0, at - 200), at));
}

/** Reads values of one text from the first to the last, each character once. */
class Values {
  readonly #text: string;
  /** The end of the word that was read last. */
  #end = 0;
  /** The first separator at or after the word that was read last. */
  #separator = -1;

  constructor(text: string) {
    this.#text = text;
  }

  read(at: number): Range & { readonly isQuoted: boolean } {
    const quote = this.#text.slice(at, at + 1);
    if (quote === '"' || quote === "'" || quote === '`') {
      const end = this.#text.indexOf(quote, at + 1);
      if (end > 0 && end - at < MAX_QUOTED && !this.#text.slice(at, end).includes('\n'))
        return { start: at + 1, end, isQuoted: true };
      return { ...this.#readBare(at + 1), isQuoted: false };
    }
    return { ...this.#readBare(at), isQuoted: false };
  }

  /** Reads to the next space or quote, without another parameter, or the end of a list or sentence. */
  #readBare(at: number): Range {
    if (at >= this.#end) {
      END_OF_BARE.lastIndex = at;
      this.#end = END_OF_BARE.exec(this.#text)?.index ?? this.#text.length;
    }
    if (at > this.#separator) {
      SEPARATOR.lastIndex = at;
      this.#separator = SEPARATOR.exec(this.#text)?.index ?? this.#text.length;
    }
    let end = Math.min(this.#end, this.#separator, at + MAX_BARE);
    while (end > at && TRAILING.includes(this.#text.charAt(end - 1))) end -= 1;
    return { start: at, end };
  }
}
