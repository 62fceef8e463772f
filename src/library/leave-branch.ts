import { CoppiceError } from '../errors.ts';
import {
  summarizeBranch,
  type SummarizeBranchOptions,
} from '../session/agents/pi/fork/summarize-branch.ts';
import { toStoredUsage } from '../session/agents/pi/compaction/to-entry.ts';
import type { SessionManager } from './session-manager.ts';
import { asRecord } from './typed.ts';
import { findLeftBehind } from '../session/model/tree/tree.ts';

/** Whether the leaf has moved, and the entry that sums up what was left, if there is one. */
export interface LeftBranch {
  readonly cancelled: boolean;
  readonly summaryId?: string;
}

/**
 * Goes on from another entry of a session (null: before the first), and leaves a summary there of
 * the branch that was left. Without anything to sum up, the leaf only moves.
 * @throws SummaryError when there is no good summary, CoppiceError for an unknown entry; the session
 * is then as it was. So it is when the session went on while the summary was made.
 */
export async function leaveBranch(
  session: SessionManager,
  targetId: string | null,
  options: SummarizeBranchOptions,
): Promise<LeftBranch> {
  if (targetId !== null && !session.getEntry(targetId)) {
    throw new CoppiceError(`Entry ${targetId} not found`);
  }
  const leafId = session.getLeafId();
  const from = leafId === null ? [] : session.getBranch(leafId);
  const to = targetId === null ? [] : session.getBranch(targetId);
  const summary = await summarizeBranch(findLeftBehind(from, to).map(asRecord), options);
  if (session.getLeafId() !== leafId) {
    throw new CoppiceError('the session went on while its branch was summarised');
  }
  if (summary.kind === 'cancelled') return { cancelled: true };
  if (summary.kind === 'summary') {
    const { text, details, usage, fromHook } = summary;
    const stored = usage && toStoredUsage(usage);
    const summaryId = session.branchWithSummary(targetId, text, details, fromHook, stored);
    return { cancelled: false, summaryId };
  }
  if (targetId === null) session.resetLeaf();
  else session.branch(targetId);
  return { cancelled: false };
}
