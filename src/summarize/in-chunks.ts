import {
  type Summarizer,
  type Summary,
  SummaryError,
  type SummaryRequest,
} from '../session/model/text/summarizer.ts';
import { toCharacters } from '../session/model/text/tokens.ts';
import { addUsage, type Usage } from '../session/model/usage.ts';
import { splitConversation } from './chunks.ts';
import { buildPrompt } from './prompts.ts';

/** Answers one prompt. */
export type Complete = (
  prompt: string,
  options: { readonly maxTokens: number; readonly signal: AbortSignal },
) => Promise<Summary>;

/** The tokens of the prompt around the conversation. */
const PROMPT_TOKENS = 1500;
/** The fewest tokens of a piece of a conversation. */
const MIN_CHUNK_TOKENS = 500;

/**
 * A summarizer that asks for text. What is longer than the window goes in piece by piece, each with
 * the summary of the pieces before it.
 * @throws SummaryError when the window has no room for a piece beside the summaries.
 */
export function summarizeInChunks(complete: Complete, windowTokens: number): Summarizer {
  return {
    async summarize(request: SummaryRequest): Promise<Summary> {
      const { messages, maxTokens, signal } = request;
      let { previousSummary } = request;
      let usage: Usage | undefined;
      for (const conversation of splitConversation(messages, getRoom(request, windowTokens))) {
        signal.throwIfAborted();
        const prompt = buildPrompt({ ...request, previousSummary }, conversation);
        const summary = await complete(prompt, { maxTokens, signal });
        previousSummary = check(summary.text);
        usage = summary.usage && usage ? addUsage(usage, summary.usage) : (summary.usage ?? usage);
      }
      if (previousSummary === undefined) throw new SummaryError('there is nothing to summarize');
      return { text: previousSummary, usage };
    },
  };
}

/** The thoughts of a reasoning model, which are not a part of the summary. */
const THINKING = /^\s*<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/;
const HEADING = /^#{1,4}\s+\S/m;

/** A refusal or an error page must not become the memory of a session. */
function check(answer: string): string {
  const text = answer.replace(THINKING, '').trim();
  if (text === '') throw new SummaryError('the answer is empty');
  if (!HEADING.test(text))
    throw new SummaryError('the answer is not a summary: it has no headings');
  return text;
}

/** A summary so far takes its own length again, beside the answer. */
function getRoom(
  { maxTokens, previousSummary = '' }: SummaryRequest,
  windowTokens: number,
): number {
  const earlier = Math.max(toCharacters(maxTokens), previousSummary.length);
  const room = toCharacters(windowTokens - maxTokens - PROMPT_TOKENS) - earlier;
  if (room >= toCharacters(MIN_CHUNK_TOKENS)) return room;
  throw new SummaryError(
    `the model's window of ${windowTokens} tokens is too small for summaries of ${maxTokens}`,
  );
}
