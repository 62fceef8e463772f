import type { MemberEdit } from '../../jsonl/edit/splice.ts';
import type { Mend } from '../../dialect/rule.ts';

/** The changes to the lines of a file, by the byte at which their records began before any repair. */
export type Mending = ReadonlyMap<number, Mended>;

/** A change to a line, and the rule for which it is. */
export interface Mended extends Mend {
  readonly rule: string;
  /** The line has been put elsewhere. */
  readonly isMoved?: true;
}

/** The repairs of entries, of two kinds. */
export interface Repairs {
  readonly healing?: Healing | undefined;
  readonly mending?: Mending | undefined;
}

/** Entries that are taken out of a tree, by the byte at which their records began before any repair. */
export interface Healing {
  /** The rule for which each is. */
  readonly taken: ReadonlyMap<number, string>;
  /** The rule for which others leave a context, and are kept in the file. */
  readonly keptLater: ReadonlyMap<number, string>;
  /** The edits of entries that are kept. */
  readonly moved: ReadonlyMap<number, readonly MemberEdit[]>;
  /** The replacements of entries that are taken out. */
  readonly standIns: ReadonlyMap<number, Buffer>;
  /** For lines that came after the plan: where the child of an entry that went hangs now. */
  readonly ancestors: ReadonlyMap<string, string | null>;
  /** Under which key a line names its parent. */
  readonly parentKey: string;
}
