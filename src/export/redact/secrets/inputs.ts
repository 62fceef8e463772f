import type { Range } from '../text/view.ts';
import { findMatches } from './find-matches.ts';
import { isSystemFile } from './following.ts';
import { Marked, type Sighted, toPatternKey } from './marks.ts';
import { printsSecret } from './outputs.ts';
import { isLikeSecret } from './values.ts';

/** A command that prints values; behind it the program or file that takes them, and maybe another such command. */
export const PRINTED =
  /(?<![\w-])(?:echo|printf|yes|Write-Output|Set-Content|print)[ \t]{1,4}(?<values>(?:[^"'\n|<>]{0,80}(?:"[^"\n]{0,160}"|'[^'\n]{0,160}')){0,3}[^"'\n|<>]{0,160}?)[ \t]{0,4}(?<to>\|(?!\|)|>{1,2}(?!&))(?=[^\n])/g;
/** A program, and the string that it is given. */
export const GIVEN =
  /<<<(?<=(?<before>[^\n<]{1,200})<<<)[ \t]{0,4}(?!(?:FAILURE|ERROR)!)(?<values>\$?"[^"\n]{0,256}"|\$?'[^'\n]{0,256}'|[^\s"'<>|]{1,256})/g;
/** A here document of one word. */
export const HERE_DOCUMENT =
  /<<-?(?<=(?<before>[^\n<]{1,200})<<-?)[ \t]{0,4}["']?(?<end>\w{1,20})["']?(?<rest>[^\n]{0,200})\n[ \t]{0,40}(?<values>[^\s"'`]{4,256})(?=[ \t\r]{0,8}\n[ \t]{0,40}\k<end>)/g;
/** The file that a command writes. */
const WRITTEN =
  /(?:>{1,2}|(?<![\w-])tee[ \t](?:-a[ \t])?)[ \t]{0,4}["']?(?<path>[^\s"'<>|;&]{1,200})/g;
/** Programs that take a secret, whatever it is. */
const TAKES =
  /(?<![\w-])sudo[ \t]{1,4}-\w{0,4}S|stdin|with-token|passw|passphrase|secret|login|cryptsetup|kinit|runas|-fd 0|env add/i;
/** Programs and files that may take one. */
const MAY_TAKE =
  /(?<!\w)(?:env[ :]\w|variables? |config:|pass insert|su -|ssh-add|unlock|obscure|argon2|sign-?in|keyctl|load-key|nmcli|keepass|op item|age -|kubeseal|(?<!git[ -])credential|vault|token|htpasswd|mkpasswd|keyring|alias set|sshpass|twine|activate|gopass|borg|restic|pdbedit|hcloud|fetchmail|telnet|mutt|saslpasswd|doveadm|sshfs|gpg)|pwd?(?!\w)|passwd|auth|encrypt|api_?key|cred(?!ential)/i;
/** A program that takes any text, and often a secret. */
const ENCODES = /^\s{0,4}base64(?![^|\n]{0,40}[ \t](?:-[a-z]{0,4}[dD]|--decode))/;
const VALUE = /"(?<double>[^"]*)"|'(?<single>[^']*)'|[^\s"';()]+/g;
/** A word, or a line of `printf`. */
const PART = /(?!(?<=\\)[nr])(?:(?!\\[nr])\S)+/g;
/** A format, a variable, an option, what a program puts there. */
const NO_VALUE = /^(?:-|echo$|printf$|.{0,3}$|\$|%[sdb]|.*[`$]\(|.*\$\{)/;
/** The most that is read of the program or file that takes a value. */
const MAX_TAKER = 300;
const PLAIN_WORD = /^(?:[A-Za-z]?[a-z]*|[A-Z]+|[\d.,:]{1,3})$/;

const markedPrinted = new Marked([PRINTED], toPatternKey);
const markedGiven = new Marked([GIVEN], toPatternKey);
const markedDocuments = new Marked([HERE_DOCUMENT], toPatternKey);

/** Values that programs which ask for a secret, or files of secrets, are given. */
export function* findInputs(text: string, sighted: Sighted): Generator<Range> {
  for (const pattern of markedPrinted.choose(sighted)) {
    for (const { 0: match, index, groups = {} } of findMatches(text, pattern)) {
      const { values = '', to = '' } = groups;
      const end = index + match.length;
      const [rest = ''] = text.slice(end, end + MAX_TAKER).split('\n', 1);
      const taker = to.startsWith('>') ? (/^\s*\S+/.exec(rest)?.[0] ?? '') : rest;
      yield* readValues(values, index + match.indexOf(values), to === '|' ? taker : `>${taker}`);
    }
  }
  for (const pattern of markedGiven.choose(sighted)) {
    for (const { 0: match, index, groups = {} } of findMatches(text, pattern)) {
      const { before = '', values = '' } = groups;
      yield* readValues(values, index + match.length - values.length, before);
    }
  }
  for (const pattern of markedDocuments.choose(sighted)) {
    for (const { 0: match, index, groups = {} } of findMatches(text, pattern)) {
      const { before = '', rest = '', values = '' } = groups;
      if (!writesSecret(before + rest)) continue;
      yield* readValues(values, index + match.length - values.length, `>${before}${rest}`);
    }
  }
}

/** Returns whether a command writes a file that holds a secret, and nothing else. */
function writesSecret(command: string): boolean {
  return Array.from(command.matchAll(WRITTEN)).some(({ groups }) => {
    const path = groups?.['path'] ?? '';
    return printsSecret(`cat ${path}`) && !isSystemFile('passwd', path, path.length);
  });
}

/** Returns whether a program takes a secret, whatever it is given. */
export function takesSecret(command: string): boolean {
  return TAKES.test(command);
}

function* readValues(values: string, start: number, taker: string): Generator<Range> {
  const isSure = !taker.startsWith('>') && TAKES.test(taker);
  const isEncoded = ENCODES.test(taker);
  const mayTake = TAKES.test(taker) || MAY_TAKE.test(taker) || writesSecret(taker);
  if (!isEncoded && !mayTake) return;
  for (const { 0: word, index, groups = {} } of findMatches(values, VALUE)) {
    const value = groups['double'] ?? groups['single'] ?? word;
    // A sentence.
    if (/\s/.test(value)) continue;
    const from = index + word.indexOf(value);
    for (const { 0: part, index: at } of findMatches(value, PART)) {
      // The user, and the password.
      const [user = ''] = /^\w[\w.@-]{0,60}:/.exec(part) ?? [];
      const secret = part.slice(user.length);
      if (NO_VALUE.test(secret) || (!isSure && PLAIN_WORD.test(secret))) continue;
      if (isEncoded && !isLikeSecret(secret)) continue;
      const begin = start + from + at + user.length;
      yield { start: begin, end: begin + secret.length };
    }
  }
}
