import { createIdleSignal } from '../../session/jsonl/files/idle-signal.ts';
import { CoppiceError } from '../../errors.ts';
import {
  summarizeBranch,
  type SummarizeBranchOptions,
} from '../../session/agents/pi/fork/summarize-branch.ts';
import { toStoredUsage } from '../../session/agents/pi/compaction/to-entry.ts';
import type { Hooks } from '../../session/dialect/hooks/hooks.ts';
import {
  askBeforeBranchSummary,
  type LeftSummary,
} from '../../session/dialect/hooks/tree-hooks.ts';
import { extractive } from '../../summarize/extractive/extractive.ts';
import { check, checkOptions } from '../arguments.ts';
import { SessionManager } from '../manager/session-manager.ts';
import { asRecord } from '../typed.ts';
import { findLeftBehind } from '../../session/model/tree/tree.ts';

/** Whether the leaf has moved, and the entry that sums up what was left, if there is one. */
export interface LeftBranch {
  readonly cancelled: boolean;
  readonly summaryId?: string;
}

export interface LeaveBranchOptions
  extends Partial<SummarizeBranchOptions>, Pick<Hooks, 'beforeBranchSummary'> {
  /** False: the leaf moves, and no summary is made. */
  readonly summarize?: boolean | undefined;
}

/**
 * Continues from another entry of a session (null: before the first), and leaves a summary there of
 * the branch that was left, by default an extractive one. Without anything to sum up, the leaf only
 * moves; if it is there already, the hook is not called. @throws SummaryError when there is no good
 * summary, HookError for a hook that fails or whose answer cannot be used, CoppiceError for an
 * unknown entry; the session is then as it was. So it is when the session continued while the
 * summary was made.
 */
export async function leaveBranch(
  session: SessionManager,
  targetId: string | null,
  options: LeaveBranchOptions = {},
): Promise<LeftBranch> {
  if (!(session instanceof SessionManager)) {
    throw new TypeError('session: expected a SessionManager');
  }
  if (targetId !== null) check('targetId', 'text', targetId);
  checkOptions(options, {
    summarizer: 'object',
    contextWindow: 'count',
    reserveTokens: 'count',
    instructions: 'text',
    signal: 'signal',
    summarize: 'flag',
    beforeBranchSummary: 'function',
  });
  if (targetId !== null && !session.getEntry(targetId)) {
    throw new CoppiceError(`Entry ${targetId} not found`);
  }
  const leafId = session.getLeafId();
  if (leafId === targetId) return { cancelled: false };
  const summary = await sumUp(session, targetId, options);
  if (summary === 'cancelled') return { cancelled: true };
  if (session.getLeafId() !== leafId) {
    throw new CoppiceError('the session changed while its branch was summarized');
  }
  return { cancelled: false, ...moveLeaf(session, targetId, summary) };
}

/** Undefined: there is nothing to sum up, or no one wants it. */
async function sumUp(
  session: SessionManager,
  targetId: string | null,
  options: LeaveBranchOptions,
): Promise<LeftSummary | 'cancelled' | undefined> {
  const { summarizer = extractive, signal = createIdleSignal() } = options;
  const { summarize = true, beforeBranchSummary } = options;
  const to = targetId === null ? [] : session.getBranch(targetId);
  const { entries, ...ids } = findLeftBehind(session.getBranch(), to);
  const left = entries.map(asRecord);
  const preparation = {
    ...ids,
    entriesToSummarize: left,
    userWantsSummary: summarize,
    customInstructions: options.instructions,
  };
  const event = { path: session.getSessionFile(), preparation, signal };
  const answer = await askBeforeBranchSummary(beforeBranchSummary, event);
  if (answer.cancelled) return 'cancelled';
  if (answer.summary || !summarize) return answer.summary;
  const { instructions } = answer;
  return summarizeBranch(left, { ...options, summarizer, instructions, signal });
}

function moveLeaf(
  session: SessionManager,
  targetId: string | null,
  summary: LeftSummary | undefined,
): Pick<LeftBranch, 'summaryId'> {
  if (summary) {
    const { text, details, usage, fromHook } = summary;
    const stored = usage && toStoredUsage(usage);
    return { summaryId: session.branchWithSummary(targetId, text, details, fromHook, stored) };
  }
  if (targetId === null) session.resetLeaf();
  else session.branch(targetId);
  return {};
}
