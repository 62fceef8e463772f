import { describe, expect, it } from 'vitest';
import type { SummaryRequest } from '../../../src/session/model/text/summarizer.ts';
import { createOpenAi, type OpenAiOptions } from '../../../src/summarize/openai/openai.ts';
import {
  broken,
  endless,
  refused,
  type Reply,
  silent,
  startStandIn,
  streamed,
  whole,
} from '../stand-in.ts';

const SUMMARY = '## Goal\nShip it.';
const KEY = 'sk-very-secret';

async function summarize(
  replies: readonly Reply[],
  request: Partial<SummaryRequest> = {},
  options: Partial<OpenAiOptions> = {},
) {
  const { baseUrl, requests } = await startStandIn(replies);
  const waits: number[] = [];
  const summarizer = createOpenAi({
    baseUrl,
    model: 'test-model',
    apiKey: KEY,
    windowTokens: 128_000,
    timeoutMs: 600_000,
    concurrency: 2,
    sleep: (ms) => Promise.resolve(waits.push(ms)),
    ...options,
  });
  const outcome = await summarizer
    .summarize({
      kind: 'history',
      messages: [{ role: 'user', from: 'person', text: 'ship it' }],
      maxTokens: 1000,
      signal: new AbortController().signal,
      ...request,
    })
    .catch((error: Error) => `${error.name}: ${error.message}`);
  return { outcome, requests, waits };
}

