import { cp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readArchive } from '../../src/store/archive/index/archive-index.ts';
import { verifyMember } from '../../src/store/archive/member/read-member.ts';
import { fileExists } from '../../src/session/jsonl/read/read-lines.ts';
import { writeFiles } from '../temp-dir.ts';
import { snapshot } from '../store/archive/archive-fixture.ts';
import { coppice } from './coppice.ts';
import { IS_LONG } from './faults/sandbox-root.ts';
import { hasBegun } from './has-begun.ts';
import { makeMemoryDir } from './memory-dir.ts';
import { chooseMoments, stopAt, type Stoppable } from './moments.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/claude-code/home/.claude');
const KILLS = IS_LONG ? 40 : 5;
const OLD = Date.parse('2026-03-02T09:30:00.000Z') / 1000;
/** A session that is always kept: without any, no sidecar counts as left over. */
const KEPT = 'ffffffff-0000-4000-8000-000000000001';
const ID = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/;

let dir: string;
let original: Record<string, string>;

const config = (): string => join(dir, '.claude');
const archive = (): string => join(dir, 'archive');

/** Only files: directories of the client are there before and after, or made anew. */
async function takeSnapshot(): Promise<Record<string, string>> {
  const all = Object.entries(await snapshot(config()));
  return Object.fromEntries(all.filter(([, state]) => !state.endsWith('directory')));
}

beforeEach(async () => {
  dir = await makeMemoryDir();
  await reset();
  original = await takeSnapshot();
});

async function reset(): Promise<void> {
  for (const path of [config(), archive()]) await rm(path, { recursive: true, force: true });
  await cp(FIXTURE, config(), { recursive: true });
  await rm(join(config(), 'sessions'), { recursive: true });
  const line = { type: 'user', uuid: KEPT, parentUuid: null, sessionId: KEPT, cwd: '/home/u' };
  const message = { role: 'user', content: 'Stay.' };
  const kept = { ...line, timestamp: '2026-03-01T09:30:00.000Z', message };
  await writeFiles(config(), { [`projects/-home-u/${KEPT}.jsonl`]: [kept] });
  for (const name of (await readdir(config(), { recursive: true })).toReversed()) {
    await utimes(join(config(), name), OLD, OLD);
  }
}

function toRun(...args: readonly string[]): Stoppable {
  return { args: ['prune', ...args], root: dir, env: { HOME: dir } };
}

const ALL = ['--agent', 'claude-code', '--keep-id', KEPT, '--grace', '0s', '--quiet', '--apply'];
const toArchive = (): Stoppable => toRun(...ALL, '--archive', archive());
const back = (): Stoppable => toRun('--archive', archive(), '--restore', 'all', '--quiet');
const orphans = (): Stoppable =>
  toRun('--orphans', '--delete', '--grace', '0s', '--apply', '--quiet');

async function finish({ args, env }: Stoppable): Promise<void> {
  expect((await coppice(args, { env })).exitCode).toBe(0);
}

const isSession = (name: string): boolean =>
  /^projects\/[^/]+\/[^/]+\.jsonl$/.test(name) && ID.test(name);

/** Each session is here with every file of its own, or in the archive. Returns how many are only there. */
async function checkNothingLost(): Promise<number> {
  const now = await takeSnapshot();
  const sessions = (await fileExists(archive())) ? (await readArchive(archive())).sessions : [];
  const sound = new Set<string>();
  for (const { member } of sessions) sound.add((await verifyMember(join(archive(), member))).path);
  const names = Object.keys(original).filter(isSession);
  for (const name of names.filter((one) => one in now)) {
    const [id = ''] = ID.exec(name) ?? [];
    const own = Object.keys(original).filter((one) => one.includes(id));
    expect(own.filter((one) => now[one] !== original[one])).toEqual([]);
  }
  const gone = names.filter((name) => !(name in now));
  expect(gone.filter((name) => !sound.has(join(config(), name)))).toEqual([]);
  return gone.length;
}

describe('kill -9 at any moment, with sidecars in several places', () => {
  it('on the way into the archive: no session lacks a part, and the next run completes it', async () => {
    const killed: number[] = [];
    for (const moment of await chooseMoments(toArchive(), KILLS)) {
      await reset();
      await stopAt(toArchive(), moment, 'SIGKILL');
      killed.push(await checkNothingLost());
      if (await hasBegun(archive())) await finish(back());
      expect(await takeSnapshot()).toEqual(original);
      await finish(toArchive());
      await finish(orphans());
      const left = Object.keys(await takeSnapshot()).filter((name) => !name.includes(KEPT));
      expect(left.filter((name) => ID.test(name) || name.includes('/agent-'))).toEqual([]);
    }
    expect(killed.some((gone) => gone > 0)).toBe(true);
  });

  it('with --history: the next run takes out the lines that this one has left', async () => {
    const deletion = toRun(...ALL, '--delete', '--history');
    const list = join(config(), 'history.jsonl');
    const sessions = Object.keys(original).filter(isSession);
    const ids = sessions.map((name) => ID.exec(name)?.[0] ?? '').filter((id) => id !== KEPT);
    const findLeft = async (): Promise<readonly string[]> => {
      const text = await readFile(list, 'utf8');
      return ids.filter((id) => text.includes(id));
    };
    expect(await findLeft()).not.toEqual([]);
    for (const moment of await chooseMoments(deletion, KILLS)) {
      await reset();
      await stopAt(deletion, moment, 'SIGKILL');
      await finish(deletion);
      expect(await findLeft()).toEqual([]);
      const notes = (await readdir(config())).filter((name) => name.endsWith('.coppice-leaving'));
      expect(notes).toEqual([]);
    }
  });
});
