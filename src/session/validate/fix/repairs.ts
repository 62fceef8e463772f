import type { MemberEdit } from '../../jsonl/edit/splice.ts';
import type { LineChange } from '../../dialect/rule.ts';

/** The changes to the lines of a file, by the byte at which their records began before any repair. */
export type LineChanges = ReadonlyMap<number, PlannedChange>;

/** A change to a line, and the rule for which it is. */
export interface PlannedChange extends LineChange {
  readonly rule: string;
  /** The line has been put elsewhere. */
  readonly isMoved?: true;
}

/** The repairs beside those of single lines, and the lines that are left. */
export interface Repairs {
  /** The bytes at which lines begin that are left as they are. */
  readonly skippedLines?: ReadonlySet<number> | undefined;
  readonly takenEntries?: TakenEntries | undefined;
  readonly lineChanges?: LineChanges | undefined;
}

/** Entries that are taken out of a tree, by the byte at which their records began before any repair. */
export interface TakenEntries {
  /** The rule for which each is. */
  readonly taken: ReadonlyMap<number, string>;
  /** The rule for which others leave a context, and are kept in the file. */
  readonly keptLater: ReadonlyMap<number, string>;
  /** The edits of entries that are kept. */
  readonly moved: ReadonlyMap<number, readonly MemberEdit[]>;
  /** The replacements of entries that are taken out. */
  readonly standIns: ReadonlyMap<number, Buffer>;
  /** The entry to which the child of a removed one is attached now, for lines that came after the plan. */
  readonly ancestors: ReadonlyMap<string, string | null>;
  /** The key under which a line names its parent. */
  readonly parentKey: string;
}
