import { setTimeout } from 'node:timers/promises';
import pLimit from 'p-limit';
import { isObject } from '../../session/json.ts';
import { type Summarizer, type Summary, SummaryError } from '../../session/summarizer.ts';
import { type Complete, summarizeInChunks } from '../in-chunks.ts';
import { hideSecrets } from '../hide-secrets.ts';
import { SYSTEM_PROMPT } from '../prompts.ts';
import { Answer, getErrorText, type Price } from './answer.ts';
import { readEvents } from './read-events.ts';
import { RetryableError, retry } from './retry.ts';

export interface OpenAiOptions {
  /** Up to and without `/chat/completions`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent in the header, and nowhere else; undefined for endpoints that want none. */
  readonly apiKey: string | undefined;
  /** What the model takes in all, in tokens. */
  readonly windowTokens: number;
  /** For one request with all it waits for; milliseconds. */
  readonly timeoutMs: number;
  /** How many requests run at once, over all sessions. */
  readonly concurrency: number;
  readonly price?: Price | undefined;
  /** Waits between attempts; milliseconds. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>;
}

/** Asks any endpoint that speaks OpenAI's chat completions; streams, and tries again where it helps. */
export function createOpenAi(options: OpenAiOptions): Summarizer {
  const limit = pLimit(options.concurrency);
  const sleep = options.sleep ?? ((ms, signal) => setTimeout(ms, undefined, { signal }));
  const complete: Complete = (prompt, { maxTokens, signal }) =>
    limit(() =>
      concealing(options, () =>
        retry(() => ask(options, prompt, maxTokens, signal), sleep, signal),
      ),
    );
  return summarizeInChunks(complete, options.windowTokens);
}

/** Endpoints repeat the key that they were given. */
async function concealing<T>({ apiKey }: OpenAiOptions, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof SummaryError)) throw error;
    const told = hideSecrets(error.message, [apiKey]);
    throw told === error.message ? error : new SummaryError(told);
  }
}

async function ask(
  options: OpenAiOptions,
  prompt: string,
  maxTokens: number,
  signal: AbortSignal,
): Promise<Summary> {
  const timeout = AbortSignal.timeout(options.timeoutMs);
  const answer = new Answer();
  try {
    const stop = AbortSignal.any([signal, timeout]);
    await read(await send(options, prompt, maxTokens, stop), answer);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof SummaryError || error instanceof RetryableError) throw error;
    if (timeout.aborted) throw new SummaryError(`no answer within ${options.timeoutMs / 1000} s`);
    throw new RetryableError(`cannot reach the endpoint: ${toCause(error)}`, undefined);
  }
  answer.check();
  return { text: answer.text.trim(), usage: answer.getUsage(options.price) };
}

/** Newer models of OpenAI refuse the older name. */
const LIMIT_NAMES = ['max_tokens', 'max_completion_tokens'] as const;

async function send(
  options: OpenAiOptions,
  prompt: string,
  maxTokens: number,
  signal: AbortSignal,
): Promise<Response> {
  for (const name of LIMIT_NAMES) {
    const response = await post(options, prompt, { [name]: maxTokens }, signal);
    if (response.ok) return response;
    const { status, headers } = response;
    const reason = `the endpoint answers ${status}: ${await readError(response)}`;
    if (status === 429 || status === 408 || status >= 500) {
      throw new RetryableError(reason, headers.get('retry-after') ?? undefined);
    }
    const isRenamed = name === 'max_tokens' && reason.includes('max_completion_tokens');
    if (!isRenamed) throw new SummaryError(reason);
  }
  throw new SummaryError('the endpoint takes no limit for its answer');
}

function post(
  { baseUrl, model, apiKey }: OpenAiOptions,
  prompt: string,
  limit: object,
  signal: AbortSignal,
): Promise<Response> {
  const messages = [
    { role: 'system', content: SYSTEM_PROMPT },
    { role: 'user', content: prompt },
  ];
  const streaming = { stream: true, stream_options: { include_usage: true } };
  return fetch(`${baseUrl.replace(/(?<!\/)\/+$/, '')}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, messages, ...limit, ...streaming }),
    // A key must not follow to wherever an endpoint points.
    redirect: 'error',
    signal,
  });
}

/** A stream of events, or, from endpoints that do not stream, one JSON document. */
async function read(response: Response, answer: Answer): Promise<void> {
  if (!response.body) throw new SummaryError('the answer is empty');
  if (!response.headers.get('content-type')?.includes('text/event-stream')) {
    return answer.add(parse(await response.text()));
  }
  for await (const data of readEvents(response.body)) {
    if (data === '[DONE]') return;
    if (data !== '') answer.add(parse(data));
  }
}

function parse(text: string) {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw new SummaryError('the answer is not what chat completions look like', { cause });
  }
  throw new SummaryError('the answer is not what chat completions look like');
}

async function readError(response: Response): Promise<string> {
  const text = await response.text();
  try {
    const value: unknown = JSON.parse(text);
    return getErrorText(isObject(value) ? (value['error'] ?? value) : text);
  } catch {
    // Many proxies answer with a page.
    return getErrorText(text.replace(/<[^<>]*>/g, ' ').trim());
  }
}

function toCause(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
