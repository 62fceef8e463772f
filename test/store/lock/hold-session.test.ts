import { closeSync, existsSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { isHeld, system } from '../../../src/session/jsonl/files/system.ts';
import { tryLock } from '../../../src/store/lock/flock.ts';
import { holdSession } from '../../../src/store/lock/hold-session.ts';
import { findHolder, findUseReason } from '../../../src/store/sessions/find-use.ts';
import { getRecorded, placeIn } from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';

const WORLD = { env: {}, home: '/', cwd: '/' };

afterEach(() => vi.unstubAllEnvs());

interface Placed {
  readonly path: string;
  readonly locks: string;
  readonly lock: string;
}

async function place(): Promise<Placed> {
  const home = await makeTempDir();
  const recorded = getRecorded('linear-tools');
  const path = await placeIn(home, recorded);
  const locks = join(home, 'thread-writer-locks');
  mkdirSync(locks);
  const [, id = ''] = /-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/.exec(path) ?? [];
  return { path, locks, lock: join(locks, `${id}.lock`) };
}

/** As Codex does while it has a thread loaded. */
function lockAsCodex(lock: string): void {
  const fd = openSync(lock, 'w');
  onTestFinished(() => closeSync(fd));
  expect(!system.hasFlock || tryLock(lock, fd, 'exclusive')).toBe(true);
}

function isFree(lock: string): boolean {
  const fd = openIfFree(lock);
  if (fd === undefined) return false;
  try {
    return !system.hasFlock || tryLock(lock, fd, 'exclusive');
  } finally {
    closeSync(fd);
  }
}

/** On Windows, nobody else can open what is held. */
function openIfFree(lock: string): number | undefined {
  try {
    return openSync(lock, 'r');
  } catch (error) {
    if (isHeld(error)) return undefined;
    throw error;
  }
}

describe('holdSession', () => {
  it('does not take its own lock for one of the agent', async () => {
    const { path } = await place();
    const isOpen = () => findHolder('codex', path, WORLD).isOpen;
    expect(await holdSession('codex', path, () => Promise.resolve(isOpen()))).toBe(false);
    expect(isOpen()).toBe(false);
  });

  it('holds the lock of the thread while it works, and removes it as Codex does', async () => {
    const { path, locks, lock } = await place();
    const seen = await holdSession('codex', path, () => Promise.resolve(isFree(lock)));
    expect(seen).toBe(false);
    expect(readdirSync(locks)).toEqual(system.hasFlock ? ['.coordination.lock'] : []);
  });

  it('takes over what a killed Codex has left, and gives it back when the work fails', async () => {
    const { path, lock } = await place();
    await writeFile(lock, '');
    const work = () => Promise.reject(new Error('no'));
    await expect(holdSession('codex', path, work)).rejects.toThrow('no');
    expect(existsSync(lock)).toBe(false);
  });

  it('does nothing while Codex has the thread open', async () => {
    const { path, lock } = await place();
    lockAsCodex(lock);
    const work = vi.fn<() => Promise<void>>(() => Promise.resolve());
    await expect(holdSession('codex', path, work)).rejects.toMatchObject({
      code: 'in-use',
      message: 'is open in its agent',
    });
    expect(work).not.toHaveBeenCalled();
    expect(existsSync(lock)).toBe(true);
  });

  it.runIf(system.hasFlock)('refuses where no program can take the lock', async () => {
    const { path, locks } = await place();
    vi.stubEnv('PATH', locks);
    const work = () => Promise.resolve();
    await expect(holdSession('codex', path, work)).rejects.toMatchObject({
      code: 'ENOLCK',
      message: expect.stringContaining(
        'the program flock, which takes such a lock, is missing',
      ) as string,
    });
  });

  it('needs no program where no release that locks has been at work', async () => {
    const { path } = await place();
    vi.stubEnv('PATH', dirname(path));
    const elsewhere = join(dirname(path), 'rollout.jsonl');
    expect(await holdSession('codex', elsewhere, () => Promise.resolve(1))).toBe(1);
    expect(await holdSession('pi', path, () => Promise.resolve(2))).toBe(2);
  });
});

describe('a thread of Codex', () => {
  it('is in use while its lock is held, and not for what a killed Codex has left', async () => {
    const { path, lock } = await place();
    const time = '2026-01-01T00:00:00.000Z';
    const session = { agent: 'codex', path, modified: time, fileModified: time } as const;
    const findReason = () =>
      findUseReason(session, { grace: 0, now: Date.parse('2127-01-01'), world: WORLD });
    expect(findReason()).toBeUndefined();
    await writeFile(lock, '');
    expect(findReason()).toBeUndefined();
    lockAsCodex(lock);
    expect(findReason()).toBe('is open in its agent');
  });

  it.runIf(system.hasFlock)(
    'cannot be called unused where no program can look at the lock',
    async () => {
      const { path, lock, locks } = await place();
      await writeFile(lock, '');
      vi.stubEnv('PATH', locks);
      expect(() => findHolder('codex', path, WORLD)).toThrow(
        'the program flock, which takes such a lock, is missing',
      );
    },
  );
});
