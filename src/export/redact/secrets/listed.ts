import type { Range } from '../text/view.ts';
import { findInRow, findMatches } from './find-matches.ts';
import { Marked, type Sighted, toPatternKey } from './marks.ts';
import { isLikeSecret } from './values.ts';

/** A list of cookies, as Node shows headers, and as an archive of HTTP (HAR) has them. */
export const COOKIE_LIST = /(?:(?<![\w-])set-cookie["']?|"cookies")[ \t]{0,4}:\s{0,40}\[/gi;
/** A list of users and passwords that `chpasswd` reads, in a here document or from another program. */
export const USER_LIST =
  /(?<![\w./-])chpasswd(?![\w./-])(?:[^\n<]{0,80}<<-?[ \t]{0,4}["']?\w{1,20}["']?[^\n]{0,80}\n)?/g;

/** A command that sets variables or members, several at once. */
export const SETTINGS =
  /(?:kv put|secrets? (?:put|set)|secrets?:create|env:(?:create|set)|variables? set|config:(?:set|add)|settings set|config set --secret|(?<![\w-])env set)(?=[ \t])/g;

const COOKIE =
  /\s{0,80}(?:"(?<double>[\w.-]{1,80}=[^"\r\n]{0,5000})"|'(?<single>[\w.-]{1,80}=[^'\r\n]{0,5000})'|\{(?<object>[^{}]{0,10000})\})\s{0,80},?/y;
const VALUE = /"value"[ \t]{0,4}:[ \t]{0,4}"(?<value>[^"\s]{8,})"/;
const USER = /(?<![^\s"'])[\w.$@\\-]{1,80}?:(?<password>[^\s"']{6,512})/g;
/** Before the program, another that prints the list, whose string may have several lines. */
const PRINTED =
  /["'](?<list>[^"'`|]{6,5000})["'][ \t]{0,4}\|[ \t]{0,4}(?:[\w.=/-]{1,40}[ \t]{1,4}){0,6}$/;
const USER_LINE =
  /(?:[ \t]{0,40}(?:#[^\n]{0,200})?\r?\n){0,5}[ \t]{0,40}[\w.$@\\-]{1,80}:(?<password>\S{1,512})[ \t]{0,40}(?:\r?\n|$)/y;
const SETTING =
  /(?:[ \t]|\\\r?\n){1,80}(?:[\w.-]{1,80}=(?:"(?<double>[^"\n]{1,2000})"|'(?<single>[^'\n]{1,2000})'|(?<bare>[^\s"'`$<{%][^\s"'`]{0,2000}))|[^\s;|&]{1,400})/y;
const MAX_ITEMS = 10_000;
const MAX_LIST = 5200;

const markedCookies = new Marked([COOKIE_LIST], toPatternKey);
const markedSettings = new Marked([SETTINGS], toPatternKey);
const markedUsers = new Marked([USER_LIST], toPatternKey);

/** Finds every cookie of a list: the patterns of headers know the first one. */
export function* findListedCookies(text: string, sighted: Sighted): Generator<Range> {
  for (const pattern of markedCookies.choose(sighted)) {
    for (const { 0: head, index } of findMatches(text, pattern)) {
      for (const match of findInRow(text, COOKIE, index + head.length, MAX_ITEMS)) {
        const { double, single, object } = match.groups ?? {};
        const value = double ?? single ?? VALUE.exec(object ?? '')?.groups?.['value'] ?? '';
        const start = match.index + match[0].lastIndexOf(value);
        if (value.length >= 8) yield { start, end: start + value.length };
      }
    }
  }
}

/** Finds the passwords of users that `chpasswd` is given. */
export function* findListedUsers(text: string, sighted: Sighted): Generator<Range> {
  for (const pattern of markedUsers.choose(sighted)) {
    for (const { 0: head, index } of findMatches(text, pattern)) {
      if (head.endsWith('\n')) yield* readLines(text, index + head.length);
      else yield* readPrinted(text.slice(Math.max(0, index - MAX_LIST), index), index);
    }
  }
}

function* readLines(text: string, from: number): Generator<Range> {
  for (const match of findInRow(text, USER_LINE, from, MAX_ITEMS)) {
    const password = match.groups?.['password'] ?? '';
    const start = match.index + match[0].lastIndexOf(password);
    if (isLikeSecret(password)) yield { start, end: start + password.length };
  }
}

function* readPrinted(before: string, end: number): Generator<Range> {
  const printed = PRINTED.exec(before);
  const list = printed?.groups?.['list'] ?? '';
  const from = end - before.length + (printed?.index ?? 0) + 1;
  for (const { 0: line, index, groups = {} } of findMatches(list, USER)) {
    const [password = ''] = (groups['password'] ?? '').split(/\\[nr]/, 1);
    const start = from + index + line.lastIndexOf(password);
    if (isLikeSecret(password)) yield { start, end: start + password.length };
  }
}

/** Finds what looks like a secret among the settings of a command: `config:set NAME=value OTHER=value`. */
export function* findSettings(text: string, sighted: Sighted): Generator<Range> {
  for (const pattern of markedSettings.choose(sighted)) {
    let done = 0;
    for (const { 0: head, index } of findMatches(text, pattern)) {
      if (index < done) continue;
      for (const match of findInRow(text, SETTING, index + head.length, MAX_ITEMS)) {
        done = match.index + match[0].length;
        const { double, single, bare = '' } = match.groups ?? {};
        const value = double ?? single ?? bare.replace(/[;,&|]{1,3}$/, '');
        const start = match.index + match[0].lastIndexOf(value);
        if (isLikeSecret(value)) yield { start, end: start + value.length };
      }
    }
  }
}
