import type { CompactionDialect, Preparation } from '../dialect/compaction.ts';
import { toFileLists } from '../model/text/file-operations.ts';
import { formatFileLists } from '../model/text/format-conversation.ts';
import { type Summarizer, type Summary, SummaryError } from '../model/text/summarizer.ts';
import { addUsage } from '../model/usage.ts';

export interface MakeSummaryOptions {
  readonly instructions?: string | undefined;
  /** The tokens for the summary of the history; that of a split turn's beginning may take half of it. */
  readonly maxTokens: number;
  readonly signal: AbortSignal;
}

const TURN_HEADING = '---\n\n**The turn that goes on below, from its beginning:**';

/**
 * The summary that stands for what a compaction leaves behind, file lists included. A split turn's
 * beginning is summarized apart, so that the model finds the request that the kept part answers.
 * @throws SummaryError when there is no good one.
 */
export async function makeSummary(
  preparation: Preparation,
  dialect: CompactionDialect,
  summarizer: Summarizer,
  { instructions, maxTokens, signal }: MakeSummaryOptions,
): Promise<Summary> {
  const { messagesToSummarize: messages, turnPrefixMessages, previousSummary } = preparation;
  const hasHistory = messages.length > 0;
  const parts: Summary[] = [];
  if (hasHistory) {
    const spoken = dialect.toSpokenMessages(messages);
    const request = { messages: spoken, previousSummary, instructions, maxTokens, signal };
    parts.push(await ask(summarizer, { kind: 'history', ...request }));
  }
  if (turnPrefixMessages.length > 0) {
    const spoken = dialect.toSpokenMessages(turnPrefixMessages);
    // Nothing came between: then the earlier summary is merged here, and not carried beside it.
    const earlier = hasHistory ? undefined : previousSummary;
    const half = Math.ceil(maxTokens / (hasHistory ? 2 : 1));
    const request = { messages: spoken, previousSummary: earlier, instructions, signal };
    parts.push(await ask(summarizer, { kind: 'turn-prefix', ...request, maxTokens: half }));
  }
  const text = parts.map((part) => part.text.trim()).join(`\n\n${TURN_HEADING}\n\n`);
  const usages = parts.flatMap(({ usage }) => usage ?? []);
  const [first, ...rest] = usages;
  return {
    text: text + formatFileLists(toFileLists(preparation.fileOps)),
    usage: first && rest.reduce(addUsage, first),
  };
}

async function ask(
  summarizer: Summarizer,
  request: Parameters<Summarizer['summarize']>[0],
): Promise<Summary> {
  const summary = await summarizer.summarize(request);
  if (summary.text.trim() === '') throw new SummaryError('the summary is empty');
  return summary;
}
