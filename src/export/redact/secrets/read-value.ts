import type { Range } from '../text/view.ts';
import { findEndOfGroups } from './values.ts';

/** A value in quotes may be a whole certificate. */
const MAX_QUOTED = 8192;
/** A longer word is not a password; its beginning is enough to make it worthless. */
const MAX_BARE = 2048;
/**
 * A quote or a bracket within a word does not end it, nor does a blank that a shell takes into the word, nor the type in
 * a call or a type (`useState<string>('')`).
 */
const END_OF_BARE =
  /(?!(?<=\S\\) \S)\s|["'`](?![\w#$%&*@~^])|[<>](?![\w#$%&*@~^]{0,16}[\d!#$%^&*~])(?!(?<=[A-Za-z]<)(?:(?:[Ss]tring|number|bool(?:ean)?|any|unknown|void|int|char|str|u8)(?!\w)[\w .,|&?[\]'":]{0,60}>|[A-Z][\w .,|&?[\]'":]{0,60}>{1,3}(?:[(;,)]|::| [={])))/g;
/** Another parameter follows; those of ADO.NET are words: `;User Id=`. */
const SEPARATOR =
  /(?:;|(?<=&)&)(?=["'`]?[A-Za-z_][\w.-]{0,60}["'`]?[=:])|;(?=[A-Z][A-Za-z]{1,20}(?: [A-Z][A-Za-z]{1,20}){1,3}=)/g;
/** Behind a comma, one has the sign and the blank behind its name that the value has before it. */
const PARAMETER = /,(?=["'`]?[A-Za-z_][\w.-]{1,60}["'`]?=)/g;
const MEMBER = /,(?=["'`]?[A-Za-z_][\w.-]{0,60}["'`]?:)/g;
const SPACED_MEMBER = /,(?=["'`]?[A-Za-z_][\w.-]{0,60}["'`]?:\s)/g;
/** Those of an address or a form, which have an equals sign behind a name in small letters, or others before them. */
const AMPERSAND = /&(?=["'`]?[A-Za-z_][\w.-]{0,60}["'`]?[=:])/g;
const OF_A_FORM = /(?:(?<![\s"'`]--[\w-]{1,60})(?<=[a-z\d_\]])=|%3[Dd]|[?&][^\s?&]{1,80})["'`]?$/;
/** The sign before a value, or the end of the element that it is in, where nothing follows. */
const SIGN_BEFORE = /(?:(?<sign>[=:])>?(?<blanks>[ \t]{0,8})|(?<![=-])(?<element>>))["'`]?$/;
/** A quote in a string of JSON, or in a string within one. */
const ESCAPED_QUOTE = /\\{1,8}["'`]/y;
/** A text without blanks that holds its quote, behind a backslash or twice, which is not the end of a string around it. */
const QUOTE_WITHIN =
  /(?<quote>["'`])(?:\\\S|\k<quote>\k<quote>(?![,}\]])|(?!\k<quote>)[^\s\\]){1,512}\k<quote>/y;
/** A text in quotes of a shell that holds a quote, between two texts in quotes. */
const QUOTE_OF_SHELL = /'(?:[^'\n]|'(?:\\'|"'")'){1,512}'/y;
const JOINED_BY_SHELL = /'(?:\\'|"'")'/y;
/** A text in quotes within a cell of CSV, which has each of them twice. */
const IN_CELL = /""[^\s",;)}\]][^\s"]{2,512}""/y;
/** Ends a list or a sentence. */
const TRAILING = ',;)]}.\\';

interface Value extends Range {
  readonly isQuoted: boolean;
}

/** Reads values of one text from the first to the last, each character once. */
export class Values {
  readonly #text: string;
  /** The end of the word that was read last. */
  #end = 0;
  readonly #separator: NextSign;
  readonly #parameter: NextSign;
  readonly #member: NextSign;
  readonly #spacedMember: NextSign;
  readonly #ampersand: NextSign;

  constructor(text: string) {
    this.#text = text;
    this.#separator = new NextSign(SEPARATOR, text);
    this.#parameter = new NextSign(PARAMETER, text);
    this.#member = new NextSign(MEMBER, text);
    this.#spacedMember = new NextSign(SPACED_MEMBER, text);
    this.#ampersand = new NextSign(AMPERSAND, text);
  }

  read(at: number): Value {
    ESCAPED_QUOTE.lastIndex = at;
    // The pattern by itself takes longer than everything else here.
    if (this.#text.startsWith('\\', at) && ESCAPED_QUOTE.test(this.#text)) {
      return this.#readBare(ESCAPED_QUOTE.lastIndex, true);
    }
    IN_CELL.lastIndex = at;
    if (this.#text.startsWith('""', at) && IN_CELL.test(this.#text)) {
      return { start: at + 2, end: IN_CELL.lastIndex - 2, isQuoted: true };
    }
    const quote = this.#text.slice(at, at + 1);
    if (quote === '"' || quote === "'" || quote === '`') {
      const end = this.#findClose(quote, at);
      if (end > 0 && end - at < MAX_QUOTED && !this.#text.slice(at, end).includes('\n'))
        return { start: at + 1, end, isQuoted: true };
      return this.#readBare(at + 1, false);
    }
    const end = findEndOfGroups(this.#text, at);
    return end === undefined ? this.#readBare(at, false) : { start: at, end, isQuoted: true };
  }

  /** Finds the quote that ends a text. */
  #findClose(quote: string, at: number): number {
    const end = this.#text.indexOf(quote, at + 1);
    JOINED_BY_SHELL.lastIndex = end;
    if (quote === "'" && end > at && JOINED_BY_SHELL.test(this.#text)) {
      QUOTE_OF_SHELL.lastIndex = at;
      return QUOTE_OF_SHELL.test(this.#text) ? QUOTE_OF_SHELL.lastIndex - 1 : end;
    }
    const mayGoOn = this.#text.startsWith('\\', end - 1) || this.#text.startsWith(quote, end + 1);
    if (end <= at + 1 || !mayGoOn) return end;
    QUOTE_WITHIN.lastIndex = at;
    return QUOTE_WITHIN.test(this.#text) ? QUOTE_WITHIN.lastIndex - 1 : end;
  }

  /** Reads to the next space or quote, without another parameter, or the end of a list or sentence. */
  #readBare(at: number, isQuoted: boolean): Value {
    if (at >= this.#end) {
      this.#end = findSign(END_OF_BARE, this.#text, at);
    }
    let end = Math.min(this.#end, this.#findSeparator(at), at + MAX_BARE);
    // A text in bold ends so.
    if (end - at > 2 && this.#text.startsWith('**', end - 2)) end -= 2;
    while (end > at && TRAILING.includes(this.#text.charAt(end - 1))) end -= 1;
    return { start: at, end, isQuoted };
  }

  #findSeparator(at: number): number {
    const before = this.#text.slice(Math.max(0, at - 90), at);
    const { sign, blanks = '', element } = SIGN_BEFORE.exec(before)?.groups ?? {};
    const separator = this.#separator.find(at);
    if (element !== undefined) return separator;
    const end = Math.min(
      separator,
      sign === ':' ? Infinity : this.#parameter.find(at),
      sign === '=' ? Infinity : (blanks === '' ? this.#member : this.#spacedMember).find(at),
    );
    const ampersand = this.#ampersand.find(at);
    return ampersand < Math.min(end, this.#end) && OF_A_FORM.test(before) ? ampersand : end;
  }
}

/** Finds a sign from the first to the last, each character once. */
class NextSign {
  readonly #pattern: RegExp;
  readonly #text: string;
  #at = -1;

  constructor(pattern: RegExp, text: string) {
    this.#pattern = pattern;
    this.#text = text;
  }

  find(from: number): number {
    if (from > this.#at) this.#at = findSign(this.#pattern, this.#text, from);
    return this.#at;
  }
}

/** Finds the first match of a pattern of one character, or the end of the text. */
function findSign(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex - 1 : text.length;
}
