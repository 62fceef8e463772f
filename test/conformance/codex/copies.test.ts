import { statSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { canPack } from '../../../src/session/jsonl/zstd/packing.ts';
import { count, say } from './answers.ts';
import { askAll } from './ask-all.ts';
import { type AppServer, Codex, type Thread } from './client.ts';
import { spawnAgent } from './drive.ts';
import { reduceStore } from './reduce-store.ts';

const client = new Codex();
afterAll(() => client.close());

/** A sub-agent that has copied a parent with compactions, and was compacted itself. */
async function drive(server: AppServer, historyMode: string): Promise<string> {
  const params = { cwd: server.cwd, historyMode };
  const { thread } = await server.call<{ thread: Thread }>('thread/start', params);
  await server.turn(thread.id, 'Count', count());
  await server.compact(thread.id, say('They counted.'));
  await server.turn(thread.id, 'Count again', count());
  const id = await server.spawn(thread.id, spawnAgent(`call_${historyMode}`, true));
  await server.turn(id, 'Count in the sub-agent', count());
  await server.compact(id, say('The sub-agent counted.'));
  await server.turn(id, 'Count on', count());
  return id;
}

const describeIf = canPack() ? describe : undefined;

describeIf?.('compact --copies', () => {
  it('takes from sub-agents what nobody is shown or sent, and changes no other thread', async () => {
    const home = client.makeHome();
    const server = await client.start(home);
    const spawned = [await drive(server, 'paginated'), await drive(server, 'legacy')];
    const [paginated = ''] = spawned;
    const forked = await server.call<{ thread: Thread }>('thread/fork', { threadId: paginated });
    await server.turn(forked.thread.id, 'In the fork', count());
    await server.stop();
    const before = await askAll(client, home);
    const sizes = new Map(before.listed.map(({ path }) => [path, statSync(path).size]));

    const results = await reduceStore(home, '--copies');
    const reduced = results.filter(({ action }) => action === 'reduce').map(({ path }) => path);
    const getPath = (id: string) => before.listed.find((one) => one.id === id)?.path ?? '';
    expect(reduced.toSorted()).toEqual(spawned.map(getPath).toSorted());
    for (const path of reduced)
      expect(statSync(path).size).toBeLessThan((sizes.get(path) ?? 0) - 5000);

    const after = await askAll(client, home);
    expect(after.listed).toEqual(before.listed);
    expect(after.threads).toEqual(before.threads);
  });
});
