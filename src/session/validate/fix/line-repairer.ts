import { getString, type JsonObject } from '../../jsonl/edit/json.ts';
import { spliceObject } from '../../jsonl/edit/splice.ts';
import { getBomLength, type LineContent, parseLine } from '../../jsonl/read/parse-line.ts';
import type { Line } from '../../jsonl/read/line-splitter.ts';
import { type Fragment, getDamage } from '../../rules/line-damage.ts';
import type { Rule } from '../../dialect/rule.ts';
import type { TakenEntries, PlannedChange, LineChanges, Repairs } from './repairs.ts';

/** A stretch of a line that is kept, as a line of its own. */
interface KeptPiece {
  readonly start: number;
  readonly end: number;
  readonly terminated: boolean;
  /** The new bytes of a record whose parent changes. */
  readonly bytes: Buffer | undefined;
}

/** A stretch of a line that is taken out, and the rule for which it is. */
interface TakenPiece {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}

/** The repair of one line. Together the pieces are all of its bytes. */
export interface Repair {
  readonly kept: readonly KeptPiece[];
  readonly taken: readonly TakenPiece[];
  /** The rules whose findings on this line are done away with. */
  readonly rules: ReadonlySet<string>;
}

/**
 * Repairs the lines of one file, in file order, each without losing a byte: whole records are kept
 * byte for byte, but for their place in the tree, and what cannot be kept is named. Repairing what came out of it changes nothing.
 */
export class LineRepairer {
  /** The rules that are fixed. */
  readonly #rules: ReadonlySet<string>;
  readonly #surplus: readonly { rule: string; isTaken: (record: JsonObject) => boolean }[];
  readonly #lineTakers: readonly Rule[];
  readonly #changing: readonly Rule[];
  readonly #replacing: readonly Rule[];
  readonly #takenEntries: TakenEntries | undefined;
  readonly #lineChanges: LineChanges | undefined;
  readonly #skippedLines: ReadonlySet<number>;
  #isAtStart = true;

