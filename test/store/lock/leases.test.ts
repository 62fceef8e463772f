import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { system } from '../../../src/session/jsonl/files/system.ts';
import { tryLock } from '../../../src/store/lock/flock.ts';
import { toSocketName } from '../../../src/store/lock/leases.ts';
import { PruneWorld } from '../../commands/prune/prune-world.ts';
import { NOW } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';

const ID = '0199a3f1-1111-7000-8000-000000000001';
const NAME = `2026-01-02T03-04-05-678Z_${ID}.jsonl`;

/** As oh-my-pi does: by a socket without a file on Linux, elsewhere by a lock on the file itself. */
async function lockAsAgent(lock: string): Promise<void> {
  if (process.platform === 'linux') {
    const server = createServer().listen(`\0${toSocketName(lock)}`);
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    return;
  }
  mkdirSync(dirname(lock), { recursive: true });
  const fd = openSync(lock, 'w');
  onTestFinished(() => closeSync(fd));
  expect(tryLock(lock, fd, 'exclusive')).toBe(true);
}

describe('toSocketName', () => {
  // By Python's xxhash, and by the agent itself.
  it.each([
    ['', 'dd4458733774f8b02ff557a2e70c6e06'],
    ['/tmp/config.yml.lock', '71327ba360366b2a3eb5de2fa0093fa0'],
    ['/tmp/test.lock', 'c0b11536af4af31f2f1b828aaf87ec00'],
    [`/a/${'b'.repeat(100)}.lock`, '84bf27afdf270489c51bc843e1a7d324'],
    ['/tmp/日本/config.yml.lock', '8e86d6a4347e8cc9794efc489b074c6b'],
  ])('names the socket for %j as oh-my-pi does', (lock, hash) => {
    expect(toSocketName(lock)).toBe(`omp-file-lock-${hash}`);
  });
});

describe.runIf(system.hasFlock)('a session that a process of oh-my-pi has written to', () => {
  it.each([
    ['.omp', `.omp/run/session-owners/${ID}.lock`, {}],
    ['own', `own/run/session-owners/${ID}.lock`, { PI_CONFIG_DIR: 'own' }],
    ['state/omp', `state/omp/run/session-owners/${ID}.lock`, { XDG_STATE_HOME: 'state' }],
    ['.local/state/omp', `.local/state/omp/run/session-owners/${ID}.lock`, {}],
    ['.omp', `.omp/run/session-owners/${ID}.lock`, { PI_CONFIG_DIR: 'own' }],
    ['.omp', `sessions/-p/.${NAME}.owner.lock`, {}],
  ])('is kept where %s holds %s', async (home, lock, env: Record<string, string>) => {
    const world = await PruneWorld.make();
    const store = join(world.dir, 'sessions');
    const session = sampleSession({ id: ID, text: 'work' });
    await writeFiles(world.dir, { [`sessions/-p/${NAME}`]: session, [`${home}/x`]: '' });
    await utimes(join(store, '-p', NAME), NOW / 1000 - 60, NOW / 1000 - 60);
    const { XDG_STATE_HOME: state, ...rest } = env;
    const variables = { ...rest, ...(state && { XDG_STATE_HOME: join(world.dir, state) }) };
    const decide = async (): Promise<string> => {
      const args = ['--store', store, '--larger-than', '1B', '--grace', '0s', '--allow-empty'];
      const { out } = await world.run([...args, '--json'], { home: world.dir, env: variables });
      const { results } = JSON.parse(out) as {
        readonly results: readonly { readonly action: string; readonly reasons: string[] }[];
      };
      return results.map(({ action, reasons }) => `${action}: ${reasons.join(', ')}`).join('\n');
    };
    expect(await decide()).toBe('remove: larger than 1B');
    await lockAsAgent(join(world.dir, lock));
    expect(await decide()).toBe('keep: is open in its agent');
  });
});
