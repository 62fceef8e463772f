import { findInRow, findMatches } from './find-matches.ts';
import { Marked, type Sighted, toPatternKey } from './marks.ts';
import type { NearValue } from './near-values.ts';
import { findBefore, isLikeSecret } from './values.ts';

/** A collection of secrets, up to its bracket: `passwords = [`, `tokens := map[string]string{`, `SECRETS=(`. */
export const COLLECTION =
  /(?<![\w.-])(?<outer>[\w.-]{0,60}(?:passwords?|passwds?|passphrases?|pwds?|pws|secrets|tokens|(?:api|access|secret|private|signing|encryption|master|auth|unseal|recovery)_?keys(?:_hex|_b64|_base64)?|credentials?|creds|auth|logins?))["']?(?:\[\w{0,20}\])?(?:[ \t]{0,4}:[ \t]{0,4}[\w<>, |.[\]]{1,60}?)?[ \t]{0,4}(?::=|=>|[:=])[ \t]{0,4}(?:[^\n"'`;,=({[]{0,60}?(?:\[\w{0,20}\][\w<> ]{0,20}){0,2})[[({]/gi;
/** A call that logs in, or makes a user, whose last arguments are secret: `login("bob", "value")`. */
export const LOGIN_CALL =
  /(?<![A-Za-z])(?<outer>[\w.]{0,60}(?:credentials?|creds|log_?in|sign_?in(?:_?with\w{1,40})?|sign_?up|authenticate|authentication|(?:basic|digest|http|plain)_?auth|auth_?provider|(?<![A-Za-z])auth|create_?user|add_?user|set_?user|register(?:_?user)?|userpass))\((?=[^()]{0,120},)/gi;
/** Puts a secret into a collection, or has a place for it: `tokens["bob"] = "value"`, `passwords.add("value")`. */
export const MEMBER_OF =
  /(?<![\w.-])[\w-]{0,60}(?:passwords|passwds|passphrases|secrets|tokens|api_?keys|credentials|creds)(?:\[[^\]\n]{1,60}\][ \t]{0,4}(?:\|\|)?=>?[ \t]{0,4}|\.(?:push|add|append|set|put|insert|store)\((?:["'][^"'\n]{1,80}["'],[ \t]{0,2})?)["'`]?(?<secret>[^\s"'`]{6,512})/gi;
/** The head of a section: `[tokens]`. */
export const SECTION =
  /^[ \t]{0,8}\[{1,2}[\w.-]{0,60}(?:passwords?|passphrases?|secrets|tokens|api_?keys|credentials)\]{1,2}[ \t]{0,8}(?:[#;][^\r\n]{0,200})?\r?$/gim;
const SECTION_LINE =
  /\r?\n(?:[ \t]{0,8}(?:[\w.@-]{1,80}|"[^"\n]{1,80}"|'[^'\n]{1,80}')[ \t]{0,40}=[ \t]{0,8}["']?(?<secret>[^\s"']{4,512})["']?[^\n]{0,400}|[ \t]{0,8}(?:[\w.@ -]{1,80}|"[^"\n]{1,80}"|'[^'\n]{1,80}')[ \t]{0,40}=[^\n]{0,4000}|[ \t]{0,40}["'\])}][^\n]{0,400}|[ \t]{0,8}(?:[#;][^\n]{0,400})?(?=\r?\n|$))/y;
/** A bracket, a string, or a word; the sign behind it makes it a name. */
const ITEM =
  /(?<bracket>[[\](){}])|(?:["'`](?<quoted>[^"'`\n]{0,512})["'`]|(?<bare>[^\s"'`,;[\](){}]{4,512}))(?<names>[ \t]{0,4}(?:=>|[:=]))?|;(?<!(?:\s(?:\/\/|#)|\/\*)[^\n]{0,200};)|\n[ \t\r]*\n(?!\s{0,80}(?:(?<=[ \t])(?:["'`][^"'`\n]{0,512}["'`][ \t]{0,4}(?:[,:\])}]|=>|\r?\n)|["']?[\w.-]{1,80}["']?[ \t]{0,4}(?:=>|[:=])[ \t]{0,4}["'`]|#|\/\/)|[\])}]))/g;
/** The most characters without an item: one that has no more is read so far. */
const MAX_BETWEEN = 40_000;
/** The same where as much as the text has been read twice and holds none, as in collections without an end in each other. */
const FEW_BETWEEN = 300;
const MAX_ITEMS = 100_000;
const MAX_LINES = 100_000;

const marked = new Marked([COLLECTION, LOGIN_CALL, MEMBER_OF, SECTION], toPatternKey);

/** Finds what stands in collections of secrets. Each must be looked at. */
export function* findCollected(text: string, sighted: Sighted): Generator<NearValue> {
  const reach = new Reach(2 * text.length);
  for (const pattern of marked.choose(sighted)) {
    let done = 0;
    for (const { 0: head, index, groups = {} } of findMatches(text, pattern)) {
      const from = index + head.length;
      if (index < done) continue;
      if (pattern === MEMBER_OF) {
        const value = findBefore(groups['secret'] ?? '', isLikeSecret) ?? '';
        if (value === '') continue;
        const start = index + head.lastIndexOf(value);
        yield { name: 'password', value, start, end: start + value.length };
      } else if (pattern === SECTION) {
        yield* readSection(text, from);
      } else {
        for (const item of readItems(text.slice(from), from, reach)) {
          done = item.end;
          yield item;
        }
      }
    }
  }
}

/** How far collections are read for their next item. */
class Reach {
  #left: number;

  /** `most`: the characters without an item that are read in all collections together. */
  constructor(most: number) {
    this.#left = most;
  }

  get most(): number {
    return this.#left > 0 ? MAX_BETWEEN : FEW_BETWEEN;
  }

  spend(characters: number): void {
    this.#left -= characters;
  }
}

/** Reads strings and words up to the bracket that closes. */
function* readItems(part: string, from: number, reach: Reach): Generator<NearValue> {
  const { most } = reach;
  let depth = 1;
  let count = 0;
  let last = 0;
  for (const { 0: match, index, groups = {} } of findMatches(part, ITEM)) {
    const { bracket, quoted, bare = '', names } = groups;
    const isEnd = bracket === undefined && quoted === undefined && bare === '';
    if (bracket !== undefined) depth += /[[({]/.test(bracket) ? 1 : -1;
    if (isEnd || depth === 0 || count > MAX_ITEMS || index - last > most) {
      reach.spend(index - last);
      return;
    }
    const value = quoted ?? bare;
    if (value === '' || names !== undefined) continue;
    count += 1;
    last = index;
    const start = from + index + match.indexOf(value);
    yield { name: 'password', value, start, end: start + value.length };
  }
  reach.spend(part.length - last);
}

function* readSection(text: string, from: number): Generator<NearValue> {
  for (const match of findInRow(text, SECTION_LINE, from, MAX_LINES)) {
    const value = match.groups?.['secret'] ?? '';
    const start = match.index + match[0].indexOf(value, match[0].indexOf('='));
    if (value !== '') yield { name: 'password', value, start, end: start + value.length };
  }
}