describe('openai', () => {
  it('puts a streamed answer together, with usage and the cost by the price', async () => {
    const price = { input: 1, output: 10 };
    const { outcome, requests } = await summarize([streamed(SUMMARY)], {}, { price });
    const usage = { input: 600, output: 200, cacheRead: 400, cacheWrite: 0, totalTokens: 1200 };
    expect(outcome).toEqual({ text: SUMMARY, usage: { ...usage, cost: 0.003 } });
    expect(requests).toMatchObject([
      {
        url: '/v1/chat/completions',
        authorization: `Bearer ${KEY}`,
        body: { model: 'test-model', max_tokens: 1000, stream: true },
      },
    ]);
  });

  it('takes an answer that is not streamed', async () => {
    expect((await summarize([whole(SUMMARY)])).outcome).toMatchObject({ text: SUMMARY });
  });

  it('takes a stream whose type has capitals', async () => {
    const reply: Reply = (response, request) => {
      const writeHead = response.writeHead.bind(response);
      response.writeHead = () => writeHead(200, { 'content-type': 'Text/Event-Stream' });
      streamed(SUMMARY)(response, request);
    };
    expect((await summarize([reply])).outcome).toMatchObject({ text: SUMMARY });
  });

  it('hides the key in a summary that repeats it', async () => {
    const { outcome } = await summarize([streamed(`${SUMMARY} ${KEY}, sk-very-good`)]);
    expect(outcome).toMatchObject({ text: `${SUMMARY} ***, sk-very-good` });
  });

  it('leaves out what a reasoning model says to itself', async () => {
    const { outcome } = await summarize([streamed(`<think>hm\n## no</think>\n${SUMMARY}`)]);
    expect(outcome).toMatchObject({ text: SUMMARY });
  });

  it.each([
    ['429', refused(429, '{"error":{"message":"slow down"}}'), [1000]],
    ['429 that says when', refused(429, '{}', { 'retry-after': '7' }), [7000]],
    ['500', refused(500, 'oops'), [1000]],
    ['a connection that breaks', broken('## Go'), [1000]],
  ])('tries again after %s', async (_, first, expected) => {
    const { outcome, waits } = await summarize([first, streamed(SUMMARY)]);
    expect(outcome).toMatchObject({ text: SUMMARY });
    expect(waits).toEqual(expected);
  });

  it('waits until the time that an endpoint names', async () => {
    const until = new Date(Date.now() + 20_000).toUTCString();
    const first = refused(429, '{}', { 'retry-after': until });
    const { outcome, waits } = await summarize([first, streamed(SUMMARY)]);
    expect(outcome).toMatchObject({ text: SUMMARY });
    expect(waits[0]).toBeGreaterThan(15_000);
    expect(waits[0]).toBeLessThanOrEqual(20_000);
  });

  it('gives up after five attempts and says why', async () => {
    const { outcome, waits } = await summarize([refused(503, '{"error":{"message":"busy"}}')]);
    expect(outcome).toBe('SummaryError: the endpoint answers 503: busy (tried 5 times)');
    expect(waits).toEqual([1000, 2000, 4000, 8000]);
  });

  it('does not wait longer than a minute', async () => {
    const { outcome, waits } = await summarize([refused(429, '{}', { 'retry-after': '3600' })]);
    expect(outcome).toMatch(/^SummaryError: the endpoint answers 429: .* \(tried once\)$/);
    expect(waits).toEqual([]);
  });

  it.each([
    ['cut off at the limit', streamed(SUMMARY, 'length'), 'the answer was cut off at its limit'],
    ['without an end', streamed(SUMMARY, null), 'the answer broke off'],
    ['withheld', streamed(SUMMARY, 'content_filter'), 'the answer ended with content_filter'],
    ['empty', streamed(''), 'the answer is empty'],
    ['a refusal', streamed('I cannot.'), 'the answer is not a summary: it has no headings'],
    ['garbage', refused(200, '<html>'), 'the answer is not a chat completion'],
    ['an error', refused(200, '{"error":{"message":"no"}}'), 'the endpoint says: no'],
    ['401', refused(401, '{"error":{"message":"bad key"}}'), 'the endpoint answers 401: bad key'],
    ['a page', refused(404, '<h1>Nope</h1>'), 'the endpoint answers 404: Nope'],
  ])('takes nothing from an answer that is %s', async (_, reply, message) => {
    const { outcome, requests } = await summarize([reply]);
    expect(outcome).toBe(`SummaryError: ${message}`);
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['one document', '', 'more than 4000000 bytes'],
    ['an event', 'data: ', 'more than 4000000 characters'],
    [
      'many events',
      `data: {"choices":[{"delta":{"content":"${'x'.repeat(9999)}"}}]}\n`,
      'too large',
    ],
  ])('reads no more of %s than an answer may have, and asks once', async (_, line, message) => {
    const sent: { bytes: number } = { bytes: 0 };
    const { outcome, requests } = await summarize([endless(line, sent)]);
    expect(outcome).toContain('SummaryError: the answer is too large');
    expect(outcome).toContain(message);
    expect(requests).toHaveLength(1);
    // What was under way when it stopped to read comes on top.
    expect(sent.bytes).toBeLessThan(40_000_000);
  });

  it('reads only the beginning of an error page', async () => {
    const sent = { bytes: 0 };
    const { outcome, requests } = await summarize([endless('', sent, 404)]);
    expect(outcome).toMatch(/^SummaryError: the endpoint answers 404: x{300}$/);
    expect(requests).toHaveLength(1);
    expect(sent.bytes).toBeLessThan(10_000_000);
  });

  it.each([
    ['a refused connection', 'http://127.0.0.1:1/v1'],
    ['a port that is never asked', 'http://127.0.0.1:6000/v1'],
  ])('does not try again after %s', async (_, baseUrl) => {
    const { outcome, waits } = await summarize([whole(SUMMARY)], {}, { baseUrl });
    expect(outcome).toMatch(/^SummaryError: cannot reach the endpoint: ./);
    expect(waits).toEqual([]);
  });

  it('does not believe numbers that no usage has', async () => {
    const usage = { prompt_tokens: -5, completion_tokens: 1e300, cost: -1 };
    const choices = [{ message: { content: SUMMARY }, finish_reason: 'stop' }];
    const { outcome } = await summarize([refused(200, JSON.stringify({ choices, usage }))]);
    expect(outcome).toMatchObject({ usage: { input: 0, output: 0, totalTokens: 0, cost: 0 } });
  });

  it('uses the newer name of the limit where the older one is refused', async () => {
    const old = refused(400, '{"error":{"message":"use max_completion_tokens instead"}}');
    const { outcome, requests } = await summarize([old, streamed(SUMMARY)]);
    expect(outcome).toMatchObject({ text: SUMMARY });
    expect(requests[1]?.body).toMatchObject({ max_completion_tokens: 1000 });
  });

  it('does not wait for an answer longer than it may take', async () => {
    const { outcome } = await summarize([silent], {}, { timeoutMs: 50 });
    expect(outcome).toBe('SummaryError: no answer within 0.05 s');
  });

  it('stops at once when the run is stopped', async () => {
    const { outcome } = await summarize([silent], { signal: AbortSignal.timeout(20) });
    expect(outcome).toMatch(/^TimeoutError/);
  });

  it('never follows a redirection with the key', async () => {
    const away = refused(302, '', { location: 'http://127.0.0.1:9/' });
    const { outcome, requests } = await summarize([away]);
    expect(outcome).toMatch(/^SummaryError: cannot reach the endpoint/);
    expect(requests.every(({ url }) => url === '/v1/chat/completions')).toBe(true);
  });

  it('never tells the key', async () => {
    const replies = [refused(401, '{"error":{"message":"bad key"}}')];
    const { outcome } = await summarize(replies);
    expect(JSON.stringify(outcome)).not.toContain(KEY);
  });

  it('reads a history longer than the window piece by piece, with what it has so far', async () => {
    const messages = Array.from({ length: 60 }, (_, index) => ({
      role: 'user' as const,
      from: 'person' as const,
      text: `${index} ${'x'.repeat(1000)}`,
    }));
    const replies = [streamed('## Goal\nfirst'), streamed('## Goal\nsecond')];
    const { outcome, requests } = await summarize(
      replies,
      { messages, maxTokens: 500 },
      { windowTokens: 9000 },
    );
    expect(outcome).toMatchObject({ text: '## Goal\nsecond' });
    expect(requests.length).toBeGreaterThan(1);
    expect(requests[1]?.body.messages[1]?.content).toContain('## Goal\nfirst');
    const all = requests.map(({ body }) => body.messages[1]?.content ?? '');
    for (const { text } of messages) expect(all.some((one) => one.includes(text))).toBe(true);
    for (const one of all) expect(one.length).toBeLessThan(9000 * 4);
  });

  it('says so when the window is too small', async () => {
    const { outcome } = await summarize([whole(SUMMARY)], {}, { windowTokens: 2000 });
    expect(outcome).toMatch(/window of 2000 tokens is too small/);
  });
});
