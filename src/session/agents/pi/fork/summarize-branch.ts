import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { type Summarizer, SummaryError } from '../../../model/text/summarizer.ts';
import type { Usage } from '../../../model/usage.ts';
import { toSpokenMessages } from '../compaction/to-spoken.ts';
import { type BranchPreparation, prepareBranch } from './prepare-branch.ts';
import { formatFileLists } from '../../../model/text/format-conversation.ts';

/** pi 0.87.1 uses these where the model says nothing else; 1.5.2 sets a summary no limit. Tokens. */
const DEFAULTS = { contextWindow: 128_000, reserveTokens: 16_384, maxTokens: 4096 } as const;

const PREAMBLE = `The user explored a different conversation branch before returning here.
Summary of that exploration:

`;

/** What a hook is told before a branch is summarised; pi's extensions know `session_before_tree`. */
export interface BeforeBranchSummary {
  /** The entries that are left, root first. */
  readonly entries: readonly JsonObject[];
  readonly preparation: BranchPreparation;
  readonly instructions: string | undefined;
  readonly signal: AbortSignal;
}

/** What a hook may say: leave it, or take this summary. Undefined: go on as usual. */
export type BranchVerdict =
  | { readonly cancel: true }
  | { readonly summary: { readonly text: string; readonly details?: JsonObject } }
  | undefined;

export interface SummarizeBranchOptions {
  readonly summarizer: Summarizer;
  /** Of the model that summarises, in tokens; what the summary needs is kept free. */
  readonly contextWindow?: number | undefined;
  readonly reserveTokens?: number | undefined;
  readonly instructions?: string | undefined;
  readonly beforeSummary?: ((event: BeforeBranchSummary) => Promise<BranchVerdict>) | undefined;
  readonly signal: AbortSignal;
}

export type BranchSummary =
  | { readonly kind: 'cancelled' }
  /** Nothing on the branch says anything to the model. */
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'summary';
      readonly text: string;
      readonly details: JsonObject | undefined;
      readonly usage: Usage | undefined;
      readonly fromHook: boolean;
    };

/**
 * Summarises entries that are left behind, as `generateBranchSummary` of pi 1.5.2: the newest that
 * fit the window, with the files that were read and modified.
 * @throws SummaryError when there is no good summary.
 */
export async function summarizeBranch(
  entries: readonly JsonObject[],
  options: SummarizeBranchOptions,
): Promise<BranchSummary> {
  const { contextWindow = DEFAULTS.contextWindow, reserveTokens = DEFAULTS.reserveTokens } =
    options;
  const { summarizer, instructions, signal, beforeSummary } = options;
  const preparation = prepareBranch(entries, Math.max(1, contextWindow - reserveTokens));
  if (preparation.messages.length === 0) return { kind: 'nothing' };
  const verdict = await beforeSummary?.({ entries, preparation, instructions, signal });
  if (verdict && 'cancel' in verdict) return { kind: 'cancelled' };
  if (verdict) {
    const { text, details } = verdict.summary;
    return { kind: 'summary', text: requireText(text), details, usage: undefined, fromHook: true };
  }
  const { readFiles, modifiedFiles, messages } = preparation;
  const { maxTokens } = DEFAULTS;
  const spoken = toSpokenMessages(messages);
  const request = { kind: 'branch', messages: spoken, instructions, maxTokens, signal } as const;
  const { text, usage } = await summarizer.summarize(request);
  const whole = PREAMBLE + requireText(text) + formatFileLists(preparation);
  const details = { readFiles, modifiedFiles };
  return { kind: 'summary', text: whole, details, usage, fromHook: false };
}

function requireText(text: string): string {
  if (text.trim() === '') throw new SummaryError('the summary is empty');
  return text;
}
