import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What the stand-in does with one request. */
export type Reply = (response: ServerResponse, request: ReceivedRequest) => void;

export interface ReceivedRequest {
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model: string;
    readonly messages: readonly { readonly role: string; readonly content: string }[];
    readonly [key: string]: unknown;
  };
}

export interface StandIn {
  readonly baseUrl: string;
  readonly requests: readonly ReceivedRequest[];
}

/** A local server that speaks the OpenAI protocol; replies in turn, the last one again and again. */
export async function startStandIn(replies: readonly Reply[]): Promise<StandIn> {
  const requests: ReceivedRequest[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const received = await receive(request);
    requests.push(received);
    replies[Math.min(requests.length, replies.length) - 1]?.(response, received);
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, requests };
}

async function receive(request: IncomingMessage): Promise<ReceivedRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ReceivedRequest['body'];
  return { url: request.url, authorization: request.headers.authorization, body };
}

const USAGE = {
  prompt_tokens: 1000,
  completion_tokens: 200,
  prompt_tokens_details: { cached_tokens: 400 },
};

/** Streams a text in pieces, each an event. */
export function streamed(text: string, finish: string | null = 'stop'): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const piece of text.match(/[\s\S]{1,7}/g) ?? []) {
      send(response, { choices: [{ delta: { content: piece }, finish_reason: null }] });
    }
    if (finish !== null) send(response, { choices: [{ delta: {}, finish_reason: finish }] });
    send(response, { choices: [], usage: USAGE });
    response.end('data: [DONE]\n\n');
  };
}

export function whole(text: string): Reply {
  return (response) => {
    const choices = [{ message: { role: 'assistant', content: text }, finish_reason: 'stop' }];
    respond(response, 200, JSON.stringify({ choices, usage: USAGE }));
  };
}

export function refused(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return (response) => respond(response, status, body, headers);
}

export function broken(text: string): Reply {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    send(response, { choices: [{ delta: { content: text } }] });
    setImmediate(() => response.destroy());
  };
}

/** Sends a line again and again, or one without an end, until nobody reads; counts what it sent. */
export function endless(line: string, sent: { bytes: number }, status = 200): Reply {
  const isStream = line !== '';
  const text = line.endsWith('\n')
    ? line.repeat(Math.ceil(400_000 / line.length))
    : 'x'.repeat(400_000);
  return (response) => {
    const type = isStream ? 'text/event-stream' : 'application/json';
    response.writeHead(status, { 'content-type': type });
    if (isStream && !line.endsWith('\n')) response.write(line);
    const write = (): void => {
      do {
        if (response.destroyed) return;
        sent.bytes += text.length;
      } while (response.write(text));
      response.once('drain', write);
    };
    write();
  };
}

/** Begins to answer and never goes on. */
export const silent: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
};

function send(response: ServerResponse, event: object): void {
  response.write(`data: ${JSON.stringify(event)}\n\n`);
}

function respond(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body);
}
