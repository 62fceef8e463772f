import type { AfterCompactionHook, BeforeCompactionHook } from './compaction-hooks.ts';
import type { BeforeBranchSummaryHook } from './tree-hooks.ts';

/** The hooks of a caller, named as a module exports them. */
export interface Hooks {
  /** Is called before a compaction: may cancel it, or supply it. */
  readonly beforeCompaction?: BeforeCompactionHook | undefined;
  /** Is called once a compaction is in the file. */
  readonly afterCompaction?: AfterCompactionHook | undefined;
  /** Is called before a branch is left, also without a summary: may cancel it, or supply the summary. */
  readonly beforeBranchSummary?: BeforeBranchSummaryHook | undefined;
}
