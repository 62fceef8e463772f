import { readFileSync, statSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { canPack } from '../../../src/session/jsonl/zstd/packing.ts';
import { readContext } from '../../../src/session/read/read-context.ts';
import { PNG, count, say } from './answers.ts';
import { askAll } from './ask-all.ts';
import { type AppServer, Codex, type Thread } from './client.ts';
import { reduceStore } from './reduce-store.ts';

const client = new Codex();
afterAll(() => client.close());

/** A thread with outputs, an image, and two compactions. */
async function drive(server: AppServer, historyMode: string): Promise<string> {
  const { thread } = await server.call<{ thread: Thread }>('thread/start', {
    cwd: server.cwd,
    historyMode,
  });
  const { id } = thread;
  await server.turn(id, 'Count', count());
  await server.compact(id, say('They counted.'));
  await server.turn(id, 'Count again', count());
  await server.compact(id, say('They counted twice.'));
  await server.picture(id, 'Look', PNG);
  await server.turn(id, 'Count once more', count());
  return id;
}

it.skipIf(!canPack())(
  'a reduced thread is shown and sent as before, but for what was cut, and so are its relatives',
  async () => {
    const home = client.makeHome();
    const server = await client.start(home);
    const [alone, legacy, parent] = [
      await drive(server, 'paginated'),
      await drive(server, 'legacy'),
      await drive(server, 'paginated'),
    ];
    const forked = await server.call<{ thread: Thread }>('thread/fork', { threadId: parent });
    await server.turn(forked.thread.id, 'In the fork', count());
    await server.stop();
    const before = await askAll(client, home);
    const paths = new Map(before.listed.map(({ id, path }) => [id, path]));
    const sizes = new Map([...paths].map(([id, path]) => [id, statSync(path).size]));

    const results = await reduceStore(home, '--superseded-state');
    const actions = new Map(results.map(({ path, action }) => [path, action]));
    const told = results.find(({ path }) => path === paths.get(alone))?.reasons.join();
    expect(told).toContain('its rows in thread_history are removed');
    const getAction = (id: string) => actions.get(paths.get(id) ?? '');
    expect([alone, legacy, parent].map(getAction)).toEqual(['reduce', 'reduce', 'reduce']);
    for (const id of [alone, legacy, parent]) {
      const path = paths.get(id) ?? '';
      expect(statSync(path).size).toBeLessThan((sizes.get(id) ?? 0) - 1000);
    }
    const after = await askAll(client, home);
    expect(after.threads).toEqual(before.threads);
    expect(after.listed).toEqual(before.listed);

    const whole = [alone, legacy].map((id) => readFileSync(paths.get(id) ?? ''));
    await reduceStore(home, '--images', 'extract');
    const extracted = await askAll(client, home);
    for (const id of [alone, legacy]) {
      const sent = JSON.stringify(extracted.threads.get(id));
      expect(sent).toContain('image taken out by coppice');
      expect(sent).not.toContain('base64');
    }
    expect(extracted.threads.get(parent)).toEqual(before.threads.get(parent));
    await reduceStore(home, '--images', 'restore');
    expect([alone, legacy].map((id) => readFileSync(paths.get(id) ?? ''))).toEqual(whole);

    await reduceStore(home, '--tool-output', '500', '--images', 'drop');
    const cut = await askAll(client, home);
    for (const id of [alone, legacy]) {
      const path = paths.get(id) ?? '';
      const thread = cut.threads.get(id);
      if (typeof thread !== 'object') throw new Error(thread);
      expect(thread.sent).toEqual((await readContext(path)).messages);
      const sent = JSON.stringify(thread);
      expect(sent).toContain('bytes of output cut by coppice');
      expect(sent).toContain('image left out by coppice');
      expect(sent).not.toContain('base64');
      expect(readFileSync(path, 'utf8')).not.toContain('base64');
    }
  },
);
