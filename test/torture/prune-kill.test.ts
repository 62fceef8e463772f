import { execFileSync } from 'node:child_process';
import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { fileExists } from '../../src/session/jsonl/read/read-lines.ts';
import { readArchive } from '../../src/store/archive/index/archive-index.ts';
import { verifyMember } from '../../src/store/archive/member/read-member.ts';
import { snapshot } from '../store/archive/archive-fixture.ts';
import { sampleSession } from '../sample-session.ts';
import { writeFiles } from '../temp-dir.ts';
import { coppice } from './coppice.ts';
import { IS_LONG } from './faults/sandbox-root.ts';
import { makeMemoryDir } from './memory-dir.ts';
import { chooseMoments, stopAt, type Stoppable } from './moments.ts';

const SESSIONS = IS_LONG ? 60 : 20;
const KILLS = IS_LONG ? 30 : 4;
const OLD = Date.parse('2025-03-02T09:30:00.000Z') / 1000;

let dir: string;
let original: Record<string, string>;

const store = (): string => join(dir, 'store');
const archive = (): string => join(dir, 'archive');

beforeEach(async () => {
  dir = await makeMemoryDir();
  for (let index = 0; index < SESSIONS; index += 1) await addSession(index);
  original = await takeSnapshot();
});

async function addSession(index: number): Promise<void> {
  const id = `session-${String(index).padStart(3, '0')}`;
  const start = new Date((OLD + index * 86_400) * 1000).toISOString();
  const text = `${id} `.repeat(200 + index * 40);
  await writeFiles(store(), {
    [`proj/${id}.jsonl`]: sampleSession({ id, start, text }),
    [`proj/${id}/images/1.png`]: Buffer.alloc(5000 + index, index),
    [`proj/${id}/2.png`]: Buffer.alloc(3000, index),
    [`proj/${id}.jsonl.rejected`]: 'rejected\n',
  });
  const names = ['/images/1.png', '/2.png', '/images', '', '.jsonl', '.jsonl.rejected'];
  for (const [step, name] of names.entries()) {
    const seconds = OLD + step + 0.123_457;
    await utimes(join(store(), 'proj', `${id}${name}`), seconds, seconds);
  }
}

/** All but the project directory itself, whose mtime follows what happens in it. */
async function takeSnapshot(): Promise<Record<string, string>> {
  const { proj: _proj, ...rest } = await snapshot(store());
  return rest;
}

/**
 * Each session is at its place with all its files, or in the archive, sound and whole, or both.
 * Returns how many are only in the archive.
 */
async function checkNothingLost(): Promise<number> {
  const now = await takeSnapshot();
  const sound = new Set<string>();
  for (const { member } of await readSoundly()) {
    sound.add((await verifyMember(join(archive(), member))).path);
  }
  const names = Object.keys(original).filter((name) => name.endsWith('.jsonl'));
  const here = names.filter((name) => name in now);
  const gone = names.filter((name) => !(name in now));
  for (const name of here) {
    const own = Object.keys(original).filter((one) => one.startsWith(name.replace('.jsonl', '')));
    expect(own.filter((one) => now[one] !== original[one])).toEqual([]);
  }
  expect(gone.filter((name) => !sound.has(join(store(), name)))).toEqual([]);
  return gone.length;
}

/** What the archive holds; nothing when the run was killed before there was one. */
async function readSoundly() {
  if (!(await fileExists(archive()))) return [];
  const { sessions, problems } = await readArchive(archive());
  expect(problems).toEqual([]);
  return sessions;
}

/** The real program, with the trash in a home directory of its own. */
function toRun(...args: readonly string[]): Stoppable {
  return { args: ['prune', ...args], root: dir, env: { HOME: join(dir, 'home') } };
}

const toTrash = (): Stoppable =>
  toRun('--store', store(), '--older-than', '30d', '--allow-empty', '--quiet', '--apply');
const toArchive = (): Stoppable => toRun(...toTrash().args.slice(1), '--archive', archive());
const back = (): Stoppable =>
  toRun('--archive', archive(), '--restore', 'all', '--store', store(), '--quiet');

async function finish({ args, env }: Stoppable): Promise<void> {
  expect((await coppice(args, { env })).exitCode).toBe(0);
}

/** Runs a command and kills it, and counts the sessions that are then only in the archive. */
async function kill(run: Stoppable, moment: number): Promise<number> {
  await stopAt(run, moment, 'SIGKILL');
  return checkNothingLost();
}

/** `cp` of Node does not keep the times of directories, which count for `--grace`. */
function copyWithTimes(from: string, to: string): void {
  execFileSync('cp', ['-Rp', from, to]);
}

const isHalfway = (gone: number): boolean => gone > 0 && gone < SESSIONS;

describe('kill -9 at any moment', () => {
  it('on the way into the archive: never nowhere', async () => {
    const moments = await chooseMoments(toArchive(), KILLS);
    await finish(back());
    expect(await takeSnapshot()).toEqual(original);
    const killed: number[] = [];
    for (const moment of moments) {
      await rm(archive(), { recursive: true, force: true });
      const gone = await kill(toArchive(), moment);
      killed.push(gone);
      if (gone > 0) await finish(back());
      expect(await takeSnapshot()).toEqual(original);
    }
    expect(killed.some(isHalfway)).toBe(true);
  });

  it('on the way back: never nowhere, and the next run finishes it', async () => {
    await finish(toArchive());
    const killed: number[] = [];
    for (const moment of await chooseMoments(back(), KILLS)) {
      await finish(toArchive());
      killed.push(await kill(back(), moment));
      await finish(back());
      expect(await takeSnapshot()).toEqual(original);
    }
    expect(killed.some(isHalfway)).toBe(true);
  });

  it('to the trash: each session is here or there', async () => {
    const copy = join(dir, 'copy');
    copyWithTimes(store(), copy);
    const sessions = Object.entries(original).filter(([name]) => name.endsWith('.jsonl'));
    const killed: number[] = [];
    for (const moment of await chooseMoments(toTrash(), KILLS)) {
      for (const path of [store(), join(dir, 'home')])
        await rm(path, { recursive: true, force: true });
      copyWithTimes(copy, store());
      const before = await takeSnapshot();
      await stopAt(toTrash(), moment, 'SIGKILL');
      const here = await takeSnapshot();
      const trash = await snapshot(join(dir, 'home')).catch((): Record<string, string> => ({}));
      const there = new Set(Object.values(trash));
      const gone = sessions.filter(([name]) => !(name in here));
      expect(gone.filter(([name]) => !there.has(before[name] ?? ''))).toEqual([]);
      killed.push(gone.length);
    }
    expect(killed.some(isHalfway)).toBe(true);
  });
});
