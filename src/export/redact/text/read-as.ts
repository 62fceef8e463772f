import { MAX_ENCODED, narrow, readDecoded } from './decode.ts';
import { ESCAPE, OTHER_ESCAPE, resolve, resolveOther, SOFT_BREAK } from './escapes.ts';
import { toPlain, VARIANT } from './fold.ts';
import { findMatches } from '../secrets/find-matches.ts';
import { LINE_BEGINNING } from './line-beginnings.ts';
import { openTexts } from './open-texts.ts';
import { readCommands } from './read-commands.ts';
import { UNSEEN } from './unseen.ts';
import { type Around, View } from './view.ts';

/** The ways in which somebody who looks for a secret may read a text. */
export interface Readings {
  readonly text: string;
  /**
   * Three readings: unchanged; without what no reader sees; with escapes of JSON, URLs, HTML and
   * Markdown resolved.
   */
  readonly plain: readonly View[];
  /**
   * A reading as if nothing had been broken over lines, put together from several texts, or marked.
   */
  readonly joined: readonly View[];
  /** The decoded texts of base64 and hexadecimal, one per line. */
  readonly decoded: readonly View[];
  /** The plain readings that the others are made of, and their lines without what begins these. */
  readonly ends: readonly View[];
  readonly lines: readonly View[];
}

/**
 * Text that may separate two parts of one word: the end of a line, with the prefix of the next (a diff, a
 * quote, a comment, a number, a time, the name of a file or container); the end of a text and the beginning
 * of another that follows it in a program; marks of Markdown and HTML, an ellipsis, what is left of a color.
 */
