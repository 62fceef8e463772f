import { findCells } from './columns.ts';
import type { SecretPattern } from './known-secrets.ts';
import { isSecretValue, judgeName } from './secret-names.ts';
import { findMatches } from './find-matches.ts';
import type { Range } from '../text/view.ts';

/** A secret by what stands before it. */
export interface Find extends Range {
  readonly rule: string;
}

/** Patterns of text before a value that names it: each match ends where the value begins. */
const NAMES: readonly RegExp[] = [
  // An assignment of `.env`, yaml, ini, shells, URLs, JDBC, JSON or code. It looks back from the sign, as there
  // are fewer.
  /(?:=>|[|?:+]{0,2}=|:(?!\/\/))(?<=(?<![\w.-])(?<name>[\w.-]{2,100})["'`\]*]{0,3}(?::[ \t]{1,4}[&\w.<>]{1,40}(?: \| \w{1,40})?)?[ \t]{0,40}(?:[|?:+]{0,2}=|=>|:))\*{0,2}[ \t]{0,40}(?:\[[ \t]{0,4}(?=["'])|!!?\w{1,20}[ \t]|&\w{1,40}[ \t]|N(?=')|''(?=')|""(?="))?/g,
  // `--password value`.
  /(?<![\w-])--?(?<name>[A-Za-z][\w-]{1,60})[ \t]{1,8}(?!-)/g,
  // `<password>value</password>`.
  /<(?<name>[\w.:-]{2,60})>(?:\s{0,40}<!\[CDATA\[)?(?=[^<>\s\]]{1,250}(?:\]\]>\s{0,40})?<\/)/g,
  // A variable of Kubernetes or Compose, a header of HAR: `name: X` and then `value: Y`.
  /(?<![\w-])(?:name|key)["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?<name>[\w.-]{2,100})["']?[\s,+-]{1,80}["']?value["']?[ \t]{0,8}[:=][ \t]{0,8}/gi,
  // Assignments of a Dockerfile, fish, C, AWS and Windows.
  /(?<![\w-])(?:ENV|ARG|#define|setx|setenv|configure set|set -\w{1,3})[ \t]{1,4}(?<name>\w{2,100})[ \t]{1,4}/g,
];
/** Patterns that are less sure: each value must look like a secret, too. */
const LOOSE_NAMES: readonly RegExp[] = [
  // Assignments in a table and in a sentence: `| password | value |`, `password value`, `the
  // password is value`.
  /(?<![\w.-])(?<name>[A-Za-z][\w.-]{1,60})["'`*]{0,3}(?:[ \t]{0,20}[|│┃—–][ \t]{0,20}|,[ \t]{0,4}(?=["'`])|\((?=["'`])|[ \t]{0,4}(?:\|\||\?\?)[ \t]{0,4}(?=["'`])|[ \t]{0,4}:?[ \t]{0,4}(?:\\|[|>][+-]?)?\r?\n[ \t]{1,40}|[ \t]{1,20}(?:(?:is|was|are|ist)?:?[ \t]{1,4})?)/g,
  // `"password", "value"`, `--password \` and the value on the next line.
  /(?<![\w.-])["'`]?-{0,2}(?<name>[A-Za-z][\w.-]{1,60})["'`]?(?:["'`],\s{0,40}(?=["'`])|[ \t]{0,4}\\?\r?\n[ \t]{0,8}(?=[^\s-]))/g,
  // `"password":` and the value on the next line.
  /(?<![\w.-])["'](?<name>[A-Za-z][\w.-]{1,60})["'][ \t]{0,4}[:=][ \t]{0,4}(?:\[[ \t]{0,4})?(?:\r?\n[ \t]{0,40})?(?=["'])/g,
  // `process.env.PASSWORD || "value"`, after another sign.
  /(?<![\w.-])(?<name>[A-Za-z][\w.-]{1,60})[ \t]{0,4}=[^\n"'`;]{1,80}(?:\|\||\?\?)[ \t]{0,4}(?=["'`])/g,
  // `<entry key="password">value`, `<td>password</td><td>value`, `<password>` and a line.
  /(?<![\w-])(?:key|name|id)=["'](?<name>[\w.:-]{2,60})["'][^<>]{0,100}>\s{0,40}/gi,
  />(?<name>[\w.-]{2,60}):?<\/\w{1,20}>\s{0,40}<\w{1,20}[^<>]{0,100}>\s{0,40}/g,
  /<(?<name>[\w.:-]{2,60})>\s{1,40}/g,
  // Two words, as people write them.
  /(?<![\w.-])(?<name>(?:api|access|secret|private|auth|license|client|signing|encryption|recovery|account|shared|service)[ \t](?:key|token|secret|code|password))["'`*]{0,3}(?:[ \t]{0,8}[:=|│—–]\*{0,2}[ \t]{0,8}|[ \t]{1,4}(?:is[ \t:]{1,4})?)/gi,
];
/** Words for a password in other languages. */
const FOREIGN_NAMES =
  /(?:密码|密碼|口令|密钥|パスワード|비밀번호|парол[ьяю]|contraseña|mot de passe|senha|kennwort|passwort|wachtwoord|hasło|parola|lösenord)["'`*]{0,3}[ \t]{0,4}(?:[:=]|是|为|は|ist|is|est|es)?\*{0,2}[ \t]{0,4}/gi;
/** In quotes there may be a whole certificate. */
const MAX_QUOTED = 8192;
/** A longer word is not a password; its beginning is enough to make it worthless. */
const MAX_BARE = 2048;
const END_OF_BARE = /[\s"'`<>]/g;
/** Another parameter follows. */
const SEPARATOR = /[;&,](?=[\w.-]{1,60}[=:])/g;
/** Ends a list or a sentence. */
const TRAILING = ',;)]}.\\';

/** Patterns for programs and headers whose grammar marks a secret. */
const PLACED: readonly SecretPattern[] = Object.entries({
  authorization: [
    /(?<![\w-])authorization["'`\]]{0,2}[ \t]{0,8}(?:=>|[:=,])[ \t]{0,8}["'`]?(?:(?:basic|bearer|token|apikey|digest|negotiate|bot|aws4-hmac-sha256)[ \t]{1,4})?(?<secret>(?=[^\s"'`]{0,250}[\d=])[^\s"'`,$<{][^\s"'`,]{5,})/gi,
    /(?<![\w-])(?:bearer|basic)[ \t]{1,4}(?<secret>(?=[\w.~+/-]{0,250}\d)[\w.~+/-]{16,}={0,2})/gi,
  ],
  cookie: [
    /(?<![\w-])(?:set-)?cookie["'`\]]{0,2}[ \t]{0,8}[:=][ \t]{0,8}["'`]?(?<secret>[\w.-]{1,80}=[^\r\n"'`]{4,})/gi,
    /[ \t](?:-b|--cookie)[ \t=]{1,4}["'](?<secret>[\w.-]{1,80}=[^\r\n"']{4,})["']/g,
    /[ \t](?:-b|--cookie)[ \t=]{1,4}(?<secret>[\w.-]{1,80}=[^\s"']{6,})/g,
    // A file of cookies, and one of them as an object.
    /\t(?:TRUE|FALSE)\t\/[^\t\n]{0,200}\t(?:TRUE|FALSE)\t\d{1,12}\t[^\t\n]{1,100}\t(?<secret>[^\s]{6,})/g,
    /"value"[ \t]{0,4}:[ \t]{0,4}"(?<secret>[^"\s]{8,})"[^{}]{0,250}"(?:httpOnly|sameSite)"/g,
    /"cookies"[ \t]{0,4}:\s{0,40}\[\s{0,40}\{[^{}]{0,200}"value"[ \t]{0,4}:[ \t]{0,4}"(?<secret>[^"\s]{8,})"/g,
  ],
  // A code that an identity provider returns to a page, and that a program exchanges for a token.
  'oauth-code': [
    /[?&](?:code|auth_code|authorization_code)=(?<secret>(?=[^\s&"'<>]{0,80}\d)[\w.~%/+-]{16,512})/g,
  ],
  'url-password': [
    /(?<=[a-z\d]):\/\/[^\s/?#@"'`<>:]{0,100}:(?<secret>[^\s/?#"'`<>]{1,256})@/gi,
    /https?:\/\/(?<secret>[A-Za-z0-9_-]{20,200})@/gi,
  ],
  'command-password': [
    // A script for `expect`, on one line or two.
    /assword[^\n"'{}]{0,20}["'}]{0,2}[\s{]{0,20}send[ \t]{1,4}(?:--[ \t]{1,4})?["'](?<secret>[^"'\s\\]{4,200})/g,
    /(?<![\w-])sshpass[ \t]{1,4}-p[ \t]{0,4}["']?(?<secret>[^\s"'`]{3,})/g,
    /(?<![\w-])(?:mysql|mariadb)\w{0,16}[ \t](?:[^\n|;&]{0,200}?[ \t])?-p(?<secret>["']?[^\s"'`-][^\s"'`]{2,})/g,
    /(?<![\w-])(?:login|ldap\w{1,10}|redis-cli|rabbitmqadmin|mongo(?:sh|dump|restore|export|import)?|influx|sqlcmd|7z|zip|unzip|psexec|snowsql|altool|useradd|usermod|keytool|security[ \t]{1,4}(?:add|set|unlock|create|import)[\w-]{1,40})[ \t](?:[^\n|;&]{0,200}?[ \t])?-[pwaP][ \t]{0,4}["']?(?<secret>(?![\d:]{1,40}(?:[\s/]|$))[^\s"'`-][^\s"'`]{3,})/g,
    /(?<=\s)(?:-[A-Za-z]{0,4}[uU]|--user|--proxy-user)[ \t=]{0,4}["']?\w[\w.@+-]{0,63}[:%](?<secret>(?![\d:]{1,40}(?:[\s/"']|$))[^\s"'`/]{3,})/g,
    /(?<![\w-])-?pass(?:in|out|word)?[ \t]{1,4}["']?pass:(?<secret>[^\s"'`]{4,})/g,
    /(?:echo|printf)(?:[ \t]{1,4}-\w{1,3})?[ \t]{1,4}(?:["']%s(?:\\n)?["'][ \t]{1,4})?["']?(?:[\w.-]{1,40}:)?(?<secret>[^\s"'`|$]{4,256})["']?[ \t]{0,4}\|[ \t]{0,4}[^\n|]{0,100}?(?:sudo[ \t]{1,4}-\w{0,4}S|stdin|--with-token|chpasswd|passwd|secret|login|cryptsetup)/g,
    /(?:sudo[ \t]{1,4}-\w{0,4}S|login|secret|env add|passwd)[^\n<]{0,100}<<<[ \t]{0,4}["']?(?<secret>[^\s"'`$]{4,})/g,
    /printf[ \t]{1,4}["'](?<=printf[ \t]{1,4}["'])[\w.]{0,60}(?:PASS|SECRET|TOKEN|KEY)\w{0,40}=%s[^"'\n]{0,40}["'][ \t]{1,4}["']?(?<secret>[^\s"'`$]{4,})/gi,
    /(?<![\w-])ssh-keygen[ \t](?:[^\n|;&]{0,200}?[ \t])?-[NP][ \t]{1,4}["']?(?<secret>[^\s"'`-][^\s"'`]{3,})/g,
    /(?<![\w-])openssl[ \t]{1,4}enc[ \t](?:[^\n|;&]{0,200}?[ \t])?-k[ \t]{1,4}["']?(?<secret>[^\s"'`-][^\s"'`]{3,})/g,
    /(?<![\w-])net(?:\.exe)?[ \t]{1,4}(?:use[ \t]{1,4}(?:\w:[ \t]{1,4})?\\\\\S{1,200}|user[ \t]{1,4}\S{1,100})[ \t]{1,4}["']?(?<secret>[^\s"'`/*][^\s"'`]{3,})/gi,
    /(?<![\w-])sqlplus[ \t]{1,4}(?:-\w{1,2}[ \t]{1,4})?["']?[\w.]{1,60}\/(?<secret>[^\s"'@/]{4,})/g,
    /(?<![\w-])(?:rabbitmqctl|rabbitmqadmin)[ \t]{1,4}(?:add_user|change_password)[ \t]{1,4}\S{1,100}[ \t]{1,4}["']?(?<secret>[^\s"'`]{4,})/g,
    /(?<![\w-])lftp[ \t](?:[^\n|;&]{0,200}?[ \t])?-u[ \t]{1,4}["']?\w[\w.@-]{0,63},(?<secret>[^\s"'`]{4,})/g,
    /(?<![\w-])https?[ \t](?:[^\n|;&]{0,200}?[ \t])?(?:-a|--auth)[ \t=]{1,4}["']?\w[\w.@-]{0,63}:(?<secret>[^\s"'`]{4,})/g,
    /(?<=> |^)AUTH[ \t]{1,4}(?:\w{1,60}[ \t]{1,4})?["']?(?<secret>(?=[^\s"']{0,200}\d)[^\s"'`]{6,})["']?$/gm,
    /(?:keyvault secret set|put-parameter|put-secret-value|create-secret|secrets? put|kv put|secrets? set)[ \t](?:[^\n|;&]{0,200}?[ \t])?(?:--value|--secret-string|--body|-b|\w{1,40}(?==))[ \t=]{1,4}["']?(?<secret>[^\s"'`$-][^\s"'`]{3,})/g,
    /--from-literal[ \t=]{1,4}["']?[\w.-]{1,80}=(?<secret>[^\s"'`$][^\s"'`]{3,})/g,
    /ConvertTo-SecureString(?:[ \t]{1,4}-String)?[ \t]{1,4}["'](?<secret>[^\s"'$]{4,})["']/gi,
    /assword for [^\n]{1,100}: ["']?(?<secret>(?=[^\s"']{0,100}\d)(?=[^\s"']{0,100}[A-Za-z])[^\s"'`]{6,})["']?$/gm,
    /(?:NetworkCredential|[Ll]ogin|[Aa]uthenticate|[Bb]asic_?[Aa]uth|getConnection|Password\w{0,20})\([^()\n"']{0,100}(?:["'][^"'\n]{1,100}["'],[ \t]{0,4}){1,2}["'](?<secret>(?=[^\s"']{0,100}\d)[^\s"'`]{6,})["']/g,
    /value=["'](?<secret>[^"'<>\s]{4,})["'][^<>]{0,200}type=["']?password/gi,
    /[?&]key=(?<secret>(?=[\w-]{0,100}\d)[\w-]{16,})/g,
    /(?<![\w-])htpasswd[ \t]{1,4}-\w{0,6}b\w{0,6}[ \t]{1,4}\S{1,200}[ \t]{1,4}\S{1,100}[ \t]{1,4}["']?(?<secret>[^\s"'`]{4,})/g,
  ],
  password: [
    /(?<!\w)login\s{1,4}\S{1,200}\s{1,8}(?:account\s{1,4}\S{1,200}\s{1,8})?password\s{1,4}(?<secret>[^\s"'`<]{4,})/g,
    /(?:IDENTIFIED[ \t]{1,4}(?:WITH[ \t]{1,4}\S{1,80}[ \t]{1,4})?BY|PASSWORD)[ \t(]{1,4}'(?<secret>[^'\s]{4,256})'/gi,
    /^[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,100}:[\w.*-]{1,100}:(?<secret>[^\s:]{4,256})$/gm,
  ],
}).flatMap(([rule, patterns]) => patterns.map((pattern) => ({ rule, pattern })));

/** Placeholders that documents show instead of a password. */
const EXAMPLE =
  /^(?:[$<{[%*]|(?:password|passwd|pass|pwd|pw|secret|token|x{3,}|\.{3}|user(?:name)?|redacted|changeme|your\S*|my[-_]?pass\S*)$)/i;

/** No word, no number, no path, no call: letters of both kinds or signs, and digits among them. */
const LIKE_SECRET =
  /^(?=[^]{0,100}\d)(?=[^]{0,100}[A-Za-z])(?:(?=[^]{0,100}[a-z])(?=[^]{0,100}[A-Z])|(?=[^]{0,100}[!#$%^&*+~?@]))[\w!#$%^&*+~?@.:/=-]{8,}$/;
/** A name in a program, with a number in it. */
const LIKE_NAME = /^[A-Za-z._/-]*(?:\d{1,3}[A-Za-z._/-]*)?$/;

/** Secrets that are known by their names, by headers, or as arguments of programs. */
export function* findAssigned(text: string): Generator<Find> {
  for (const pattern of NAMES) yield* findNamed(text, pattern, isSure);
  for (const pattern of LOOSE_NAMES) yield* findNamed(text, pattern, isLikely);
  yield* findNamed(text, FOREIGN_NAMES, isLikely);
  for (const { name, value, start, end } of findCells(text)) {
    if (isLikely({ name, value })) yield { rule: 'assigned-secret', start, end };
  }
  for (const { rule, pattern } of PLACED) {
    for (const { 0: match, index, groups } of findMatches(text, pattern)) {
      const value = groups?.['secret'] ?? '';
      if (value === '' || EXAMPLE.test(value)) continue;
      const start = index + match.lastIndexOf(value);
      yield { rule, start, end: start + value.length };
    }
  }
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
  if (!LIKE_SECRET.test(value) || LIKE_NAME.test(value)) return false;
  return isSecretValue({ name, value, isText: true });
}

/** Values after names; each match ends where a value begins. */
function* findNamed(text: string, pattern: RegExp, isSecret: (named: Named) => boolean) {
  const values = new Values(text);
  for (const { 0: match, index, groups } of findMatches(text, pattern)) {
    const name = groups ? (groups['name'] ?? '') : 'password';
    if (judgeName(name) === 'none') continue;
    const { start, end, isQuoted } = values.read(index + match.length);
    const named = { name, value: text.slice(start, end), isQuoted };
    if (isSecret(named)) yield { rule: 'assigned-secret', start, end };
  }
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
