import { setTimeout } from 'node:timers/promises';
import pLimit from 'p-limit';
import { isObject } from '../../session/jsonl/edit/json.ts';
import {
  type Summarizer,
  type Summary,
  SummaryError,
} from '../../session/model/text/summarizer.ts';
import { type Complete, summarizeInChunks } from '../in-chunks.ts';
import { hideSecrets, hideWhole } from '../hide-secrets.ts';
import { SYSTEM_PROMPT } from '../prompts.ts';
import { Answer, getErrorText, type Price } from './answer.ts';
import { readEvents } from './read-events.ts';
import { limitBytes, readBeginning, readText, TooLargeError } from './read-body.ts';
import { RetryableError, retry } from './retry.ts';

export interface OpenAiOptions {
  /** The URL up to and without `/chat/completions`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent in the header, and nowhere else; undefined for endpoints that want none. */
  readonly apiKey: string | undefined;
  /** The context window of the model, in tokens. */
  readonly windowTokens: number;
  /** The time for one request with all it waits for; milliseconds. */
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
    const redacted = hideSecrets(error.message, [apiKey]);
    throw redacted === error.message ? error : new SummaryError(redacted);
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
    if (error instanceof TooLargeError)
      throw new SummaryError(`the answer is too large: ${error.message}`);
    throw toNetworkError(error);
  }
  answer.check();
  const text = hideWhole(answer.text.trim(), options.apiKey);
  return { text, usage: answer.getUsage(options.price) };
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
  throw new SummaryError('the endpoint accepts no limit for its answer');
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

/** The limit, as for the output of a command; no summary comes near it. */
const MAX_ANSWER_BYTES = 4_000_000;
/** Each event of a stream has some hundred bytes around a few characters of text. */
const MAX_STREAM_BYTES = 16 * MAX_ANSWER_BYTES;
/** The limit of an error page; less of it is shown. */
const MAX_ERROR_BYTES = 20_000;

/** A stream of events, or, from endpoints that do not stream, one JSON document. */
async function read({ body, headers }: Response, answer: Answer): Promise<void> {
  if (!body) throw new SummaryError('the answer is empty');
  if (!headers.get('content-type')?.toLowerCase().includes('text/event-stream')) {
    return answer.add(parse(await readText(body, MAX_ANSWER_BYTES)));
  }
  const chunks = limitBytes(body, MAX_STREAM_BYTES);
  for await (const data of readEvents(chunks, MAX_ANSWER_BYTES)) {
    if (data === '[DONE]') return;
    if (data !== '') answer.add(parse(data));
    if (answer.text.length > MAX_ANSWER_BYTES) {
      throw new TooLargeError(`more than ${MAX_ANSWER_BYTES} characters`);
    }
  }
}

function parse(text: string) {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch (cause) {
    throw new SummaryError('the answer is not a chat completion', { cause });
  }
  throw new SummaryError('the answer is not a chat completion');
}

async function readError({ body }: Response): Promise<string> {
  const text = body ? await readBeginning(body, MAX_ERROR_BYTES) : '';
  try {
    const value: unknown = JSON.parse(text);
    return getErrorText(isObject(value) ? (value['error'] ?? value) : text);
  } catch {
    // Many proxies answer with a page.
    return getErrorText(text.replace(/<[^<>]*>/g, ' ').trim());
  }
}

/** Errors of networks that pass. A refused connection or a wrong address does not pass. */
const PASSING: ReadonlySet<unknown> = new Set([
  'EAI_AGAIN',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
]);

function toNetworkError(error: unknown): Error {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  // The error of several addresses has no message of its own.
  const text = (cause instanceof Error && cause.message) || String(code ?? cause);
  const reason = `cannot reach the endpoint: ${text}`;
  return PASSING.has(code)
    ? new RetryableError(reason, undefined)
    : new SummaryError(reason, { cause: error });
}
