import type { Line } from '../jsonl/line-splitter.ts';
import { hasBom, type LineContent } from '../jsonl/parse-line.ts';
import { findRecords, isBlank, isValuePosition, type Part } from './find-records.ts';

/** A stretch of a damaged line; `rest` is what stays when only NUL bytes around it are taken out. */
export interface Fragment {
  readonly kind: 'record' | 'rest' | 'junk' | 'nul';
  readonly start: number;
  readonly end: number;
}

/** Why a line does not parse; the first that applies, so that one fault is one finding. */
export interface Damage {
  /**
   * `nul`: NUL bytes around records, or alone. `glued`: whole records beside one another or beside
   * a torn one. `torn`: the cut-off end of the file. `malformed`: anything else.
   */
  readonly kind: 'nul' | 'glued' | 'torn' | 'malformed';
  /** All of the line, in order; empty where there is nothing to take apart. */
  readonly fragments: readonly Fragment[];
}

const NUL = 0;
const BOM_BYTES = 3;
const known = new WeakMap<LineContent, Damage>();

/** What is wrong with a line that does not parse; undefined for every other line. */
export function getDamage(line: Line, content: LineContent): Damage | undefined {
  if (content.kind !== 'malformed') return undefined;
  let damage = known.get(content);
  if (damage === undefined) {
    damage = examine(line);
    known.set(content, damage);
  }
  return damage;
}

function examine(line: Line): Damage {
  const start = hasBom(line) ? BOM_BYTES : 0;
  const { bytes, terminated } = line;
  if (bytes.includes(NUL, start)) return examineNuls(bytes, start, terminated);
  const glued = findGlued(bytes, start, bytes.length, terminated);
  if (glued) return { kind: 'glued', fragments: glued };
  return { kind: isTorn(bytes, start, terminated) ? 'torn' : 'malformed', fragments: [] };
}

/** A whole object followed by stray bytes is not cut off: it must not go with them. */
function isTorn(bytes: Buffer, start: number, terminated: boolean): boolean {
  return !terminated && findRecords(bytes, start, bytes.length)[0]?.kind === 'junk';
}

function findGlued(
  bytes: Buffer,
  start: number,
  end: number,
  terminated: boolean,
): readonly Part[] | undefined {
  const parts = findRecords(bytes, start, end);
  const records = parts.filter((part) => part.kind === 'record');
  if (records.length > 1) return parts;
  const [first, second] = parts;
  if (!first || !second) return undefined;
  const isFollowedByTorn =
    first.kind === 'record' && bytes.indexOf('{', second.start) === second.start;
  const followsTorn =
    first.kind === 'junk' && (terminated || !isValuePosition(bytes, start, second.start));
  return isFollowedByTorn || followsTorn ? parts : undefined;
}

function examineNuls(bytes: Buffer, start: number, terminated: boolean): Damage {
  const runs = splitAtNuls(bytes, start);
  const isWhole = runs.some((run) => run.kind === 'nul');
  return isWhole && terminated
    ? { kind: 'nul', fragments: runs }
    : { kind: 'malformed', fragments: [] };
}

function splitAtNuls(bytes: Buffer, start: number): Fragment[] {
  return [{ kind: 'nul', start, end: bytes.length }].filter(() => !isBlank(bytes, start, start));
}
