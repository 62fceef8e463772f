import { cp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fileExists } from '../../src/session/jsonl/read/read-lines.ts';
import { readArchive } from '../../src/store/archive/index/archive-index.ts';
import { verifyMember } from '../../src/store/archive/member/read-member.ts';
import { readRows } from '../store/database/read-rows.ts';
import { coppice } from './coppice.ts';
import { IS_LONG } from './faults/sandbox-root.ts';
import { hasBegun } from './has-begun.ts';
import { makeMemoryDir } from './memory-dir.ts';
import { chooseMoments, stopAt, type Stoppable } from './moments.ts';
import { NEWER_NODE } from './newer-node.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/codex/home');
const KILLS = IS_LONG ? 40 : 4;
const OLD = Date.parse('2026-03-02T09:30:00.000Z') / 1000;
const ROLLOUT = /rollout-.*\.jsonl(?:\.zst)?$/;

let dir: string;
let original: Readonly<Record<string, string>>;
let rows: Readonly<Record<string, unknown>>;

const home = (): string => join(dir, '.codex');
const archive = (): string => join(dir, 'archive');

/** Every rollout by its name. */
async function takeSnapshot(): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(home(), { recursive: true })).filter((one) => ROLLOUT.test(one));
  const read = async (name: string) => [name, await readFile(join(home(), name), 'base64')];
  return Object.fromEntries(await Promise.all(names.toSorted().map(read))) as Record<
    string,
    string
  >;
}

beforeEach(async () => {
  dir = await makeMemoryDir();
  await reset();
  original = await takeSnapshot();
  rows = await readRows(home());
});

async function reset(): Promise<void> {
  for (const path of [home(), archive()]) await rm(path, { recursive: true, force: true });
  await cp(FIXTURE, home(), { recursive: true });
  for (const name of await readdir(home(), { recursive: true })) {
    await utimes(join(home(), name), OLD, OLD);
  }
}

function toRun(...args: readonly string[]): Stoppable {
  return { args: ['prune', ...args], root: dir, env: { HOME: dir }, node: NEWER_NODE };
}

const ALL = ['--agent', 'codex', '--allow-empty', '--grace', '0s', '--quiet', '--apply'];
const leave = (): Stoppable => toRun(...ALL, '--archive', archive());
const back = (): Stoppable => toRun('--archive', archive(), '--restore', 'all', '--quiet');

async function finish({ args, env, node }: Stoppable): Promise<void> {
  expect(await coppice(args, { env, node })).toMatchObject({ exitCode: 0, err: '' });
}

/** Each file is here as it was, or in the archive. Returns how many are only there. */
async function checkNothingLost(): Promise<number> {
  const now = await takeSnapshot();
  const sessions = (await fileExists(archive())) ? (await readArchive(archive())).sessions : [];
  const sound = new Set<string>();
  for (const { member } of sessions) {
    for (const { name } of (await verifyMember(join(archive(), member))).files) sound.add(name);
  }
  const gone = Object.keys(original).filter((name) => now[name] !== original[name]);
  expect(gone.filter((name) => name in now || !sound.has(name))).toEqual([]);
  return gone.length;
}

describe.skipIf(NEWER_NODE === undefined)('kill -9 at any moment, with rows in databases', () => {
  it('on the way into the archive: all comes back, and the next run completes it', async () => {
    const killed: number[] = [];
    for (const moment of await chooseMoments(leave(), KILLS)) {
      await reset();
      await stopAt(leave(), moment, 'SIGKILL');
      killed.push(await checkNothingLost());
      if (await hasBegun(archive())) await finish(back());
      expect(await takeSnapshot()).toEqual(original);
      expect(await readRows(home())).toEqual(rows);
      await finish(leave());
      expect(await takeSnapshot()).toEqual({});
      expect(await readRows(home())).toMatchObject({
        threads: [],
        thread_items: [],
        thread_turns: [],
      });
    }
    expect(killed.some((gone) => gone > 0)).toBe(true);
  });

  it('on the way back: no file is half there, and the next run completes it', async () => {
    await finish(leave());
    const emptied = join(dir, 'emptied');
    await cp(home(), emptied, { recursive: true });
    for (const moment of await chooseMoments(back(), KILLS)) {
      await rm(home(), { recursive: true, force: true });
      await cp(emptied, home(), { recursive: true });
      await stopAt(back(), moment, 'SIGKILL');
      const now = await takeSnapshot();
      expect(original).toMatchObject(now);
      await finish(back());
      expect(await takeSnapshot()).toEqual(original);
      expect(await readRows(home())).toEqual(rows);
    }
  });
});
