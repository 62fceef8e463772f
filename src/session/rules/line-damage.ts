import type { Line } from '../jsonl/read/line-splitter.ts';
import { getBomLength, type LineContent } from '../jsonl/read/parse-line.ts';
import { remember } from './remember.ts';
import { findRecords, isBlank, MAX_PARTS, type Part } from './find-records.ts';

/**
 * A stretch of a damaged line: a whole record, NUL bytes, junk, or the rest of a line that holds
 * no whole record once the NUL bytes around it are gone.
 */
export interface Fragment {
  readonly kind: Part['kind'] | 'rest' | 'nul';
  readonly start: number;
  readonly end: number;
}

/** The reason why a line does not parse: the first that applies, so that one fault is one finding. */
export interface Damage {
  /**
   * `nul`: NUL bytes around what else is there. `glued`: whole records beside one another, or
   * beside a torn one. `torn`: the cut-off end of the file. `malformed`: anything else.
   */
  readonly kind: 'nul' | 'glued' | 'torn' | 'malformed';
  /** All of the line in order, for `nul` and `glued`. */
  readonly fragments: readonly Fragment[];
}

const NUL = 0;
const OPEN_BRACE = 0x7b;
const MALFORMED: Damage = { kind: 'malformed', fragments: [] };
const TORN: Damage = { kind: 'torn', fragments: [] };

/** Examines a line that does not parse; undefined for every other line. */
export function getDamage(line: Line, content: LineContent): Damage | undefined {
  if (content.kind !== 'malformed') return undefined;
  return examineOnce(content, line);
}

const examineOnce = remember((_: LineContent, { bytes, number, terminated }: Line) =>
  examine(bytes, number === 1 ? getBomLength(bytes) : 0, terminated),
);

function examine(bytes: Buffer, start: number, terminated: boolean): Damage {
  if (bytes.includes(NUL, start)) return examineNuls(bytes, start, terminated);
  const parts = findRecords(bytes, start, bytes.length, !terminated);
  if (parts.length > MAX_PARTS) return MALFORMED;
  if (isGlued(bytes, parts)) return { kind: 'glued', fragments: parts };
  // A whole object before stray bytes is not cut off, and must not be taken out with them.
  return terminated || parts[0]?.kind === 'record' ? MALFORMED : TORN;
}

function isGlued(bytes: Buffer, parts: readonly Part[]): boolean {
  const [first, second] = parts;
  if (!first || !second) return false;
  // `{whole}{torn` is glued; after a lone whole object, anything else is just stray.
  const isTrailing = parts.length === 2 && first.kind === 'record' && second.kind === 'junk';
  return !isTrailing || bytes[second.start] === OPEN_BRACE;
}

function examineNuls(bytes: Buffer, start: number, terminated: boolean): Damage {
  const fragments: Fragment[] = [];
  for (let at = start; at < bytes.length && fragments.length <= MAX_PARTS;) {
    const nul = bytes.indexOf(NUL, at);
    const end = nul === -1 ? bytes.length : nul;
    if (end > at) fragments.push(...examineBetweenNuls(bytes, at, end, terminated));
    at = end;
    while (at < bytes.length && bytes[at] === NUL) at += 1;
    if (at > end) fragments.push({ kind: 'nul', start: end, end: at });
  }
  if (fragments.length > MAX_PARTS) return MALFORMED;
  const rests = fragments.filter(({ kind }) => kind === 'rest').length;
  const hasRecords = fragments.some(({ kind }) => kind === 'record');
  if (rests > 1 && !hasRecords) return terminated ? MALFORMED : TORN;
  return { kind: 'nul', fragments: hasRecords ? fragments.map(toJunk) : fragments };
}

function examineBetweenNuls(
  bytes: Buffer,
  start: number,
  end: number,
  terminated: boolean,
): readonly Fragment[] {
  if (isBlank(bytes, start, end)) return [{ kind: 'junk', start, end }];
  const cut = !terminated || end < bytes.length;
  const parts = findRecords(bytes, start, end, cut);
  const isOneRecord = parts.length === 1 && parts[0]?.kind === 'record';
  if (isOneRecord || isGlued(bytes, parts)) return parts;
  return [{ kind: 'rest', start, end }];
}

/** Turns a fragment into junk: beside whole records, what else is there cannot be a line of its own. */
function toJunk(fragment: Fragment): Fragment {
  return fragment.kind === 'rest' ? { ...fragment, kind: 'junk' } : fragment;
}
