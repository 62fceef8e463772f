import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { getDialect } from '../../../src/session/agents/index.ts';
import { Codex, type Thread } from './client.ts';

const client = new Codex();
afterAll(() => client.close());

it('the real Codex makes the directory of a thread with its file', async () => {
  const home = client.makeHome();
  const server = await client.start(home);
  const start = () => server.call<{ thread: Thread }>('thread/start', { cwd: server.cwd });
  const [first, second] = [await start(), await start()];
  await server.turn(first.thread.id, 'Hello');
  rmSync(join(home, 'sessions'), { recursive: true });
  await server.turn(second.thread.id, 'Said late');
  expect(readFileSync(second.thread.path, 'utf8')).toContain('Said late');
  await server.stop();
  expect(getDialect('codex').places.needsDirectory).toBeUndefined();
});
