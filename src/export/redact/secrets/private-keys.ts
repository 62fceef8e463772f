import type { Range } from '../text/view.ts';
import { findMatches } from './find-matches.ts';

/** The marks of PEM, OpenPGP, SSH2 and PuTTY, and what may be the beginning of a key without one. */
const MARK =
  /-{1,5} ?(?<edge>BEGIN|END) (?<label>[A-Z\d ]{1,60})|Private-(?:(?<lines>Lines: \d{1,4})|(?:MAC|Hash): )|(?<![A-Za-z\d])(?=(?<body>(?:M[A-I]|b3Blbn|LS0tLS1C|RWRT)[A-Za-z\d+/]{22,62}))/g;
/** A line of a body, or of one that was cut off. */
const LINE = /[A-Za-z\d+/]{8,}={0,2}/g;
/** A shorter one, or one without all of these, may be a path or a name in a program. */
const LIKE_BODY = /^(?=[^]{0,100}\d)(?=[^]{0,100}[a-z])(?=[^]{0,100}[A-Z])[^]{40}/;
const LIKE_REST = /^(?=[^]{0,100}[a-z])(?=[^]{0,100}[A-Z])/;
/**
 * The most characters between two lines of a body: the name of a file or container, a commit, a job, a time, a
 * line of another container.
 */
const MAX_BETWEEN = 1000;
/** The length of a key of 16,384 bits with what stands before its lines. */
const MAX_KEY = 65_536;

interface Mark extends Range {
  readonly kind: 'begin' | 'end' | 'other';
}

/**
 * The bodies of private keys, with whatever stands before each line: from a beginning on, up to an end, or both.
 * The lines are found, too, as one may stand elsewhere by itself.
 */
export function* findPrivateKeys(text: string): Generator<Range> {
  let last: Mark = { kind: 'other', start: 0, end: 0 };
  const end: Mark = { kind: 'other', start: text.length, end: text.length };
  for (const mark of [...findMarks(text), end]) {
    const [from, to] = [last.end, mark.start];
    const near = Math.max(from, to - MAX_KEY);
    if (last.kind === 'begin')
      yield* move(readFrom(text.slice(from, Math.min(to, from + MAX_KEY))), from);
    if (mark.kind === 'end') yield* move(readUpTo(text.slice(near, to)), near);
    last = mark;
  }
}

function* findMarks(text: string): Generator<Mark> {
  for (const { 0: match, index, groups = {} } of findMatches(text, MARK)) {
    const { edge, label = '', lines, body } = groups;
    const range = { start: index, end: index + match.length };
    if (body !== undefined) {
      if (beginsKey(Buffer.from(body, 'base64'))) yield { kind: 'begin', ...range };
    } else if (edge !== undefined && !label.includes('PRIVATE KEY')) {
      yield { kind: 'other', ...range };
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

function* move(ranges: Iterable<Range>, by: number): Generator<Range> {
  for (const { start, end } of ranges) yield { start: start + by, end: end + by };
}