  constructor(rules: readonly Rule[], repairs: Repairs) {
    const { takenEntries, lineChanges, skippedLines = new Set() } = repairs;
    this.#skippedLines = skippedLines;
    this.#takenEntries = takenEntries;
    this.#lineChanges = lineChanges;
    this.#lineTakers = rules.filter(({ takesOutLine }) => takesOutLine);
    this.#changing = rules.filter(({ changeRecord }) => changeRecord);
    this.#replacing = rules.filter(({ replaceBytes }) => replaceBytes);
    this.#rules = new Set(rules.map(({ id }) => id));
    this.#surplus = rules.flatMap(({ id, takesOut }) =>
      takesOut ? [{ rule: id, isTaken: takesOut() }] : [],
    );
  }

  /** Undefined for a line that is unchanged. */
  repair(line: Line, content: LineContent): Repair | undefined {
    if (line.oversized) return undefined;
    const draft = new Draft(line);
    // A line that is kept is repaired, too: rules count the records.
    this.#repair(draft, 0, line, content);
    if (this.#skippedLines.has(line.offset)) return undefined;
    for (const { id, replaceBytes } of this.#replacing) {
      if (replaceBytes?.(line.bytes)) draft.rules.add(id);
    }
    return draft.finish();
  }

  /** Repairs `line`, which is the part of a line that begins at `start`. */
  #repair(draft: Draft, start: number, line: Line, content: LineContent): void {
    const bomEnd = this.#isAtStart && this.#rules.has('file-bom') ? skipBoms(line.bytes) : 0;
    if (bomEnd > 0) {
      draft.take(start, start + bomEnd, 'file-bom');
      const rest = sliceLine(line, bomEnd, line.length);
      return this.#repair(draft, start + bomEnd, rest, parseLine(rest));
    }
    const damage = getDamage(line, content);
    const rule = `line-${damage?.kind}`;
    if (!damage || !this.#rules.has(rule)) return this.#keep(draft, start, line, content);
    draft.rules.add(rule);
    if (damage.kind === 'torn') return draft.take(start, start + line.length, rule);
    for (const [index, fragment] of damage.fragments.entries()) {
      // A byte order mark that may be kept is before the first fragment.
      const begin = index === 0 ? 0 : fragment.start;
      this.#repairFragment(draft, start, line, { ...fragment, start: begin }, rule);
    }
  }

  #repairFragment(draft: Draft, start: number, line: Line, fragment: Fragment, rule: string): void {
    const [from, to] = [start + fragment.start, start + fragment.end];
    if (fragment.kind === 'nul' || fragment.kind === 'junk') return draft.take(from, to, rule);
    const own = sliceLine(line, fragment.start, fragment.end);
    this.#repair(draft, from, own, parseLine(own));
  }

  #keep(draft: Draft, start: number, line: Line, content: LineContent): void {
    const end = start + line.length;
    const taker =
      content.kind === 'object'
        ? this.#findTaker(content.value)
        : this.#lineTakers.find((rule) => rule.takesOutLine?.(line, content))?.id;
    const rule = taker ?? this.#takenEntries?.taken.get(line.offset);
    if (rule !== undefined) {
      draft.take(start, end, rule);
      const standIn = this.#takenEntries?.standIns.get(line.offset);
      if (standIn) draft.keep(start, end, true, standIn);
      return;
    }
    this.#isAtStart = false;
    const removed = this.#takenEntries?.keptLater.get(line.offset);
    if (removed !== undefined) draft.rules.add(removed);
    const change = content.kind === 'object' ? this.#lineChanges?.get(line.offset) : undefined;
    if (change) return this.#applyChange(draft, start, line, change);
    const isWhole = content.kind === 'object' || content.kind === 'scalar';
    const changed =
      content.kind === 'object' ? this.#change(draft, line, content.value) : undefined;
    const isClosed = isWhole && this.#rules.has('line-unterminated');
    draft.keep(start, end, isClosed, this.#replace(draft, start, line, changed));
  }

  #applyChange(draft: Draft, start: number, line: Line, change: PlannedChange): void {
    const { rule, edits, followedBy, preceded, isMoved } = change;
    draft.rules.add(rule);
    const end = start + line.length;
    if (isMoved) return draft.take(start, end, rule);
    if (preceded) draft.keep(start, end, true, preceded.bytes);
    const bytes = edits.length === 0 ? undefined : spliceObject(line.bytes, edits);
    const isClosed = followedBy !== undefined || this.#rules.has('line-unterminated');
    draft.keep(start, end, isClosed, this.#replace(draft, start, line, bytes));
    if (followedBy) draft.keep(start, end, true, Buffer.from(JSON.stringify(followedBy)));
  }

  /** The record as it is then; undefined where it is unchanged. */
  #change(draft: Draft, line: Line, record: JsonObject): Buffer | undefined {
    let changed = this.#move(line, record);
    for (const { id, changeRecord } of this.#changing) {
      const edits = changeRecord?.(record) ?? [];
      if (edits.length === 0) continue;
      changed = spliceObject(changed ?? line.bytes, edits) ?? changed;
      draft.rules.add(id);
    }
    return changed;
  }

  /** The bytes of a line, or what it was changed to, as rules about bytes have them; else `changed`. */
  #replace(
    draft: Draft,
    start: number,
    line: Line,
    changed: Buffer | undefined,
  ): Buffer | undefined {
    let bytes = changed;
    for (const { id, replaceBytes } of this.#replacing) {
      const replaced = replaceBytes?.(bytes ?? line.bytes);
      if (!replaced) continue;
      draft.take(start, start + line.length, id);
      bytes = replaced;
    }
    return bytes;
  }

  #move(line: Line, record: JsonObject): Buffer | undefined {
    if (!this.#takenEntries) return undefined;
    const { moved, ancestors, parentKey: key } = this.#takenEntries;
    const edits = moved.get(line.offset)?.filter((edit) => edit.key in record);
    if (edits) return spliceObject(line.bytes, edits);
    const ancestor = ancestors.get(getString(record, key) ?? '');
    if (ancestor === undefined) return undefined;
    return spliceObject(line.bytes, [{ key, value: JSON.stringify(ancestor) }]);
  }

  /** The rule that takes a record out. All are asked about every record, since they count. */
  #findTaker(record: JsonObject): string | undefined {
    let taker: string | undefined;
    for (const { rule, isTaken } of this.#surplus) if (isTaken(record)) taker ??= rule;
    return taker;
  }
}

/** Collects what becomes of one line. */
class Draft {
  readonly #line: Line;
  readonly #kept: (Omit<KeptPiece, 'terminated'> & { readonly closes: boolean })[] = [];
  readonly #taken: TakenPiece[] = [];
  readonly rules = new Set<string>();

  constructor(line: Line) {
    this.#line = line;
  }

  take(start: number, end: number, rule: string): void {
    this.rules.add(rule);
    this.#taken.push({ start, end, rule });
  }

  /** `closes`: the line feed is to be added, if this is the end of the file and it lacks one. */
  keep(start: number, end: number, closes: boolean, bytes: Buffer | undefined): void {
    this.#kept.push({ start, end, closes, bytes });
  }

  finish(): Repair | undefined {
    const { terminated } = this.#line;
    const last = this.#kept.at(-1);
    const isClosed = !terminated && last !== undefined && last.closes;
    const isMoved = this.#kept.some(({ bytes }) => bytes);
    const isSame = this.#taken.length === 0 && this.#kept.length === 1 && !isClosed && !isMoved;
    if (isSame && this.rules.size === 0) return undefined;
    if (isClosed) this.rules.add('line-unterminated');
    const kept = this.#kept.map(({ start, end, closes, bytes }, index) => ({
      start,
      end,
      bytes,
      terminated: terminated || closes || index < this.#kept.length - 1,
    }));
    return { kept, taken: this.#taken, rules: this.rules };
  }
}

function skipBoms(bytes: Buffer): number {
  const length = getBomLength(bytes);
  return length === 0 ? 0 : length + skipBoms(bytes.subarray(length));
}

/** A part of a line as a line; the end of it is as terminated as the whole. */
function sliceLine(line: Line, start: number, end: number): Line {
  return {
    ...line,
    offset: line.offset + start,
    length: end - start,
    bytes: line.bytes.subarray(start, end),
  };
}