const JOINT =
  /(?=[\s\\=~|│┃»¬⏎↵…."'`⋯·¦\u2800*<^\ufffd␛[])(?<=[\w+/=.-]{2})(?:"(?:,"(?:obfuscation":"\w{0,40}"|\w{1,40}":(?:[\w.-]{1,20}|\[\]|\{\}))|[\]}]){1,12}(?:\r?\n){1,3}(?:event: ?[\w.]{1,60}\r?\n)?(?:data: ?)?\{[^\n]{0,250}"(?:text|content|delta|arguments|partial_json|response)": ?"|"\},[ \t]{0,4}\{[^\n{}]{0,60}"(?:text|content|delta)": ?"|(?:[ \t]{0,8}(?:[\\^=~|│┃»¬⏎↵…]|\.{3})[ \t]{0,4})?(?:\r?\n[ \t]{0,120}){1,2}(?:(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,]{5,18}(?:Z|[+-]\d\d:?\d\d)?\]?(?= )|\[[\d:.]{5,12}\]|[A-Z][a-z]{2} {1,2}\d{1,2} [\d:]{8} [\w.-]{1,64} [\w.()/-]{1,64}(?:\[\d{1,8}\])?:(?= )|>(?: ?>){1,4}|[+>|│┃#*…]|-(?!----[BE])|\/\/|\.{3}|\d{1,6}[ \t]{0,4}(?:[:→|│\t]|-(?!----[BE]))|(?<=[ \t])\d{1,6} |[\w./-]{1,80}:\d{1,6}[:-]|[\w-]{1,40}[ \t]{1,10}\|)[ \t]{0,4})?|(?:\r?\n|\\[nr])?["'`][ \t]{0,8}(?:(?:[+.&~|\\]{1,2}|[,+&] ?_?)[ \t]{0,8})?(?:\r?\n[ \t]{0,40}(?:[+.&~|>#*]{1,2}[ \t]{0,40})?)?[fbrLu@]?["'`]|[…⋯·¦⏎↵¬\u2800]|\.{3}|["'`*]{1,4}|<\/?[A-Za-z][^<>\n]{0,100}>|<!--[^<>\n]{0,50}-->|(?:\^\[|\ufffd|␛|\\033|\\e)?\[[\d;]{0,20}m){1,4}(?=[\w+/=.-]{2})/g;
const SIGN_OF_JOINT = /[\s\\=~|│┃»¬⏎↵…."'`⋯·¦\u2800*<^\ufffd␛[]/;
/** The end of a line within a word, or of a string that a program puts together with the next. */
const LINE_OR_STRING_END =
  /(?<=\S)(?:[ \t]{0,8}\\)?(?:\r?\n[ \t]{0,120}){1,2}(?=\S)|(?<=[^\n"'`])["'`][ \t]{0,8}(?:\\?\r?\n[ \t]{0,40})?(?:(?:[+.&~|]{1,2}|[+&] ?_)[ \t]{0,8}(?:\r?\n[ \t]{0,40})?)?[fbrLu@]?["'`](?=[^\n"'`])/g;
/** The beginnings of keys: the line before is not a part of the key. */
const BEGINNING = /(?![\da-f]{1,12}-[\da-f]{4}-)[A-Za-z]{1,12}[_-]|A[KS]IA|AIza|eyJ|ya29|SG\./y;
/** A whole key has at least as many characters. */
const MIN_KEY = 20;
/** The beginnings of keys that a blank may have broken. */
const KEY =
  /gh[pousr]_|github_pat_|(?:sk|pk|rk)[-_]|xox[a-z]-|xapp-|AIza|A[KS]IA|eyJ|ya29\.|GOCSPX-|SG\.|npm_|pypi-|gl[a-z]{2,5}-|hf_|gsk_|xai-|pplx-|nvapi-|hv[sbr]\.|do[opr]_v1_|dckr_[op]at_|AGE-SECRET/g;
const BLANKS = /(?<=[\w+/=.-])[ \t]{1,8}(?=[\w+/=.-])/g;
const WORD = /[\w+/=.-]{1,512}/y;
/** The name of a program is not the beginning of a key. */
const LIKE_KEY = /\d|[a-z][A-Z]|[A-Z]{2}|[_.-]$/;
/** A part of a key, and hardly a word of a sentence. */
const LIKE_PART = /^(?=[^]{0,512}\d)(?=[^]{0,512}[A-Za-z])|[a-z][A-Z]/;
/** The line above may be one of a diff that did not change. */
const AROUND_BARE: Around = { before: 1, behind: 0 };
/** The beginning of a text that a terminal does not show: the address of a link, what is copied, a title. */
const UNSHOWN =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001b|\\(?:u001b|u\{1b\}|x1b|033|e))[\]PX^_]|[\u0090\u0098\u009d-\u009f]/gi;
// oxlint-disable-next-line no-control-regex
const END_OF_UNSHOWN = /\u001b[\]PX^_\\]|[\u0007\u0090\u0098\u009c-\u009f]/g;
/** A move of the cursor in its line, or to another, by which terminals of Windows write blanks and line ends. */
const MOVE =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001b\[|\\(?:u001b|u\{1b\}|x1b|033|e)\[|\u009b)\d{0,4}(?:[CG]|;\d{0,4}[Hf])/gi;
const GAP =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001b\[|\u009b)\d{0,4}[CG]/g;
const ROW =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001b\[|\u009b)\d{0,4};\d{0,4}[Hf]/g;
/** The end of a variable or an argument of a process where Linux shows these, also as `cat -v` and JSON write it. */
const END_OF_ENTRY =
  // oxlint-disable-next-line no-control-regex
  /(?<=[^\0]{2})(?:\0|\^@|\\{1,8}(?:u0000|x00))/g;
const END_OF_VARIABLE =
  // oxlint-disable-next-line no-control-regex
  /(?:\0|\^@|\\{1,8}(?:u0000|x00))(?=[A-Za-z_]\w{0,100}=)/g;
/** A terminal may fill each line up to its width, and `git diff` shows a return at its end. A form has some lines more. */
const BLANKS_AT_END = /(?:(?<! ) {2,300}|\^M)(?=\r?\n)/g;
const AROUND_FILLED: Around = { before: 3, behind: 3 };
/** Blanks up to the next column of a wide table, whose longest value may be in another row. */
const WIDE_GAP = /(?<=\S) {20,}(?=\S)|^ {40,}(?=\S)/gm;
const AROUND_WIDE: Around = { before: 20, behind: 20 };
/** A listing of a log of a container, whose program writes the time. */
const MAX_BEGINNINGS = 3;
/** The other side of a box. */
const SIDE = /[ \t]{0,200}[│┃║][ \t]{0,8}$/gm;
/** The first of the lines of a diff that replace others. The name of a value may stand above the old one. */
const REPLACING = /\+(?<=^-[^\n]{0,250}\n\+)/gm;
const REMOVED = /^-(?!--)[^\n]*\n?/gm;
const AROUND_REPLACING: Around = { before: 20, behind: 10 };
/**
 * A color without the character that begins it, or as `cat -v`, `less` and Windows show it. `grep` erases the rest of the
 * line behind each; it and `git` end one without a number, which is another thing where none began before it.
 */
const REST_OF_COLOR =
  /(?:(?:\^\[|ESC|[←␛\ufffd])?\(B)?(?:(?:\^\[|ESC|[←␛\ufffd])?\[\d{1,3}(?:[;:]\d{0,3}){0,15}m|(?:\^\[|ESC|[←␛\ufffd])\[(?:m|\d?K)|\[m(?:(?=\[\d?K)|(?<=\[\d[\d;:]{0,20}m[^\n]{0,250}\[m)))(?:\[\d?K)?/g;
/** A user and a password with a sign between them that looks like an escape of a URL. */
const PERCENT_OF_USER = /(?:-U|--user)[^\n%]{1,200}%[\dA-Fa-f]{2}/g;
/**
 * A form may stand on several lines, of which only some hold escapes. A backslash that is not one of Markdown, a color
 * or a number, or of JSON before a slash, may be one of a path of Windows, which looks random without it, and is not
 * read beside other lines.
 */
const AROUND_ESCAPES: Around = {
  before: 20,
  behind: 20,
  isMeant: (escape) =>
    !escape.startsWith('\\') ||
    /^\\+(?:u[\dA-Fa-f{]|x1[Bb]|033)|^\\[!#$%&*+/<=>?@[\]^_`|~]/.test(escape),
};
/** A quote within a word, behind a backslash; one beside a sign of JSON or a program ends a string in a string. */
const QUOTE_WITHIN = /(?<=[^\s"'`\\{}[\](),:;=<>])\\{1,8}["'](?=[^\s"'`\\{}[\](),:;=<>])/g;
/** JSON in a string in JSON in a string … */
const MAX_ESCAPED = 6;
/** A pattern that goes on over millions of characters takes more memory than V8 has for it. Nothing is joined over this. */
const WORD_BREAK = '\n;\n';
/** A secret and its name are shorter. A multiple of 4 and 2, so that base64 and hexadecimal are read from a whole byte. */
const WORD_OVERLAP = 8192;
export function readAs(text: string): Readings {
  const asIs = breakWords(View.of(text));
  const seen = fold(see(asIs));
  const lineages = [
    [seen, ...resolveAll(seen, see)],
    [...readUnshown(asIs)],
    [...readMoved(asIs)],
    [...readEntries(asIs)],
  ];
  const plain = [asIs, ...lineages.flat()];
  const texts = [...readTexts(seen)];
  plain.push(...texts);
  const quoted = (lineages[0] ?? []).flatMap((view) => [...readQuoted(view)]);
  plain.push(...quoted, ...quoted.flatMap((view) => [...readBare(view)]));
  const [resolved = seen] = lineages[0]?.slice(-1) ?? [];
  // JSON may hold a mail.
  for (const view of new Set([seen, resolved])) plain.push(...readOther(view));
  const ends = new Set(
    lineages
      .flatMap((views) => [...views.slice(0, 1), ...views.slice(-1)])
      .flatMap((view) => [...readBeside(view)]),
  );
  const bareLines = [...ends, ...texts].flatMap((view) => [...readBare(view)]);
  for (const view of [...ends, ...bareLines]) plain.push(view, ...readCommands(view));
  const joined = readJoined([...ends], bareLines);
  // A joint between two texts in base64 takes away the sign that ends the first.
  const decoded = [
    ...[...ends, ...bareLines].flatMap((view) => readDecoded(view)),
    ...joined.flatMap((view) => readDecoded(view, narrow)),
  ].map(fold);
  return {
    text,
    plain: Array.from(new Set(plain), breakWords),
    joined,
    decoded: decoded.flatMap((view) => [view, ...readCommands(view)]),
    ends: [...ends],
    lines: bareLines,
  };
}

/** A listing may be of a diff, and a quote of a comment: what begins a line is gone, or the joint. */
function readJoined(ends: readonly View[], bareLines: readonly View[]): readonly View[] {
  const parts = [...ends, ...bareLines].flatMap((view) =>
    listDistinct(join(view), joinParts(view)),
  );
  const closed = ends.map((view) => closeUp(view)).filter((view) => view !== undefined);
  return [...parts, ...closed].map(breakWords);
}

/**
 * Readings as if no line ended, for secrets that are known: whatever the next line begins with may belong to one, or
 * only to the line. Strings are put together between any signs.
 */
export function readUnbroken({ ends, lines }: Readings): readonly View[] {
  const unbroken = [...ends, ...lines].flatMap((view) =>
    listDistinct(takeOut(view, LINE_OR_STRING_END), takeOut(view, JOINT)),
  );
  return unbroken.map(breakWords);
}

/** Two readings of one text; one of them where both are the same. */
function listDistinct(one: View | undefined, other: View | undefined): readonly View[] {
  const both = one?.text === other?.text ? [one] : [one, other];
  return both.filter((view) => view !== undefined);
}

/** Takes out what separates two parts, but for parts that are not beside each other in the text. */
function takeOut(
  view: View,
  pattern: RegExp,
  isMeant = (_match: string, _at: number): boolean => true,
): View | undefined {
  return view.replace(pattern, (match, at) =>
    isMeant(match, at) && !view.isGapped({ start: at - 1, end: at + match.length + 1 })
      ? ''
      : match,
  );
}

function breakWords(view: View): View {
  return view.breakWords(MAX_ENCODED, WORD_BREAK, WORD_OVERLAP) ?? view;
}

/** Reads texts within a line as if each had lines of its own. */
function* readTexts(view: View): Generator<View> {
  for (const texts of openTexts(view)) yield fold(see(texts));
  const users = view
    .pickLines(PERCENT_OF_USER)
    ?.replace(ESCAPE, (escape) => (escape.startsWith('%') ? escape : resolve(escape)));
  if (users) yield users;
}

/** Reads a quote that a string escapes as a sign that does not end the string. */
function* readQuoted(view: View): Generator<View> {
  const lines = view.pickLines(QUOTE_WITHIN, AROUND_WIDE);
  const quoted = lines?.replace(QUOTE_WITHIN, (quote) => (quote.endsWith("'") ? '＇' : '＂'));
  if (quoted) yield quoted;
}

/** Reads lines without what begins them, such as a number, and a sign behind it. */
function* readBare(view: View): Generator<View> {
  let lines: View | undefined = view;
  for (let count = 0; count < MAX_BEGINNINGS; count += 1) {
    const changed = lines?.pickLines(REPLACING, AROUND_REPLACING)?.replace(REMOVED, () => '');
    if (changed) yield changed.replace(LINE_BEGINNING, () => '') ?? changed;
    lines = lines?.pickLines(LINE_BEGINNING, AROUND_BARE)?.replace(LINE_BEGINNING, () => '');
    if (!lines) continue;
    yield lines;
    const open = lines.replace(SIDE, () => '');
    if (open) yield open;
  }
}

/**
 * Resolves escapes, and those in what that makes. The last view holds the lines of all before it, as other readings are
 * made of it alone.
 */
function* resolveAll(view: View, clean: (resolved: View) => View): Generator<View> {
  let escaped = view.pickLines(ESCAPE, AROUND_ESCAPES);
  for (let depth = 0; depth < MAX_ESCAPED; depth += 1) {
    const resolved = escaped?.replace(ESCAPE, resolve);
    if (!resolved) return;
    escaped = fold(clean(resolved));
    yield escaped;
  }
}

/** Resolves the escapes of mail and of style sheets. */
function* readOther(view: View): Generator<View> {
  const others = view.pickLines(OTHER_ESCAPE, AROUND_ESCAPES);
  if (!others) return;
  // A line may end within a character.
  const lines = others.replace(SOFT_BREAK, () => '') ?? others;
  yield fold(see(lines.replace(OTHER_ESCAPE, resolveOther) ?? lines));
}

/** Reads what a terminal does not show as lines of its own: `see` removes it, but not every document does. */
function* readUnshown(view: View): Generator<View> {
  const lines = view.pickLines(UNSHOWN);
  if (!lines) return;
  const unshown = fold(show(lines));
  yield unshown;
  yield* resolveAll(unshown, show);
}

/** Reads what a terminal writes by moves of its cursor as the lines and gaps that a person sees. */
function* readMoved(view: View): Generator<View> {
  const lines = view.pickLines(MOVE, AROUND_FILLED);
  if (!lines) return;
  const moved = fold(move(lines));
  yield moved;
  yield* resolveAll(moved, move);
}

/** Reads the variables of a process as lines, and its arguments as words. */
function* readEntries(view: View): Generator<View> {
  const lines = view.pickLines(END_OF_ENTRY);
  if (!lines) return;
  const variables = lines.replace(END_OF_VARIABLE, () => '\n') ?? lines;
  const entries = fold(see(variables.replace(END_OF_ENTRY, () => ' ') ?? variables));
  yield entries;
  yield* resolveAll(entries, see);
}

function move(view: View): View {
  const rows = view.replace(ROW, () => '\n') ?? view;
  return see(rows.replace(GAP, () => '  ') ?? rows);
}

function show(view: View): View {
  return see(view.replace(END_OF_UNSHOWN, () => '\n') ?? view);
}

/** A view, and its lines without what a terminal has left around their words. */
function* readBeside(view: View): Generator<View> {
  yield view;
  const bare = view.pickLines(REST_OF_COLOR, AROUND_WIDE)?.replace(REST_OF_COLOR, () => '');
  if (bare) yield bare;
  const short = view.pickLines(BLANKS_AT_END, AROUND_FILLED)?.replace(BLANKS_AT_END, () => '');
  if (short) yield short;
  const closer = (short ?? view).pickLines(WIDE_GAP, AROUND_WIDE)?.replace(WIDE_GAP, () => '  ');
  if (closer) yield closer;
}

/** Removes what no reader sees. */
function see(view: View): View {
  return UNSEEN.reduce((seen, [part, to]) => seen.replace(part, () => to) ?? seen, view);
}

function fold(view: View): View {
  return view.replace(VARIANT, toPlain) ?? view;
}

/** Reads a text without the blanks between the parts of keys. */
function closeUp(view: View): View | undefined {
  const lines = view.pickLines(KEY);
  if (!lines) return undefined;
  const { text } = lines;
  const keys = Array.from(findMatches(text, KEY), ({ index }) => index);
  let next = 0;
  /** The start of the word that continues a key. */
  let continues = -1;
  return lines.replace(BLANKS, (blanks, at) => {
    while ((keys[next] ?? at) < at) next += 1;
    const start = findWord(text, at);
    const end = at + blanks.length;
    const key = keys[next - 1] ?? -1;
    const isKey = start === continues || (key >= start && LIKE_KEY.test(text.slice(key, at)));
    WORD.lastIndex = end;
    if (!isKey || keys[next] === end || !LIKE_PART.test(WORD.exec(text)?.[0] ?? '')) return blanks;
    continues = end;
    return '';
  });
}

/** Finds the start of the word that ends here, within the length of a key. */
function findWord(text: string, end: number): number {
  let start = end;
  while (start > 0 && end - start < 512 && /[\w+/=.-]/.test(text.charAt(start - 1))) start -= 1;
  return start;
}

function join(view: View): View | undefined {
  return takeOut(view, JOINT, (match, at) => {
    BEGINNING.lastIndex = at + match.length;
    const begins = match.includes('\n') && BEGINNING.test(view.text);
    return !begins || view.text.startsWith('.', at - 1);
  });
}

/** Joins only what looks like parts of a key: a word before or behind it would hide where it begins and ends. */
function joinParts(view: View): View | undefined {
  const { text } = view;
  return takeOut(view, JOINT, (match, at) => {
    const part = text.slice(findWord(text, at), at);
    if (!LIKE_KEY.test(part)) return false;
    WORD.lastIndex = at + match.length;
    const next = WORD.exec(text)?.[0] ?? '';
    if (!LIKE_PART.test(next)) return false;
    BEGINNING.lastIndex = at + match.length;
    const begins = next.length >= MIN_KEY && BEGINNING.test(text);
    return !begins || /[_.-]$/.test(part);
  });
}

/**
 * A secret as a reading shows it that puts parts together, which takes what is in it for something between two parts:
 * with what may stand before and behind it in a text, and without.
 */
export function listPutTogether(secret: string): readonly string[] {
  if (!SIGN_OF_JOINT.test(secret)) return [];
  const ends = ['', '=='];
  return ends.flatMap((before) =>
    ends.map((behind) => {
      const joined = (before + secret + behind).replace(JOINT, '');
      return joined.slice(before.length, joined.length - behind.length);
    }),
  );
}
