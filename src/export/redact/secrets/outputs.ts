import type { Range } from '../text/view.ts';
import { ASKING_COMMANDS } from './asking-commands.ts';
import { findMatches } from './find-matches.ts';
import { Marked, type Sighted, toPatternKey } from './marks.ts';

/** The sign behind which somebody types a command. */
const PROMPT =
  /^(?:(?:[^\n]{0,80}[\w~\])/])?[ \t]{0,8}(?:[$#%❯»>]|PS [^\n>]{1,60}>)[ \t]{1,4}(?:sudo[ \t])?(?:\w{1,20}=\S{0,60}[ \t])?|[A-Za-z]:\\[^\n<>|"]{0,100}>[ \t]{0,4})$/;
/** The line below a command, of one word. */
const BELOW =
  /[^\n]{0,400}\n(?:\[?[ \t]{0,40}|[^\n]{0,8}[→|][ \t]{0,4})["']?(?<secret>\S{6,8192})(?=[ \t\r]{0,8}(?:\n|$))/y;
/** The line below the name of a user. */
const BELOW_USER =
  /[^\n]{0,400}\n[^\n]{0,8}?[\w.@+\\-]{1,64}[ \t\r]{0,8}\n(?:[ \t]{0,40}|[^\n]{0,8}[→|][ \t]{0,4})(?<secret>\S{6,256})(?=[ \t\r]{0,8}(?:\n|$))/y;
/** A user who is called by an address. */
const ADDRESS = /^[\w.+-]{1,64}@[\w-]{1,60}\./;
/** No option, number, path, address or name in a program. */
const LIKE_OUTPUT =
  /^(?=[^]{0,400}(?:\d|[!#$%^&*~?@=]))(?=[^]{0,400}[A-Za-z])(?![-./~$<>([{#*|]|(?!base64:)[\w.+-]{1,40}:|[\w@.-]{1,60}\/[^]{0,200}\.[a-z]{1,5}(?::|$)|[A-Za-z]:\\|v?\d{1,4}(?:\.\d|$)|\d{4}-\d\d-\d\d|[a-z]{1,12}\d{0,2}$)(?![^]{0,400}(?:\(\)|:\/\/|\.\.\.))/i;
/** Codex says before an output how long it took, and Neovate what was run, and where. */
const HEADED =
  /(?:^|\n)(?:Total output lines: \d{1,9}\n)?Output:\n+|(?:^|\n)Directory: [^\n]{0,4096}\nStdout: /;

/**
 * The only line, also where it is numbered, or Claude Code reminds of something below it; or the first, if a blank
 * line follows, or facts about it, as `pass` keeps them. A user may stand above it.
 */
const ONLY_LINE =
  /^\s{0,8}(?:1[→\t])?(?:[\w.@+\\-]{1,64}[ \t\r]{0,8}\n[ \t]{0,8}(?:2[→\t])?)??(?<secret>\S{6,8192})(?=\s{0,20}(?:[23]→\s{0,20})?(?:$|<system-reminder>|<\/result>)|[ \t\r]{0,8}\n[ \t\r]{0,8}(?:2[→\t])?(?:\n|[A-Za-z][\w -]{0,30}:))/;

/** A result of Codex as it was at first, or of another server, or a file that Neovate has read: JSON in a string. */
const IN_JSON =
  /^\{\s{0,4}(?:"(?:output|stdout)"|\s{0,4}"type": ?"text",\s{0,4}"filePath": ?"[^"\n]{0,4096}",\s{0,4}"content"): ?"(?:[\w.@+-]{1,64}(?:\\r)?\\n)??(?<secret>[^\s"\\]{6,8192})(?:(?:\\[nr]){0,4}"|(?:\\r)?\\n(?:\\n|[A-Za-z][\w -]{0,30}:))/;

/** Claude Code and Neovate have what their user types, and what that prints, in elements. */
export const TYPED = '<bash-input>';
const PRINTED_FOR_USER =
  /^<bash-stdout>(?:Command: [^]{1,4096}?\nStdout: )?\s{0,8}(?:[\w.@+\\-]{1,64}[ \t\r]{0,8}\n)??(?<secret>[^\s<]{6,8192})(?=\s{0,8}<\/bash-stdout>|[ \t\r]{0,8}\n[ \t\r]{0,8}(?:\n|[A-Za-z][\w -]{0,30}:))/;

/** Codex has both in one text. */
const RUN_BY_USER = /^<user_shell_command>\s{0,8}<command>(?<command>[^]{1,4096}?)<\/command>/;

/** The head of a file, as a diff, a patch of Codex, and `head` of several files have it. */
export const FILE_HEAD =
  /^(?:\+\+\+ (?:b\/)?|\*\*\* (?:Add|Update) File: |==> )(?<path>[^\n<>]{1,200}?)(?: <==)?\r?\n(?:@@[^\n]{0,80}\n)?/gm;
/** A file of one line, and what it was before. */
const ONLY_CONTENT =
  /[+-]?(?<secret>\S{6,8192})[ \t\r]{0,8}(?:\n[+-](?<next>\S{6,8192})[ \t\r]{0,8})?(?=\n(?:\*\*\*|\n|diff |\\ )|\n?$)/dy;

const marked = new Marked(ASKING_COMMANDS, toPatternKey);
const markedHeads = new Marked([FILE_HEAD], toPatternKey);

/** Finds what commands print below a prompt. */
export function* findOutputs(text: string, sighted: Sighted): Generator<Range> {
  for (const pattern of marked.choose(sighted)) {
    for (const { 0: command, index } of findMatches(text, pattern)) {
      const line = text.lastIndexOf('\n', index) + 1;
      if (index - line > 200 || !PROMPT.test(text.slice(line, index))) continue;
      const end = index + command.length;
      const range = findBelow(text, end, BELOW);
      const isUser = !range || ADDRESS.test(text.slice(range.start, range.end));
      const found = (isUser ? findBelow(text, end, BELOW_USER) : undefined) ?? range;
      if (found) yield found;
    }
  }
}

function findBelow(text: string, from: number, pattern: RegExp): Range | undefined {
  pattern.lastIndex = from;
  const { groups } = pattern.exec(text) ?? {};
  return groups && toValue(groups['secret'] ?? '', pattern.lastIndex);
}

/** Finds what is shown of files that hold a secret, and nothing else. */
export function* findShownFiles(text: string, sighted: Sighted): Generator<Range> {
  for (const pattern of markedHeads.choose(sighted)) {
    for (const { 0: head, index, groups = {} } of findMatches(text, pattern)) {
      if (!printsSecret(`cat ${groups['path'] ?? ''}`)) continue;
      ONLY_CONTENT.lastIndex = index + head.length;
      const { indices } = ONLY_CONTENT.exec(text) ?? {};
      for (const name of ['secret', 'next']) {
        const [start = 0, end = 0] = indices?.groups?.[name] ?? [];
        const range = toValue(text.slice(start, end), end);
        if (range) yield range;
      }
    }
  }
}

/** Returns whether a command prints a secret. */
export function printsSecret(command: string): boolean {
  if (command.length >= MAX_COMMAND) return false;
  return ASKING_COMMANDS.some((pattern) => command.search(pattern) !== -1);
}

const MAX_COMMAND = 10_000;

/** Finds the secret in an output that is nothing else. */
export function findPrinted(output: string): Range | undefined {
  if (output.length > MAX_COMMAND) return undefined;
  const { groups: json } = IN_JSON.exec(output) ?? {};
  if (json) return toValueWithin(output, json['secret'] ?? '');
  const { 0: head = '', index = 0 } = HEADED.exec(output) ?? {};
  const from = index + head.length;
  const { 0: line = '', groups } = ONLY_LINE.exec(output.slice(from)) ?? {};
  return toValue(groups?.['secret'] ?? '', from + line.length);
}

/** Finds the secret in what a command of the user has printed. */
export function findPrintedForUser(text: string): Range | undefined {
  const secret = PRINTED_FOR_USER.exec(text)?.groups?.['secret'];
  return secret === undefined ? undefined : toValueWithin(text, secret);
}

/** Finds the secret in a text of Codex that is a command of the user and what it has printed. */
export function findRunByUser(text: string): Range | undefined {
  const command = RUN_BY_USER.exec(text)?.groups?.['command'];
  return command !== undefined && printsSecret(command) ? findPrinted(text) : undefined;
}

function toValueWithin(text: string, secret: string): Range | undefined {
  return toValue(secret, text.indexOf(secret) + secret.length);
}

/** The value that ends here, without a quote. */
function toValue(found: string, end: number): Range | undefined {
  const value = found.replace(/^["']/, '').replace(/["',]{1,2}$/, '');
  if (!LIKE_OUTPUT.test(value)) return undefined;
  const start = end - found.length + found.indexOf(value);
  return { start, end: start + value.length };
}
