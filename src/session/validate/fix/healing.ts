import type { MemberEdit } from '../../jsonl/edit/splice.ts';

/** Entries that are taken out of a tree, by the byte at which their records began before any repair. */
export interface Healing {
  /** The rule for which each is. */
  readonly taken: ReadonlyMap<number, string>;
  /** What changes in those that stay. */
  readonly moved: ReadonlyMap<number, readonly MemberEdit[]>;
  /** What stands in place of one that is taken out. */
  readonly standIns: ReadonlyMap<number, Buffer>;
  /** For lines that came after the plan: where the child of an entry that went hangs now. */
  readonly ancestors: ReadonlyMap<string, string | null>;
  /** Under which key a line names its parent. */
  readonly parentKey: string;
}
