import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { runTest } from '../../memory-terminal.ts';
import { type AppServer, Codex, CodexError, type Thread } from './client.ts';
import { compressSome, driveStore } from './drive.ts';
import { keepRecorded, readStore } from './sent.ts';

let client: Codex;

beforeAll(() => {
  client = new Codex();
});
afterAll(() => client.close());

const STEPS = 16;
const COUNT = process.env['COPPICE_LONG'] === '1' ? 200 : 10;
const STORES = Array.from({ length: COUNT }, (_, at) => `store ${at}`);

interface Listed {
  readonly id: string;
  readonly name: string | null;
  readonly path: string;
  readonly messageCount: number;
}

/** What the client says of a thread, and sends of it; undefined where it does not open it alone. */
async function ask(server: AppServer, { id }: Thread) {
  try {
    const { path } = await server.resume({ threadId: id });
    return { path, input: await server.probe(id) };
  } catch (error) {
    if (error instanceof CodexError) return undefined;
    throw error;
  }
}

async function list(home: string, ...options: readonly string[]): Promise<readonly Listed[]> {
  const argv = ['list', '--store', `${home}/sessions`, '--json', ...options];
  const { out } = await runTest(argv, { home, cwd: home });
  return (JSON.parse(out) as { readonly results: readonly Listed[] }).results;
}

/** A fork of ours, and what its source sends. */
async function forkFirst(home: string, path: string) {
  const argv = ['fork', path, '--json'];
  const { out } = await runTest(argv, { home, cwd: home });
  const { results } = JSON.parse(out) as { readonly results: readonly Listed[] };
  return { id: results[0]?.id ?? '', messages: (await readContext(path)).messages };
}

async function probeFork(server: AppServer, id: string, text: string) {
  await server.resume({ threadId: id });
  return keepRecorded(await server.probe(id), text);
}

describe.concurrent('of random threads', () => {
  it.each(STORES)('we list and send what the client does: %s', async (name) => {
    const home = client.makeHome();
    const driver = await client.start(home);
    const { steps } = await driveStore(driver, name, STEPS);
    await driver.stop();
    const text = readStore(home);
    compressSome(home, name);
    const results = await list(home);
    const subagents = await list(home, '--source', 'subagent');
    // A thread that was reverted to before its first turn has nothing to fork.
    const said = results.find(({ messageCount }) => messageCount > 0);
    const fork = await forkFirst(home, said?.path ?? '');
    const server = await client.start(home);
    expect({ steps, input: await probeFork(server, fork.id, text) }).toEqual({
      steps,
      input: fork.messages,
    });
    const threads = (await server.list()).filter(({ id }) => id !== fork.id);
    const ours = new Map([...results, ...subagents].map((one) => [one.id, one]));
    for (const thread of threads) {
      const { id, name: given } = thread;
      expect({ steps, id, name: ours.get(id)?.name }).toEqual({ steps, id, name: given });
    }
    const contexts = new Map<Thread, readonly unknown[]>();
    for (const thread of new Map(threads.map((one) => [one.id, one])).values()) {
      const packed = existsSync(thread.path) ? thread.path : `${thread.path}.zst`;
      contexts.set(thread, (await readContext(packed)).messages);
    }
    // Only now: the client unpacks what it opens.
    for (const [thread, messages] of contexts) {
      const answer = await ask(server, thread);
      if (answer?.path !== thread.path) continue;
      const sent = keepRecorded(answer.input, text);
      const { path } = thread;
      expect({ steps, path, messages }).toEqual({ steps, path, messages: sent });
    }
    await server.stop();
  });
});
