import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { canPack } from '../../../src/session/jsonl/zstd/packing.ts';
import { runTest } from '../../memory-terminal.ts';
import { count, say } from './answers.ts';
import { Codex, type Thread } from './client.ts';
import { spawnAgent } from './drive.ts';
import { askAlone, driveFamily } from './drive-family.ts';

const client = new Codex();
afterAll(() => client.close());

interface Result {
  readonly id: string;
  readonly action: string;
  readonly reasons: readonly string[];
}

async function prune(
  home: string,
  ...argv: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const options = { cwd: home, home, env: { CODEX_HOME: home } };
  const { out, err } = await runTest(['prune', ...argv, '--json'], options);
  if (err !== '') throw new Error(err);
  const { results } = JSON.parse(out) as { results: readonly Result[] };
  return new Map(results.map(({ id, action, reasons }) => [id, [action, ...reasons].join('; ')]));
}

/** A family with a revert in one of its forks, and a fork of a sub-agent; both are in no other list. */
async function drive(home: string) {
  const family = await driveFamily(client, home);
  const server = await client.start(home);
  const [, late = ''] = family.children;
  await server.resume({ threadId: late });
  const { id: beforeTurnId } = await server.turn(late, 'Reverted', count());
  await server.call('thread/revert', { threadId: late, beforeTurnId });
  await server.turn(late, 'Another way', count());
  await server.resume({ threadId: family.parent });
  const spawned = await server.spawn(family.parent, spawnAgent('call_spawn', true));
  await server.turn(spawned, 'In the sub-agent', count());
  const { thread } = await server.call<{ thread: Thread }>('thread/fork', { threadId: spawned });
  await server.turn(thread.id, 'In a fork of the sub-agent', [say('Yes.')]);
  await server.stop();
  const kept = [...family.all.filter((id) => id !== family.parent), thread.id];
  return { parent: family.parent, spawned, kept };
}

/** Rows are written by the SQLite of Node. */
const scope = canPack() ? describe : undefined;

scope?.('prune --flatten', () => {
  it('removes a thread, and its forks show and send the same, go on, and are forked', async () => {
    const home = client.makeHome();
    const { parent, spawned, kept } = await drive(home);
    const before = await askAlone(client, home, [...kept, parent, spawned]);
    for (const id of kept) expect(before.get(id)?.sent).not.toEqual([]);
    const faults = await client.diagnose(home);
    const path = before.get(parent)?.path ?? '';
    const archive = join(client.makeHome(), 'archive');
    const argv = [path, '--larger-than', '1B', '--flatten', '--grace', '0s', '--apply'];

    const done = await prune(home, ...argv, '--archive', archive);
    expect(done.get(parent)).toContain('remove');
    for (const id of kept)
      expect({ id, done: done.get(id) }).toEqual({
        id,
        done: expect.stringMatching(/^flatten/) as unknown,
      });
    const after = await askAlone(client, home, kept);
    for (const id of kept) expect(after.get(id)).toEqual(before.get(id));
    for (const [what, number] of await client.diagnose(home)) {
      expect({ what, number }).toEqual({ what, number: Math.min(number, faults.get(what) ?? 0) });
    }

    await prune(home, '--archive', archive, '--restore', 'all');
    const back = await askAlone(client, home, [parent, spawned]);
    for (const id of [parent, spawned]) expect(back.get(id)).toEqual(before.get(id));

    const server = await client.start(home);
    const [first = ''] = kept;
    await server.resume({ threadId: first });
    const { thread } = await server.call<{ thread: Thread }>('thread/fork', { threadId: first });
    await server.turn(thread.id, 'On and on', count());
    expect((await server.list()).map(({ id }) => id)).toContain(spawned);
    await server.stop();
  });
});
