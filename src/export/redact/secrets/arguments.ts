import type { Range } from '../text/view.ts';
import type { Sighted } from './marks.ts';
import { isReference } from './placeholders.ts';
import { type ArgumentForm, PROGRAMS } from './program-table.ts';
import { looksRandom } from './random-words.ts';

/** A command that is longer is read so far. */
interface Most {
  readonly words: number;
  readonly length: number;
}
const LONG: Most = { words: 1000, length: 20_000 };
/** Less is read for all but the first programs in a command: each of a thousand words may be one. */
const SHORT: Most = { words: 40, length: 500 };
const MAX_WITHIN = 8;
/** The words that must be left for a program that is an argument, if they were not all read. */
const ENOUGH = 15;
const NAME = /[\w.:-]{1,40}/y;
/**
 * An argument, behind blanks, on this line or the next; a quote within a word is a sign of it, and so is `\ `. Quotes end
 * it if another member of JSON, or nothing more, is behind them. The value of an option may have several lines.
 */
const ARGUMENT =
  /(?:[ \t]|\\\r?\n){1,80}(?<word>(?:[-/+][\w.-]{1,40}[=:]?)?["'`*]{0,1}(?:(?<=\s-{1,2}[\w-]{1,30}[ \t=]?")(?:[^"\\]|\\(?!"[ \t]{1,8}-)[^]|\\(?="[ \t]{1,8}-)){0,10000}"|(?<=\s-{1,2}[\w-]{1,30}[ \t=]?')[^']{0,10000}'|(?<=")[^"\n]{0,250}"|(?<=')[^'\n]{0,250}'|(?<=`)[^`\s]{1,250}`)?(?:(?!["']{1,2}(?:[,:]["']|[}\]]))\S|(?<=[^\s\\]\\) (?=\S)){0,2048})/y;
/** Ends a command: the next begins, or the sentence that it stands in goes on. */
const ENDS = /^(?:[|;&>#]|<<?$)|^[^"'`]*[`;]$/;
/** Begins a variable, a format, an option, what the shell reads: a secret only in quotes. */
const SIGN = /^[$<{[%*]/;
/** An option, another command, the name of a thing: never a secret. */
const NO_VALUE =
  /^(?:[-|&;>]|(?:password|passwd|pass|pwd|pw|secret|token|apikey|api[-_]key|x{3,}|\.{3}|user(?:name)?|redacted|changeme|your\S*|my[-_]?pass\S*|and|the|with|for|from|this|that|your|flag|option|instead|would|which|when|then|into|stdin|file:\S*|env:\S*|fd:\S*|true|false|null|none|clear|connection)$)/i;
/** A port, a number, a version, a path, a URL, the name of a file or a host, a word with a number. */
const OTHER =
  /^(?:[\d.:,]+$|[~.]{0,2}[/\\]|[A-Za-z]:\\|[a-z][a-z\d+.-]*:\/\/|v\d|[\w/-]+\.[a-z]{1,4}$|[\w.+-]+@[\w-]+\.|[a-z]+[-_]?\d{1,2}$|[^\d!#$%^&*+~=?]*$)/i;

/** A user before a password, who may be a variable of the shell, or in quotes. */
const USER =
  /^["'`]?(?:\$\{[\w:.-]{1,60}\}|<[\w-]{1,40}>|[$\p{L}\p{M}\w.@+\\/-]){1,100}?["'`]?[:%,]["'`*]{0,3}/u;
const RUN_TOGETHER = /^-[A-Za-z]{2,3}$/;
const PADDED = /^[\w+/]{16,}={1,2}(?![\w+/=])/;

function mayBeSecret(value: string): boolean {
  return !OTHER.test(value) || looksRandom(value) || PADDED.test(value);
}

/** Finds secrets that programs are given as arguments. */
export function* findArguments(text: string, { programs }: Sighted): Generator<Range> {
  let read: Read = { words: [], end: 0, isWhole: true };
  let within = 0;
  /** The ends of what was found, by their starts. */
  const ends = new Map<number, number>();
  for (const start of programs) {
    NAME.lastIndex = start;
    const [found = ''] = NAME.exec(text) ?? [];
    const forms = PROGRAMS.get(found.toLowerCase().replace(/\.exe$/, ''));
    if (!forms) continue;
    within = start < read.end ? within + 1 : 0;
    const most = within < MAX_WITHIN ? LONG : SHORT;
    // A program that is an argument of another has those behind it.
    const at = read.words.findIndex((word) => word.start === start);
    const rest = at === -1 ? [] : read.words.slice(at + 1);
    if (rest.length > 0 && (read.isWhole || rest.length >= ENOUGH)) read = { ...read, words: rest };
    else {
      // The path to the program may stand in quotes.
      const isClosed = text.startsWith('"', NAME.lastIndex);
      const more = readWords(text, NAME.lastIndex + (isClosed ? 1 : 0), most);
      read = { ...more, end: Math.max(read.end, more.end) };
    }
    for (const range of findIn(read.words.slice(0, most.words), forms)) {
      // Programs that are arguments of one another find the same values.
      if (ends.get(range.start) === range.end) continue;
      ends.set(range.start, range.end);
      yield range;
    }
  }
}

interface Word {
  /** As it is written. */
  readonly raw: string;
  readonly start: number;
  /** Far from its program, where it must look like a secret. */
  readonly isFar: boolean;
}

interface Read {
  readonly words: readonly Word[];
  readonly end: number;
  readonly isWhole: boolean;
}

function readWords(text: string, from: number, most: Most): Read {
  const words: Word[] = [];
  let at = from;
  while (words.length < most.words && at - from < most.length) {
    ARGUMENT.lastIndex = at;
    const match = ARGUMENT.exec(text);
    const raw = match?.groups?.['word'] ?? '';
    if (!match || raw === '') break;
    at = ARGUMENT.lastIndex;
    if (/^[|;&>#]/.test(raw)) break;
    // An option in quotes.
    const quote = /^["'`](?=-)/.test(raw) ? 1 : 0;
    const isFar = words.length >= SHORT.words || at - raw.length - from > SHORT.length;
    words.push({ raw: raw.slice(quote), start: at - raw.length + quote, isFar });
    if (ENDS.test(raw)) break;
  }
  return { words, end: at, isWhole: words.length < most.words && at - from < most.length };
}

function* findIn(words: readonly Word[], forms: readonly ArgumentForm[]): Generator<Range> {
  for (const form of forms) {
    const found = form.option === undefined ? findArgument(words, form) : findOption(words, form);
    for (const value of found) {
      const range = toSecret(value, form);
      if (range) yield range;
    }
  }
}

/** Finds the arguments that are right behind others, whatever options stand between. */
function* findArgument(all: readonly Word[], { before, how }: ArgumentForm): Generator<Word> {
  const options = before.filter((word) => /^[-/]/.test(word));
  const words = all.filter(
    (word) => !word.isFar && (!isOption(word.raw) || options.some((option) => fits(word, option))),
  );
  for (const at of words.keys()) {
    const isHere = before.every((word, index) => fits(words[at + index], word));
    const value = words[at + before.length];
    if (isHere && value) yield value;
    // The value of an option may stand between.
    const next = words[at + before.length + 1];
    if (isHere && next && !how.has('any')) yield next;
    // Only the first argument is meant if no other is named before it.
    if (before.every((word) => word === '.')) break;
  }
}

function fits(word: Word | undefined, expected: string): boolean {
  if (!word) return false;
  if (expected === '.') return true;
  if (expected.startsWith('*')) return word.raw.endsWith(expected.slice(1));
  if (/[=:]$/.test(expected)) return word.raw.startsWith(expected);
  // Several letters of options are run together.
  const [, letter] = /^-([a-z])$/i.exec(expected) ?? [];
  if (letter !== undefined) return /^-[A-Za-z]{1,7}$/.test(word.raw) && word.raw.includes(letter);
  return word.raw === expected;
}

function isOption(raw: string): boolean {
  return /^-[\w-]|^\/[A-Za-z]+:/.test(raw);
}

function* findOption(
  words: readonly Word[],
  { before, option = '', how }: ArgumentForm,
): Generator<Word> {
  let from = 0;
  for (const word of before) {
    from = words.findIndex(({ raw }, index) => index >= from && raw === word) + 1;
    if (from === 0) return;
  }
  const isLong = option.length > 2;
  const letter = option.slice(1);
  for (let at = from; at < words.length; at += 1) {
    const { raw, start, isFar } = words[at] ?? { raw: '', start: 0, isFar: false };
    if (raw === option && !how.has('attached')) {
      const next = words[at + 1];
      if (next && !/[:=]$/.test(option)) yield next;
      continue;
    }
    // Several letters of options are run together.
    if (!isLong && raw.length > 2 && raw.endsWith(letter) && RUN_TOGETHER.test(raw)) {
      const next = how.has('attached') ? undefined : words[at + 1];
      if (next && mayBeSecret(next.raw)) yield next;
    }
    if (!raw.startsWith(option)) continue;
    const rest = raw.slice(option.length);
    const isAttached = !isLong || /[:=]$/.test(option) || how.has('attached');
    const isValue = isAttached ? rest !== '' : rest.startsWith('=');
    // `-pw` is not `-p w`.
    if (!isValue || (!isLong && /^[a-z]{1,12}$/.test(rest) && !how.has('attached'))) continue;
    const sign = rest.startsWith('=') ? 1 : 0;
    yield { raw: rest.slice(sign), start: start + option.length + sign, isFar };
  }
}

/** The end of an element of a page, and that of a string of JSON. */
const ENDS_ELEMENT = /<\/\w{1,20}>/;
const ENDS_BARE = /<\/\w{1,20}>|\\{0,8}["'][,}\]]/;

function findEnd(text: string, pattern: RegExp): number {
  const end = text.search(pattern);
  return end === -1 ? text.length : end;
}

/** The value without quotes and the user, if it may be secret. */
function toSecret({ raw, start, isFar }: Word, { how, option }: ArgumentForm): Range | undefined {
  const [open = ''] = /^["'`*]{0,3}/.exec(raw) ?? [];
  let from = open.length;
  if (how.has('behind')) {
    const [user] = USER.exec(raw.slice(from)) ?? [];
    if (user === undefined) return undefined;
    from += user.length;
  }
  const close = open === '' ? /["'`*,;)\].]{1,4}$/ : /["'`*]{1,3}[,;)\].]{0,3}$/;
  const isBare = raw.slice(0, from).search(/["'`*]/) === -1;
  const rest = raw.slice(from);
  const value = rest
    .slice(0, findEnd(rest, isBare ? ENDS_BARE : ENDS_ELEMENT))
    .replace(isBare ? /(?:\*\*|["'`,;)\].}]){1,5}$/ : close, '');
  if (value.length < 4 || NO_VALUE.test(value)) return undefined;
  if (SIGN.test(value) && (isBare || isReference(value, true))) return undefined;
  if (option === undefined && /\s|^[\w-]{1,40}=[^=]/.test(value)) return undefined;
  const isNumber = /^[\d:]+$/.test(value);
  // A number behind a short option is a port.
  const isSure = how.has('any') && (!isNumber || how.has('attached') || option?.length !== 2);
  if ((!isSure || isFar) && !mayBeSecret(value)) return undefined;
  return { start: start + from, end: start + from + value.length };
}
