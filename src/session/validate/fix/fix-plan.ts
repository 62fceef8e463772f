import type { Dialect } from '../../dialect/dialect.ts';
import type { Line } from '../../jsonl/read/line-splitter.ts';
import { type LineContent, parseLine } from '../../jsonl/read/parse-line.ts';
import { type CheckedLines, CheckFold, type CheckOptions } from '../check-fold.ts';
import type { Rule } from '../../dialect/rule.ts';
import type { LineSpan } from '../../model/entry.ts';
import type { Repairs } from './repairs.ts';
import { LineRepairer, type Repair } from './line-repairer.ts';
import { movesReferences } from './moves-references.ts';
import { OffsetMap } from './offset-map.ts';
import type { Rejected } from './rejected.ts';
import type { Framing, LineFold, SourceFile } from '../../dialect/fold.ts';

/** The repair of a file, with the findings before and after it. */
export interface FixPlan {
  readonly before: CheckedLines;
  readonly after: CheckedLines;
  /** The rules that it repairs. */
  readonly rules: readonly Rule[];
  /** The repairs of entries. */
  readonly repairs: Repairs;
  /** Maps the byte at which a line of the repaired file begins to where that was before. */
  readonly toBefore: (offset: number) => number;
  /** The bytes that a line of the repaired file had before. */
  readonly toSpanBefore: (line: LineSpan) => LineSpan;
  /** The lines that it changes, as they are before. */
  readonly changedLines: readonly Pick<LineSpan, 'line' | 'offset'>[];
  /** Returns whether a line was repaired of what a rule says of it. */
  isRepaired(line: number, rule: string): boolean;
  readonly rejected: readonly Rejected[];
  readonly bytesAfter: number;
  readonly isChanged: boolean;
  /** A reference that counts lines would mean another entry afterwards. */
  readonly movesReferences: boolean;
  /** There is a line too long to be copied. */
  readonly hasOversized: boolean;
}

/** Repairs the lines of a file in memory, and checks them as they are and as they would be. */
export class FixPlanner implements LineFold<FixPlan> {
  readonly #before: CheckFold;
  readonly #after: CheckFold;
  readonly #rules: readonly Rule[];
  readonly #repairer: LineRepairer;
  readonly #repairs: Repairs;
  readonly #repaired = new Set<string>();
  readonly #rejected: Rejected[] = [];
  readonly #offsets = new OffsetMap();
  readonly #changedLines: Pick<LineSpan, 'line' | 'offset'>[] = [];
  /** The earlier lengths of lines with new bytes, by where they begin now. */
  readonly #lengthsBefore = new Map<number, number>();
  #lines = 0;
  #bytes = 0;
  #isChanged = false;
  #hasOversized = false;

  constructor(
    path: string,
    dialect: Dialect,
    framing: Framing,
    rules: readonly Rule[],
    options: CheckOptions,
    repairs: Repairs,
  ) {
    this.#before = new CheckFold(path, dialect, framing, options);
    this.#after = new CheckFold(path, dialect, framing, options);
    this.#rules = framing === 'lines' ? rules : [];
    this.#repairs = repairs;
    this.#repairer = new LineRepairer(this.#rules, repairs);
  }

  visit(line: Line, content: LineContent): void {
    this.#before.visit(line, content);
    if (line.oversized) this.#hasOversized = true;
    const repair = this.#repairer.repair(line, content);
    if (repair) this.#addRepaired(line, repair);
    else this.#add(line, line.offset, content);
  }

  finish(file: SourceFile): FixPlan {
    const before = this.#before.finish(file);
    // An agent may load a file of another size otherwise.
    const stamp = { ...file.stamp, size: this.#bytes };
    const after = this.#after.finish({ ...file, stamp });
    return {
      before,
      after,
      rules: this.#rules,
      repairs: this.#repairs,
      toBefore: (offset) => this.#offsets.toBefore(offset),
      toSpanBefore: ({ line, offset, length }) => ({
        line,
        offset: this.#offsets.toBefore(offset),
        length: this.#lengthsBefore.get(offset) ?? length,
      }),
      changedLines: this.#changedLines,
      isRepaired: (line, rule) => this.#repaired.has(`${line} ${rule}`),
      rejected: this.#rejected,
      bytesAfter: this.#bytes,
      isChanged: this.#isChanged,
      movesReferences:
        this.#isChanged &&
        movesReferences(before.session, after.session, this.#offsets, this.#repairs.takenEntries),
      hasOversized: this.#hasOversized,
    };
  }

  #addRepaired(line: Line, repair: Repair): void {
    this.#isChanged = true;
    this.#changedLines.push({ line: line.number, offset: line.offset });
    for (const rule of repair.rules) this.#repaired.add(`${line.number} ${rule}`);
    for (const { start, end, rule } of repair.taken) {
      const byteOffset = line.offset + start;
      this.#rejected.push({ line: line.number, byteOffset, length: end - start, rule });
    }
    for (const { start, end, terminated, bytes: moved } of repair.kept) {
      const bytes = moved ?? line.bytes.subarray(start, end);
      const kept = { ...line, bytes, length: bytes.length, terminated };
      if (moved) this.#lengthsBefore.set(this.#bytes, end - start);
      this.#add(kept, line.offset + start);
    }
  }

  /** Adds a line of the repaired file; `content` if it is the same as before. */
  #add(line: Line, offsetBefore: number, content?: LineContent): void {
    const number = (this.#lines += 1);
    const offset = this.#bytes;
    this.#bytes += line.length + (line.terminated ? 1 : 0);
    this.#offsets.add(offset, offsetBefore);
    const isMoved = number !== line.number || offset !== line.offset;
    const moved = isMoved ? { ...line, number, offset } : line;
    this.#after.visit(moved, content ?? parseLine(moved));
  }
}
