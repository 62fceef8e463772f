import type { SecretPattern } from './known-secrets.ts';
import { isSecretValue, judgeName } from './secret-names.ts';
import type { Range } from './view.ts';

/** A secret by what stands before it. */
export interface Find extends Range {
  readonly rule: string;
}

/** What stands before a value and names it: each match ends where the value begins. */
const NAMES: readonly RegExp[] = [
  // In `.env`, yaml, ini, shells, URLs, JDBC, JSON, code. Looks back from the sign, as there are fewer.
  /(?::=|=>|=|:(?!\/\/))(?<=(?<![\w.-])(?<name>[\w.-]{2,100})["'`\]]{0,2}[ \t]{0,8}(?::=|=>|=|:))[ \t]{0,8}/g,
  // `--password value`.
  /(?<![\w-])--?(?<name>[A-Za-z][\w-]{1,60})[ \t]{1,8}(?!-)/g,
  // `<password>value</password>`.
  /<(?<name>[\w.:-]{2,60})>(?=[^<>\s]{1,256}<\/)/g,
  // A variable of Kubernetes or Compose, a header of HAR: `name: X` and then `value: Y`.
  /(?<![\w-])(?:name|key)["']?[ \t]{0,8}[:=][ \t]{0,8}["']?(?<name>[\w.-]{2,100})["']?[\s,]{1,80}["']?value["']?[ \t]{0,8}[:=][ \t]{0,8}/gi,
  // Of a Dockerfile, fish and Windows.
  /(?<![\w-])(?:ENV|ARG|setx|set -\w{1,3})[ \t]{1,4}(?<name>\w{2,100})[ \t]{1,4}/g,
];
/** In quotes there may be a whole certificate. */
const MAX_QUOTED = 8192;
/** A longer word is not a password; its beginning is enough to make it worthless. */
const MAX_BARE = 2048;
const END_OF_BARE = /[\s"'`<>]/g;
/** Another parameter follows. */
const SEPARATOR = /[;&,](?=[\w.-]{1,60}[=:])/g;
/** Ends a list or a sentence. */
const TRAILING = ',;)]}.\\';

/** Where the grammar of a program or a header says what is secret. */
const PLACED: readonly SecretPattern[] = Object.entries({
  authorization: [
    /(?<![\w-])authorization["'`\]]{0,2}[ \t]{0,8}(?:=>|[:=,])[ \t]{0,8}["'`]?(?:(?:basic|bearer|token|apikey|digest|negotiate|bot|aws4-hmac-sha256)[ \t]{1,4})?(?<secret>(?=[^\s"'`]{0,250}[\d=])[^\s"'`,$<{][^\s"'`,]{5,})/gi,
    /(?<![\w-])(?:bearer|basic)[ \t]{1,4}(?<secret>(?=[\w.~+/-]{0,250}\d)[\w.~+/-]{16,}={0,2})/gi,
  ],
  cookie: [
    /(?<![\w-])(?:set-)?cookie["'`\]]{0,2}[ \t]{0,8}:[ \t]{0,8}["'`]?(?<secret>[\w.-]{1,80}=[^\r\n"'`]{4,})/gi,
    /[ \t](?:-b|--cookie)[ \t=]{1,4}["'](?<secret>[\w.-]{1,80}=[^\r\n"']{4,})["']/g,
  ],
  'url-password': [
    /(?<=[a-z\d]):\/\/[^\s/?#@"'`<>:]{0,100}:(?<secret>[^\s/?#"'`<>]{1,256})@/gi,
    /https?:\/\/(?<secret>[A-Za-z0-9_-]{20,200})@/gi,
  ],
  'command-password': [
    /(?<![\w-])sshpass[ \t]{1,4}-p[ \t]{0,4}["']?(?<secret>[^\s"'`]{3,})/g,
    /(?<![\w-])(?:mysql|mariadb)\w{0,16}[ \t](?:[^\n|;&]{0,200}?[ \t])?-p(?<secret>["']?[^\s"'`-][^\s"'`]{2,})/g,
    /(?<![\w-])(?:login|ldap\w{1,10}|redis-cli|rabbitmqadmin|mongo(?:sh|dump|restore|export|import)?|influx|sqlcmd|7z|zip|unzip)[ \t](?:[^\n|;&]{0,200}?[ \t])?-[pwaP][ \t]{0,4}["']?(?<secret>(?![\d:]{1,40}(?:[\s/]|$))[^\s"'`-][^\s"'`]{3,})/g,
    /(?<=\s)(?:-u|-U|--user|--proxy-user)[ \t=]{0,4}["']?\w[\w.@+-]{0,63}[:%](?<secret>(?![\d:]{1,40}(?:[\s/"']|$))[^\s"'`/]{3,})/g,
    /(?<![\w-])-?pass(?:in|out|word)?[ \t]{1,4}["']?pass:(?<secret>[^\s"'`]{4,})/g,
    /echo[ \t]{1,4}["']?(?<secret>[^\s"'`|$]{4,256})["']?[ \t]{0,4}\|[ \t]{0,4}sudo[ \t]{1,4}-\w{0,4}S/g,
    /(?<![\w-])htpasswd[ \t]{1,4}-\w{0,6}b\w{0,6}[ \t]{1,4}\S{1,200}[ \t]{1,4}\S{1,100}[ \t]{1,4}["']?(?<secret>[^\s"'`]{4,})/g,
  ],
  password: [
    /(?<!\w)login\s{1,4}\S{1,200}\s{1,8}(?:account\s{1,4}\S{1,200}\s{1,8})?password\s{1,4}(?<secret>[^\s"'`<]{4,})/g,
    /(?:IDENTIFIED[ \t]{1,4}(?:WITH[ \t]{1,4}\S{1,80}[ \t]{1,4})?BY|PASSWORD)[ \t]{1,4}'(?<secret>[^'\s]{4,256})'/gi,
    /^[\w.*-]{1,100}:(?:\d{2,5}|\*):[\w.*-]{1,100}:[\w.*-]{1,100}:(?<secret>[^\s:]{4,256})$/gm,
  ],
}).flatMap(([rule, patterns]) => patterns.map((pattern) => ({ rule, pattern })));

/** What a password in a document stands for, where it is none. */
const EXAMPLE =
  /^(?:[$<{[%*]|(?:password|passwd|pass|pwd|pw|secret|token|x{3,}|\.{3}|user(?:name)?|redacted|changeme|your\S*|my[-_]?pass\S*)$)/i;

/** Secrets that are known by their names, by headers, or as arguments of programs. */
export function* findAssigned(text: string): Generator<Find> {
  for (const pattern of NAMES) {
    const values = new Values(text);
    for (const { 0: match, index, groups } of text.matchAll(pattern)) {
      const name = groups?.['name'] ?? '';
      if (judgeName(name) === 'none') continue;
      const { start, end, isQuoted } = values.read(index + match.length);
      const isText = isQuoted || /^[A-Z\d_]+$/.test(name);
      const isSecret = isSecretValue({ name, value: text.slice(start, end), isText });
      if (isSecret) yield { rule: 'assigned-secret', start, end };
    }
  }
  for (const { rule, pattern } of PLACED) {
    for (const { 0: match, index, groups } of text.matchAll(pattern)) {
      const value = groups?.['secret'] ?? '';
      if (value === '' || EXAMPLE.test(value)) continue;
      const start = index + match.lastIndexOf(value);
      yield { rule, start, end: start + value.length };
    }
  }
}

/** Reads values of one text from the first to the last, each character once. */
class Values {
  readonly #text: string;
  /** Where the word ends that was read last. */
  #end = 0;
  /** Where the first separator is at or after what was read last. */
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

  /** To the next space or quote, without another parameter, or the end of a list or sentence. */
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
