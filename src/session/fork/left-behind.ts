import { FileError } from '../../errors.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { Entry } from '../model/entry.ts';
import type { ForkSummaries, LeftSummary, SummarizeLeft } from '../dialect/forking.ts';
import { withPayloads } from '../read/payloads.ts';
import { SummaryError } from '../model/text/summarizer.ts';

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

/**
 * The summary of entries that are left; undefined where none says anything to the model.
 * @throws FileError, `summary-failed`, if there is no good one.
 */
export async function summarizeLeftBehind(
  path: string,
  left: readonly Entry[],
  summaries: ForkSummaries,
  asked: SummarizeLeft & { readonly signal: AbortSignal },
): Promise<LeftSummary | undefined> {
  try {
    return await withPayloads(path, (read) => summaries.summarizeLeft(left, read, asked));
  } catch (error) {
    if (!(error instanceof SummaryError)) throw error;
    const message = `what it leaves behind could not be summarised: ${error.message}`;
    throw new FileError(path, 'summary-failed', message, { cause: error });
  }
}

export function toLeftBehind(left: readonly Entry[], summary: LeftSummary | undefined): LeftBehind {
  return { entries: left.length, summary: summary?.text ?? null };
}

export const NOTHING_LEFT = 'nothing is left behind that says anything to the model';

/** For people: whether what is left is summarised. */
export function toLeftReason({ summary }: LeftBehind): string {
  return summary === null ? `no summary: ${NOTHING_LEFT}` : 'what is left is summarised';
}
