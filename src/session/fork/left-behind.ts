import { FileError } from '../../errors.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Entry } from '../model/entry.ts';
import type { ForkSummaries, SummarizeLeft } from '../dialect/forking.ts';
import { type LeftSummary, askBeforeBranchSummary } from '../dialect/hooks/tree-hooks.ts';
import { HookError } from '../dialect/hooks/answer.ts';
import type { Hooks } from '../dialect/hooks/hooks.ts';
import type { LeftPath } from '../model/tree/tree.ts';
import { readPayloads } from '../dialect/fold.ts';
import { withPayloads } from '../read/turns/payloads.ts';
import { SummaryError } from '../model/text/summarizer.ts';
import { toSendable } from '../model/text/to-sendable.ts';

/** The end of the path to the current leaf that is left for another entry. */
export interface LeftBehind {
  readonly entries: number;
  /** Null where nothing is left that says anything to the model. */
  readonly summary: string | null;
}

/** @throws FileError, `not-supported`, where a summary is asked for and the agent has no place for it. */
export function requireSummaries(
  path: string,
  { agent, forking }: Dialect,
  summarize: SummarizeLeft | undefined,
): ForkSummaries | undefined {
  if (!summarize || forking?.summaries) return forking?.summaries;
  const message = `sessions of ${agent} have no place for a summary of another branch`;
  throw new FileError(path, 'not-supported', message);
}

export interface LeftBehindOptions extends Pick<Hooks, 'beforeBranchSummary'> {
  /** Undefined: no summary is asked for. */
  readonly summarize?: SummarizeLeft | undefined;
  readonly signal: AbortSignal;
}

/**
 * Asks the hook, and makes the summary of what is left, if one is asked for; `summary` is undefined
 * where nothing that is left says anything to the model.
 * @throws FileError: `summary-failed` if there is no good summary, `hook-failed` if the hook fails,
 * `cancelled` if it cancels.
 */
export async function summarizeLeftBehind(
  path: string,
  left: LeftPath<Entry>,
  summaries: ForkSummaries | undefined,
  { summarize, beforeBranchSummary: hook, signal }: LeftBehindOptions,
): Promise<LeftSummary | undefined> {
  if (!hook && !summarize) return undefined;
  const entries = await withPayloads(path, (read) =>
    summaries ? summaries.readLeft(left.entries, read) : readPayloads(left.entries, read),
  );
  const { targetId, oldLeafId, commonAncestorId } = left;
  const preparation = {
    targetId,
    oldLeafId,
    commonAncestorId,
    entriesToSummarize: entries,
    userWantsSummary: summarize !== undefined,
    customInstructions: summarize?.instructions,
  };
  try {
    const answer = await askBeforeBranchSummary(hook, { path, preparation, signal });
    if (answer.cancelled) throw new FileError(path, 'cancelled', CANCELLED);
    if (answer.summary || !summarize || !summaries) return clean(answer.summary);
    const { summarizer } = summarize;
    const { instructions } = answer;
    return clean(await summaries.summarizeLeft(entries, { summarizer, instructions, signal }));
  } catch (error) {
    if (error instanceof HookError) {
      throw new FileError(path, 'hook-failed', error.message, { cause: error });
    }
    if (!(error instanceof SummaryError)) throw error;
    const message = `the entries that it leaves behind could not be summarized: ${error.message}`;
    throw new FileError(path, 'summary-failed', message, { cause: error });
  }
}

function clean(summary: LeftSummary | undefined): LeftSummary | undefined {
  return summary && { ...summary, text: toSendable(summary.text) };
}

const CANCELLED = 'cancelled by a hook';

export function toLeftBehind(left: LeftPath<Entry>, summary: LeftSummary | undefined): LeftBehind {
  return { entries: left.entries.length, summary: summary?.text ?? null };
}

export const NOTHING_LEFT = 'the model would see nothing of what is left behind';

/** Describes for people whether the left branch is summarized. */
export function toLeftReason({ summary }: LeftBehind): string {
  return summary === null ? `no summary: ${NOTHING_LEFT}` : 'the left branch is summarized';
}
