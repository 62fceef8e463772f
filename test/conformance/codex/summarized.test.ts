import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { canPack } from '../../../src/session/jsonl/zstd/packing.ts';
import { readContext } from '../../../src/session/read/read-context.ts';
import { count, say } from './answers.ts';
import { askAll } from './ask-all.ts';
import { type AppServer, Codex, type Thread } from './client.ts';
import { spawnAgent } from './drive.ts';
import { reduceStore } from './reduce-store.ts';

const client = new Codex();
afterAll(() => client.close());

const TAKEN_BACK: ReadonlySet<string> = new Set(['Count to nothing', 'Count too far']);
const ROLLBACK = JSON.stringify({
  timestamp: '2026-03-01T10:00:00.000Z',
  type: 'event_msg',
  payload: { type: 'thread_rolled_back', num_turns: 1 },
});

/** What a hook has had the client go on with, as releases before 0.145 write it; in a legacy file no event repeats it. */
const HOOK_PROMPT = JSON.stringify({
  timestamp: '2026-03-01T10:00:00.000Z',
  type: 'response_item',
  payload: {
    type: 'message',
    id: 'msg_1',
    role: 'user',
    content: [
      { type: 'input_text', text: '<hook_prompt hook_run_id="stop:1">Count on.</hook_prompt>' },
    ],
  },
});

/** A thread with two compactions. */
async function drive(server: AppServer, historyMode: string): Promise<string> {
  const params = { cwd: server.cwd, historyMode };
  const { thread } = await server.call<{ thread: Thread }>('thread/start', params);
  const { id } = thread;
  await server.turn(id, 'Count', count());
  await server.turn(id, 'Count to nothing', count());
  await server.compact(id, say('They counted.'));
  await server.turn(id, 'Count again', count());
  await server.compact(id, say('They counted twice.'));
  await server.turn(id, 'Count once more', count());
  await server.turn(id, 'Count too far', count());
  return id;
}

/** Takes turns back as releases before 0.148 did, which 0.169 still reads, and has a hook ask for more in the first. */
function rollBack(path: string): void {
  let prompt = '';
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const rolledBack = lines.flatMap((line) => {
    const { payload } = JSON.parse(line) as { payload: { type?: string; message?: string } };
    if (payload.type === 'user_message') prompt = payload.message ?? '';
    if (payload.type !== 'task_complete') return [line];
    if (prompt === 'Count') return [HOOK_PROMPT, line];
    return TAKEN_BACK.has(prompt) ? [line, ROLLBACK] : [line];
  });
  writeFileSync(path, `${rolledBack.join('\n')}\n`);
}

const describeIf = canPack() ? describe : undefined;

describeIf?.('compact --summarized', () => {
  it('takes from threads what nobody is shown or sent, and changes no other thread', async () => {
    const home = client.makeHome();
    const server = await client.start(home);
    const [paginated, legacy] = [await drive(server, 'paginated'), await drive(server, 'legacy')];
    const reverted = await drive(server, 'paginated');
    const { turns } = await server.resume({ threadId: reverted });
    await server.call('thread/revert', { threadId: reverted, beforeTurnId: turns.at(-1)?.id });
    await server.turn(reverted, 'Count differently', count());
    const forked = await server.call<{ thread: Thread }>('thread/fork', { threadId: paginated });
    await server.turn(forked.thread.id, 'In the fork', count());
    const agent = await server.spawn(paginated, spawnAgent('call_agent', true));
    await server.turn(agent, 'Count in the sub-agent', count());
    await server.compact(agent, say('The sub-agent counted.'));
    const { path: old = '' } = (await server.list()).find(({ id }) => id === legacy) ?? {};
    await server.stop();
    rollBack(old);
    const before = await askAll(client, home);
    expect(JSON.stringify(before.threads.get(legacy))).toContain('"type":"hookPrompt"');
    const places = new Map(before.listed.map(({ id, path }) => [id, path]));
    const getPath = (id: string): string => places.get(id) ?? '';
    const sizes = new Map([...places.values()].map((path) => [path, statSync(path).size]));

    const results = await reduceStore(home, '--summarized');
    const reduced = results.filter(({ action }) => action === 'reduce').map(({ path }) => path);
    expect(reduced).toEqual(expect.arrayContaining([paginated, legacy, agent].map(getPath)));
    for (const path of reduced)
      expect(statSync(path).size).toBeLessThan((sizes.get(path) ?? 0) - 5000);
    expect(readFileSync(getPath(paginated), 'utf8').split('"type":"compacted"')).toHaveLength(2);

    const after = await askAll(client, home);
    expect(after.listed).toEqual(before.listed);
    expect(after.threads).toEqual(before.threads);
    for (const path of reduced) {
      const { messages } = await readContext(path);
      expect(JSON.stringify(messages)).toContain('counted');
    }
  });
});
