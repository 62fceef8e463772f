import type { Range } from '../text/view.ts';
import { findMatches } from './find-matches.ts';
import { findMarks, Marked, type Sighted, toPatternKey } from './marks.ts';

/** The marks of PEM, OpenPGP, SSH2 and PuTTY, and what may be the beginning of a key without one. */
export const MARK =
  /-{1,5} ?(?<edge>BEGIN|END) (?<label>[A-Z\d ]{1,60})|Private-(?:(?<lines>Lines: \d{1,4})|(?:MAC|Hash): )|(?<![A-Za-z\d])(?=(?<body>(?:M[A-I]|b3Blbn|LS0tLS1C|RWRT)[A-Za-z\d+/]{22,62}))/g;
/** The frame of a certificate, and no comment that says where something begins, such as a transaction. */
const FRAME = /^-{4}/;
/** The lines between a frame and a body: facts about it, an empty one, and the last of the body, which is short. */
const BESIDE_FRAME = /^[^\n]{0,200}(?:\n[^\n]{0,200}){0,5}$/;
/** A line of a body, or of one that was cut off. */
const LINE = /[A-Za-z\d+/]{8,}={0,2}/g;
/** A shorter one, or one without all of these, may be a path or a name in a program. */
const LIKE_BODY = /^(?=\D{0,100}\d)(?=[^a-z]{0,100}[a-z])(?=[^A-Z]{0,100}[A-Z])[^]{40}/;
const LIKE_REST = /^(?=[^a-z]{0,100}[a-z])(?=[^A-Z]{0,100}[A-Z])/;
/** A word that may be a line of a body, in a width that programs write; a diff has a sign before it. */
const WHOLE_LINE = /(?<![A-Za-z\d+/])[A-Za-z\d+/]{64,78}/g;
const WIDTHS: ReadonlySet<number> = new Set([64, 70, 76]);
/** The end of a line, a line of another container, and what stands before the next. */
const BETWEEN_ROWS = /^[^\n]{0,80}(?:\n[^\n]{0,200}){1,2}$/;
/** The last line of a key, behind the same. */
const REST_OF_ROWS =
  /^[^\n]{0,80}\n(?:[^\n]{0,200}\n)??(?:[^\n]{0,120}[^A-Za-z\d+/=\n])?\+?(?:[A-Za-z\d+/]{4,75}={1,2}(?![A-Za-z\d+/=])|[A-Za-z\d+/]{2,3}={1,2}(?=\r?\n|$)|(?=[^\n]{0,75}\d)(?=[^A-Z\n]{0,75}[A-Z])(?=[^a-z\n]{0,75}[a-z])[A-Za-z\d+/]{12,75}(?=[^A-Za-z\d+/=\n]{0,8}(?:\n|$)))/;
/** Fewer may be anything; more are a file, as a key of 16,384 bits has less than 200. */
const MIN_ROWS = 2;
const MAX_ROWS = 220;
/**
 * The most characters between two lines of a body: the name of a file or container, a commit, a job, a time, a
 * line of another container.
 */
const MAX_BETWEEN = 1000;
/** The length of a key of 16,384 bits with what stands before its lines. */
const MAX_KEY = 65_536;

interface Mark extends Range {
  /** The others are of something else in a frame, such as a certificate. */
  readonly kind: 'begin' | 'end' | 'other-begin' | 'other-end';
}

/**
 * The bodies of private keys, with whatever stands before each line: from a beginning on, up to an end, or both.
 * The lines are found, too, as one may stand elsewhere by itself. Lines in a row that look like those of a key are
 * found also without a mark.
 */
export function* findPrivateKeys(
  text: string,
  sighted: Sighted = findMarks(text),
): Generator<Range> {
  let last: Mark = { kind: 'other-end', start: 0, end: 0 };
  const end: Mark = { kind: 'other-begin', start: text.length, end: text.length };
  for (const mark of [...readMarks(text, sighted), end]) {
    const [from, to] = [last.end, mark.start];
    const near = Math.max(from, to - MAX_KEY);
    if (last.kind === 'begin')
      yield* move(readFrom(text.slice(from, Math.min(to, from + MAX_KEY))), from);
    if (mark.kind === 'end') yield* move(readUpTo(text.slice(near, to)), near);
    const isOther = last.kind === 'other-begin' && mark.kind === 'other-end';
    if (!isOther) yield* move(findRows(text.slice(from, to), last, mark), from);
    last = mark;
  }
}

const marked = new Marked([MARK], toPatternKey);

function* readMarks(text: string, sighted: Sighted): Generator<Mark> {
  const matches = marked.choose(sighted).flatMap((pattern) => [...findMatches(text, pattern)]);
  for (const { 0: match, index, groups = {} } of matches) {
    const { edge, label = '', lines, body } = groups;
    const range = { start: index, end: index + match.length };
    if (body !== undefined) {
      if (beginsKey(Buffer.from(body, 'base64'))) yield { kind: 'begin', ...range };
    } else if (edge !== undefined && !label.includes('PRIVATE KEY')) {
      if (FRAME.test(match))
        yield { kind: edge === 'BEGIN' ? 'other-begin' : 'other-end', ...range };
    } else yield { kind: edge === 'BEGIN' || lines !== undefined ? 'begin' : 'end', ...range };
  }
}

