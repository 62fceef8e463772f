import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { holdSession } from '../../../src/store/lock/hold-session.ts';
import { findHolder } from '../../../src/store/sessions/find-use.ts';
import { Codex, type Thread } from './client.ts';

const WORLD = { env: {}, home: '/', cwd: '/' };

const client = new Codex();
afterAll(() => client.close());

it('a thread that the real Codex has loaded is open to us, and one that we hold is to it', async () => {
  const home = client.makeHome();
  let server = await client.start(home);
  const { thread } = await server.call<{ thread: Thread }>('thread/start', { cwd: server.cwd });
  await server.turn(thread.id, 'Hello');
  expect(findHolder('codex', thread.path, WORLD).isOpen).toBe(true);
  const work = () => Promise.resolve();
  await expect(holdSession('codex', thread.path, work)).rejects.toMatchObject({ code: 'in-use' });
  await server.stop();
  expect(findHolder('codex', thread.path, WORLD).isOpen).toBe(false);

  server = await client.start(home);
  const resume = () => server.resume({ threadId: thread.id });
  await holdSession('codex', thread.path, () =>
    expect(resume()).rejects.toThrow('already has an active writer'),
  );
  expect((await resume()).id).toBe(thread.id);
  await server.stop();
  expect(readdirSync(join(home, 'thread-writer-locks'))).toEqual(['.coordination.lock']);
});
