import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { type Summarizer, SummaryError } from '../../../model/text/summarizer.ts';
import type { LeftSummary } from '../../../dialect/hooks/tree-hooks.ts';
import { formatFileLists } from '../../../model/text/format-conversation.ts';
import { toSpokenMessages } from '../compaction/to-spoken.ts';
import { prepareBranch } from './prepare-branch.ts';

/** pi 0.87.1 uses these where the model says nothing else; 1.6.0 sets a summary no limit. Tokens. */
const DEFAULTS = { contextWindow: 128_000, reserveTokens: 16_384, maxTokens: 4096 } as const;

const PREAMBLE = `The user explored a different conversation branch before returning here.
Summary of that exploration:

`;

export interface SummarizeBranchOptions {
  readonly summarizer: Summarizer;
  /**
   * The context window of the model that summarizes, in tokens; the part that the summary needs is
   * kept free.
   */
  readonly contextWindow?: number | undefined;
  readonly reserveTokens?: number | undefined;
  readonly instructions?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Summarizes entries that are left behind, as `generateBranchSummary` of pi 1.6.0: the newest that
 * fit the window, with the files that were read and modified. Undefined where no entry says anything to
 * the model.
 * @throws SummaryError when there is no good summary.
 */
export async function summarizeBranch(
  entries: readonly JsonObject[],
  options: SummarizeBranchOptions,
): Promise<LeftSummary | undefined> {
  const { contextWindow = DEFAULTS.contextWindow, reserveTokens = DEFAULTS.reserveTokens } =
    options;
  const { summarizer, instructions, signal } = options;
  const preparation = prepareBranch(entries, Math.max(1, contextWindow - reserveTokens));
  if (preparation.messages.length === 0) return undefined;
  const { readFiles, modifiedFiles, messages } = preparation;
  const { maxTokens } = DEFAULTS;
  const spoken = toSpokenMessages(messages);
  const request = { kind: 'branch', messages: spoken, instructions, maxTokens, signal } as const;
  const { text, usage } = await summarizer.summarize(request);
  const whole = PREAMBLE + requireText(text) + formatFileLists(preparation);
  return { text: whole, details: { readFiles, modifiedFiles }, usage, fromHook: false };
}

function requireText(text: string): string {
  if (text.trim() === '') throw new SummaryError('the summary is empty');
  return text;
}