/** Whether bytes begin as a private key does: in DER, or as OpenSSH, minisign or PEM write it. */
function beginsKey(bytes: Buffer): boolean {
  const [first, length = 0] = bytes;
  if (first !== 0x30) {
    return /^(?:openssh-key|EdSc|-----BEGIN [A-Z ]{0,20}PRIV)/.test(bytes.toString('latin1'));
  }
  const hex = bytes.subarray(length < 0x80 ? 2 : 2 + (length & 0x7f)).toString('hex');
  // A version, and an algorithm, a number or a secret; PKCS #12; a key encrypted by a password.
  return /^(?:02010[01]30|02010[01]0[24]|02010330|30..06092a864886f70d0105)/.test(hex);
}

/** The lines from the beginning of a key, as far as they follow each other. */
function* readFrom(part: string): Generator<Range> {
  let [start, end] = [0, 0];
  for (const line of findLines(part)) {
    if (line.start - end > MAX_BETWEEN) break;
    if (end === 0) ({ start } = line);
    ({ end } = line);
    yield line;
  }
  if (end === 0) return;
  const rest = findRest(
    part
      .slice(end, end + MAX_BETWEEN)
      .split('\n', 2)
      .join('\n'),
  );
  yield { start, end: end + (rest?.end ?? 0) };
}

/** The lines up to the end of a key, the last of which is a short one. */
function* readUpTo(part: string): Generator<Range> {
  let start = part.length;
  for (const line of [...findLines(part)].toReversed()) {
    if (start - line.end > MAX_BETWEEN) break;
    ({ start } = line);
    yield line;
  }
  if (start === part.length) return;
  const near = Math.max(0, start - MAX_BETWEEN);
  const before = part.slice(near, start);
  const above = before.slice(0, Math.max(0, before.lastIndexOf('\n')));
  const feed = above.lastIndexOf('\n') + 1;
  const rest = findRest(above.slice(feed));
  yield { start: rest ? near + feed + rest.start : start, end: part.length };
}

function* findLines(part: string): Generator<Range> {
  for (const { 0: match, index } of findMatches(part, LINE)) {
    if (LIKE_BODY.test(match)) yield { start: index, end: index + match.length };
  }
}

/** Finds what is left of a line of a body that was cut off: the last word. */
function findRest(text: string): Range | undefined {
  const last = [...findMatches(text, LINE)].at(-1);
  if (!last || !LIKE_REST.test(last[0])) return undefined;
  return { start: last.index, end: last.index + last[0].length };
}

/** The lines of keys that stand in a row, without the beginning and the end of the key, nor right beside another frame. */
function* findRows(part: string, before: Mark, behind: Mark): Generator<Range> {
  if (part.length < MIN_ROWS * 64) return;
  for (const row of listRows(part)) {
    const [start, end] = [row.at(0)?.start, row.at(-1)?.end];
    const isBegun = before.kind === 'other-begin' && BESIDE_FRAME.test(part.slice(0, start));
    const isEnded = behind.kind === 'other-end' && BESIDE_FRAME.test(part.slice(end));
    if (!isBegun && !isEnded && row.length <= MAX_ROWS) yield* findKeys(part, row);
  }
}

/** The words that may be lines of a body, in rows. */
function* listRows(part: string): Generator<readonly Range[]> {
  let row: Range[] = [];
  for (const { 0: match, index: at } of findMatches(part, WHOLE_LINE)) {
    const isAdded = match.startsWith('+') && WIDTHS.has(match.length - 1);
    const index = isAdded ? at + 1 : at;
    if (!WIDTHS.has(at + match.length - index)) continue;
    const { end = index } = row.at(-1) ?? {};
    const between = part.slice(end, Math.min(index, end + MAX_BETWEEN));
    if (row.length > 0 && !BETWEEN_ROWS.test(between)) {
      yield row;
      row = [];
    }
    row.push({ start: index, end: at + match.length });
  }
  if (row.length > 0) yield row;
}

/** The keys in a row: the sum of a file, a ruler or a path may be as wide as their lines. */
function* findKeys(part: string, row: readonly Range[]): Generator<Range> {
  let lines: Range[] = [];
  for (const line of row) {
    if (LIKE_BODY.test(part.slice(line.start, line.end))) lines.push(line);
    else {
      yield* toKey(part, lines);
      lines = [];
    }
  }
  yield* toKey(part, lines);
}

/** The lines of a row and the short one after them, if they may be of a key. */
function* toKey(part: string, row: readonly Range[]): Generator<Range> {
  const [first] = row;
  const last = row.at(-1);
  if (!first || !last || row.length < MIN_ROWS) return;
  if (!row.every(({ start, end }) => isBinary(Buffer.from(part.slice(start, end), 'base64'))))
    return;
  yield* row;
  const [rest = ''] = REST_OF_ROWS.exec(part.slice(last.end, last.end + MAX_BETWEEN)) ?? [];
  yield { start: first.start, end: last.end + rest.length };
}

/** Returns whether bytes are not those of a text, which has few others than these. */
function isBinary(bytes: Buffer): boolean {
  return bytes.filter((byte) => byte < 0x09 || byte > 0x7e).length > bytes.length / 4;
}

function* move(ranges: Iterable<Range>, by: number): Generator<Range> {
  for (const { start, end } of ranges) yield { start: start + by, end: end + by };
}
