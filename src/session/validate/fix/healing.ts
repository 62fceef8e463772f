import type { MemberEdit } from '../../jsonl/edit/splice.ts';
import type { Mend } from '../../dialect/rule.ts';

/** What changes in the lines of a file, by the byte at which their records began before any repair. */
export type Mending = ReadonlyMap<number, Mended>;

/** A change to a line, and the rule for which it is. */
export interface Mended extends Mend {
  readonly rule: string;
}

/** What a repair does to entries: those of one kind, or of the other. */
export interface Repairs {
  readonly healing?: Healing | undefined;
  readonly mending?: Mending | undefined;
}

/** Entries that are taken out of a tree, by the byte at which their records began before any repair. */
export interface Healing {
  /** The rule for which each is. */
  readonly taken: ReadonlyMap<number, string>;
  /** The rule for which others leave a context, and stay in the file. */
  readonly keptLater: ReadonlyMap<number, string>;
  /** What changes in those that stay. */
  readonly moved: ReadonlyMap<number, readonly MemberEdit[]>;
  /** What stands in place of one that is taken out. */
  readonly standIns: ReadonlyMap<number, Buffer>;
  /** For lines that came after the plan: where the child of an entry that went hangs now. */
  readonly ancestors: ReadonlyMap<string, string | null>;
  /** Under which key a line names its parent. */
  readonly parentKey: string;
}
