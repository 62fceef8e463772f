import { mkdirSync, readdirSync, readFileSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { pick } from '../harness/pick.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { makeSession } from '../torture/old-store.ts';
import { type Ended, runOnWindows, toWindowsPath } from './node-exe.ts';

const PRELOAD = fileURLToPath(new URL('../torture/faults/preload.mjs', import.meta.url));
/** Of each command: 52 in all with COPPICE_LONG=1. */
const KILLS = process.env['COPPICE_LONG'] === undefined ? 3 : 13;
const LONG_AGO = new Date('2026-06-01T00:00:00.000Z');
const SESSIONS = 4;

type World = ReadonlyMap<string, string>;

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  mkdirSync(join(dir, 'home'));
});

/** Old sessions, and new ones with a picture, long unchanged. */
async function reset(): Promise<void> {
  for (const name of ['store', 'archive'])
    rmSync(join(dir, name), { recursive: true, force: true });
  const png = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
  for (let at = 0; at < SESSIONS; at += 1) {
    const start = '2026-01-01T00:00:00.000Z';
    const image = {
      type: 'image',
      data: Buffer.from(`${png}${at}`).toString('base64'),
      mimeType: 'image/png',
    };
    const message = { role: 'user', content: [image], timestamp: Date.parse(start) };
    await writeFiles(join(dir, 'store'), {
      [`--old--/${at}.jsonl`]: makeSession(5 + at),
      [`--new--/${at}.jsonl`]: [
        { type: 'session', version: 3, id: `new-${at}`, timestamp: start, cwd: '/new' },
        { type: 'message', id: `0000000${at}`, parentId: null, timestamp: start, message },
      ],
    });
  }
  for (const name of read().keys()) utimesSync(join(dir, 'store', name), LONG_AGO, LONG_AGO);
}

/** Every file of the store with what is in it. */
function read(): World {
  const found = new Map<string, string>();
  for (const one of readdirSync(join(dir, 'store'), { recursive: true, withFileTypes: true })) {
    if (!one.isFile()) continue;
    const path = join(one.parentPath, one.name);
    found.set(path.slice(join(dir, 'store').length + 1), readFileSync(path, 'latin1'));
  }
  return found;
}

function run(args: readonly string[], fault?: object): Promise<Ended> {
  const watch = fault && {
    env: { COPPICE_FAULT: JSON.stringify({ root: toWindowsPath(dir), ...fault }) },
    imports: [PRELOAD],
  };
  return runOnWindows([...args, '--jobs', '1', '--quiet'], {
    cwd: dir,
    home: join(dir, 'home'),
    ...watch,
  });
}

/** Wine itself may end a process: that is one more kill, and the run after it has to finish. */
async function finish(args: readonly string[]): Promise<void> {
  const first = await run(args);
  const ended = first.code === null ? await run(args) : first;
  expect(ended).toMatchObject({ code: 0, err: '' });
}

/** Numbers of calls, evenly spread over those from the first that changes something, and within by the seed. */
async function chooseMoments(args: readonly string[]): Promise<readonly number[]> {
  const log = join(dir, 'calls');
  rmSync(log, { force: true });
  expect(await run(args, { log: toWindowsPath(log) })).toMatchObject({ code: 0, err: '' });
  const [first = 0, count = 0] =
    readFileSync(log, 'utf8').trim().split('\n')[0]?.split(' ').map(Number) ?? [];
  const step = (count - first + 1) / KILLS;
  return Array.from({ length: KILLS }, (_, at) => {
    return (
      Math.floor(first + at * step) + pick(Math.max(1, Math.floor(step)), `${args.join(' ')} ${at}`)
    );
  });
}

/** Ends the process as the Task Manager does, before its call of that number. */
async function kill(args: readonly string[], number: number): Promise<void> {
  const once = join(dir, 'stopped');
  rmSync(once, { recursive: true, force: true });
  const { code } = await run(args, { number, signal: 'SIGKILL', once: toWindowsPath(once) });
  expect(code).toBe(null);
}

const STORE = ['--store', 'store'];
const ARCHIVE = ['--archive', 'archive'];
const PRUNE = ['prune', ...STORE, ...ARCHIVE, '--older-than', '30d', '--allow-empty', '--apply'];
const RESTORE = ['prune', ...STORE, ...ARCHIVE, '--restore', 'all'];

describe('node.exe, ended at any moment', () => {
  it.each([
    ['migrates', ['migrate', ...STORE, '--apply']],
    ['takes images out', ['compact', ...STORE, '--images', 'extract', '--apply']],
  ])(
    '%s: every session is the old one or the new one, and the next run finishes',
    async (_name, args) => {
      await reset();
      const old = read();
      const moments = await chooseMoments(args);
      const done = read();
      const states = new Set<string>();
      for (const moment of moments) {
        await reset();
        await kill(args, moment);
        const now = read();
        for (const [name, text] of old) {
          states.add(now.get(name) === text ? 'old' : 'new');
          expect([text, done.get(name)]).toContain(now.get(name));
        }
        await finish(args);
        expect(read()).toEqual(done);
      }
      expect(states.size).toBe(2);
    },
  );

  it('archives: every session is there or in the archive', async () => {
    await reset();
    const old = read();
    const moments = await chooseMoments(PRUNE);
    for (const moment of moments) {
      await reset();
      await kill(PRUNE, moment);
      const kept = [...read()].filter(([name]) => old.has(name));
      expect(kept).toEqual(kept.map(([name]) => [name, old.get(name)]));
      if (read().size < old.size) await finish(RESTORE);
      expect(read()).toEqual(old);
    }
  });

  it('restores: the next run finishes it', async () => {
    await reset();
    const old = read();
    await finish(PRUNE);
    const moments = await chooseMoments(RESTORE);
    for (const moment of moments) {
      await reset();
      await finish(PRUNE);
      await kill(RESTORE, moment);
      await finish(RESTORE);
      expect(read()).toEqual(old);
    }
  });
});
