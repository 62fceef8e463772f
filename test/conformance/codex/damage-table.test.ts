import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { DAMAGE, getThreadId, placeDamaged } from '../../session/agents/codex/damage.ts';
import { type AppServer, Codex, CodexError } from './client.ts';
import { keepRecorded, readStore } from './sent.ts';

let client: Codex;

beforeAll(() => {
  client = new Codex();
});
afterAll(() => client.close());

/** What the model is sent of a thread; undefined where the client does not open it. */
async function send(server: AppServer, threadId: string) {
  try {
    await server.resume({ threadId });
    return await server.probe(threadId);
  } catch (error) {
    if (error instanceof CodexError) return undefined;
    throw error;
  }
}

describe.concurrent('the client lists and opens what is damaged, and sends what we say', () => {
  it.each(DAMAGE.map((row) => [row.mode, row.what, row] as const))('%s: %s', async (_, __, row) => {
    const home = client.makeHome();
    const path = await placeDamaged(home, row);
    const text = readStore(home);
    const ours = row.opens ? await readContext(path) : undefined;
    const server = await client.start(home);
    const lists = (await server.list()).length > 0;
    const input = await send(server, getThreadId(row.mode));
    await server.stop();
    expect({ lists, opens: input !== undefined }).toEqual({ lists: row.lists, opens: row.opens });
    expect(input && keepRecorded(input, text)).toEqual(ours?.messages);
  });
});
