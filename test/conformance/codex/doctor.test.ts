import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { canPack } from '../../../src/session/jsonl/zstd/packing.ts';
import { runTest } from '../../memory-terminal.ts';
import { count } from './answers.ts';
import { Codex, type Thread } from './client.ts';
import { spawnAgent } from './drive.ts';
import { driveFamily } from './drive-family.ts';

const client = new Codex();
afterAll(() => client.close());

/** In this order: each works on what the ones before it have made. */
const COMMANDS: readonly (readonly string[])[] = [
  ['fork', 'ID', '--name', 'A fork', '--id', '0199a213-81c0-7000-8000-00000000abcd'],
  ['compact', '--superseded-state', '--copies', '--apply', '--agent', 'codex'],
  ['compact', '--tool-output', '500', '--images', 'drop', '--apply', '--agent', 'codex'],
  ['compact', 'ID', '--force', '--apply'],
  ['compact', '--compress', '--apply', '--agent', 'codex'],
  ['compact', '--decompress', '--apply', '--agent', 'codex'],
  ['validate', '--fix', '--agent', 'codex'],
  ['migrate', '--cwd', 'WORK=/moved', '--apply', '--agent', 'codex'],
  ['prune', 'ID', '--larger-than', '1B', '--flatten', '--apply', '--delete'],
  ['prune', '--larger-than', '1B', '--apply', '--delete', '--allow-empty', '--agent', 'codex'],
];

/** Codex adds the rows of a new file when it lists the threads. */
async function listOnce(home: string): Promise<void> {
  const server = await client.start(home);
  await server.list();
  await server.stop();
}

/** Rows are written by the SQLite of Node. */
const scope = canPack() ? describe : undefined;

scope?.('codex doctor', () => {
  it('finds nothing after a command that it did not find before', async () => {
    const home = client.makeHome();
    const { parent } = await driveFamily(client, home);
    const server = await client.start(home);
    const params = { cwd: server.cwd, historyMode: 'legacy' };
    const { thread } = await server.call<{ thread: Thread }>('thread/start', params);
    await server.turn(thread.id, 'Count', count());
    await server.spawn(thread.id, spawnAgent('call_spawn', true));
    await server.stop();
    const before = await client.diagnose(home);
    expect(before.size).toBeGreaterThan(0);
    for (const command of COMMANDS) {
      const argv = command.map((word) =>
        word === 'ID' ? parent : word.replace('WORK', join(home, 'work')),
      );
      const grace = command[0] === 'fork' ? [] : ['--grace', '0s'];
      const options = { cwd: home, home, env: { CODEX_HOME: home }, now: () => Date.now() };
      const { out, err } = await runTest([...argv, ...grace, '--json'], options);
      expect({ command, err }).toEqual({ command, err: '' });
      const { results } = JSON.parse(out) as { results: { action: string }[] };
      if (command[0] === 'fork') await listOnce(home);
      const grown = [...(await client.diagnose(home))].filter(
        ([what, number]) => number > (before.get(what) ?? 0),
      );
      const failed = results.filter(({ action }) => action === 'fail');
      expect({ command, grown, failed }).toEqual({ command, grown: [], failed: [] });
    }
  });
});
