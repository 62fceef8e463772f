import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { canPack } from '../../../src/session/jsonl/zstd/packing.ts';
import { runTest } from '../../memory-terminal.ts';
import { type AppServer, Codex, type Thread } from './client.ts';
import { askAlone, driveFamily, type Family } from './drive-family.ts';

const client = new Codex();
afterAll(() => client.close());

interface Result {
  readonly path: string;
  readonly action: string;
  readonly reasons: readonly string[];
}

async function reduce(home: string, ...argv: readonly string[]): Promise<readonly Result[]> {
  const options = { cwd: home, home, env: { CODEX_HOME: home }, now: () => Date.now() };
  const { out, err } = await runTest(['compact', ...argv, '--grace', '0s', '--json'], options);
  if (err !== '') throw new Error(err);
  return (JSON.parse(out) as { results: readonly Result[] }).results;
}

/** What forks at each turn of a thread send: it refuses where it does not know the bytes of a turn. */
async function forkEverywhere(home: string, { parent, turns }: Family) {
  const copy = client.keepHome(home);
  const server = await client.start(home);
  const sent = [];
  for (const lastTurnId of turns) sent.push(await forkAt(server, parent, lastTurnId));
  await server.stop();
  copy.putBack();
  return sent;
}

async function forkAt(server: AppServer, threadId: string, lastTurnId: string) {
  const params = { threadId, lastTurnId };
  const { thread } = await server.call<{ thread: Thread }>('thread/fork', params);
  const input = await server.probe(thread.id);
  return input.map(({ id: _id, ...item }) => item);
}

/** Rows are written by the SQLite of Node. */
const scope = canPack() ? describe : undefined;

scope?.('a family of threads', () => {
  it('a thread that others go on from is made smaller, and none shows or sends less', async () => {
    const home = client.makeHome();
    const family = await driveFamily(client, home);
    const before = await askAlone(client, home, family.all);
    const forks = await forkEverywhere(home, family);
    const path = before.get(family.parent)?.path ?? '';
    const size = statSync(path).size;
    const faults = await client.diagnose(home);

    const planned = await reduce(home, '--superseded-state');
    const plan = planned.find((one) => one.path === path)?.reasons.join('\n');
    for (const child of family.children) {
      expect(plan).toContain(before.get(child)?.path.split('/').at(-1));
    }
    expect(plan).toContain('thread_turns');
    expect(statSync(path).size).toBe(size);

    const results = await reduce(home, '--superseded-state', '--apply');
    expect(results.find((one) => one.path === path)?.action).toBe('reduce');
    expect(results.filter(({ action }) => action === 'skip' || action === 'fail')).toEqual([]);
    expect(statSync(path).size).toBeLessThan(size - 1000);
    expect(readFileSync(path, 'utf8')).not.toMatch(/\n *\n/);
    expect(await askAlone(client, home, family.all)).toEqual(before);
    const forked = await forkEverywhere(home, family);
    expect(forked.length).toBe(forks.length);
    // Before the newest compaction, what earlier ones held is gone, and that is said.
    expect(forked.at(-1)).toEqual(forks.at(-1));
    expect(await client.diagnose(home)).toEqual(faults);
    const again = await reduce(home, '--superseded-state', '--apply');
    expect(again.map(({ action }) => action)).toEqual(again.map(() => 'unchanged'));
  });

  it('a thread is left while the client has one open that goes on from it', async () => {
    const home = client.makeHome();
    const family = await driveFamily(client, home);
    const server = await client.start(home);
    const [child = ''] = family.children;
    const { path: open } = await server.resume({ threadId: child });
    const path = (await server.list()).find(({ id }) => id === family.parent)?.path ?? '';
    const text = readFileSync(path, 'utf8');
    const [result] = await reduce(home, '--superseded-state', '--apply', path);
    expect(result?.action).toBe('skip');
    expect(result?.reasons.join()).toContain(`${basename(open)} continues from it, and is open in`);
    expect(readFileSync(path, 'utf8')).toBe(text);
    await server.turn(child, 'The client goes on');
    await server.stop();
  });

  it('what another thread has of it is cut only where that is meant, too', async () => {
    const home = client.makeHome();
    const family = await driveFamily(client, home);
    const before = await askAlone(client, home, family.all);
    const path = before.get(family.parent)?.path ?? '';
    const cutting = ['--tool-output', '500', '--images', 'drop', '--apply'];

    const [alone] = await reduce(home, ...cutting, path);
    expect(alone?.reasons.join('\n')).toContain(
      'are kept: select every file that continues from it',
    );
    for (const id of family.all.slice(0, -1)) {
      expect((await askAlone(client, home, [id])).get(id)).toEqual(before.get(id));
    }

    await reduce(home, ...cutting);
    const after = await askAlone(client, home, family.all);
    for (const [id, told] of after) {
      const sent = JSON.stringify(told.sent);
      expect(sent).not.toContain('base64');
      expect(sent).toContain('bytes of output cut by coppice');
      expect(told.turns.length).toBe(before.get(id)?.turns.length);
    }
  });
});
