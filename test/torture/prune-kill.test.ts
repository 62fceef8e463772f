import { rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runBinary } from '../e2e/run-binary.ts';
import { fileExists } from '../../src/session/jsonl/read-lines.ts';
import { readArchive } from '../../src/store/archive/archive-index.ts';
import { verifyMember } from '../../src/store/archive/read-member.ts';
import { snapshot } from '../store/archive/archive-fixture.ts';
import { sampleSession } from '../sample-session.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';

const SESSIONS = 60;
const KILLS = 15;
const OLD = Date.parse('2025-03-02T09:30:00.000Z') / 1000;

let dir: string;
let original: Record<string, string>;

const store = (): string => join(dir, 'store');
const archive = (): string => join(dir, 'archive');

beforeEach(async () => {
  dir = await makeTempDir();
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

/** Runs the real binary and kills it after so many milliseconds; true when it was quicker. */
async function runAndKill(args: readonly string[], delay: number): Promise<boolean> {
  const { signal } = await runBinary(['prune', ...args], {
    cwd: dir,
    onStart: (child) => setTimeout(() => child.kill('SIGKILL'), delay).unref(),
  });
  return signal === null;
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

const away = ['--store', 'store', '--older-than', '30d', '--allow-empty', '--quiet', '--apply'];
const back = ['--archive', 'archive', '--restore', 'all', '--store', 'store', '--quiet'];

/** A run that nobody kills, to know how long one takes. */
async function measure(args: readonly string[]): Promise<number> {
  const start = performance.now();
  expect(await runAndKill(args, 600_000)).toBe(true);
  return performance.now() - start;
}

describe('kill -9 at random moments', () => {
  it('on the way into the archive: never nowhere', async () => {
    const toArchive = [...away, '--archive', 'archive'];
    const length = await measure(toArchive);
    await measure(back);
    expect(await takeSnapshot()).toEqual(original);
    let halfway = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      await rm(archive(), { recursive: true, force: true });
      await runAndKill(toArchive, length * (0.2 + 0.8 * Math.random()));
      const gone = await checkNothingLost();
      if (gone > 0 && gone < SESSIONS) halfway += 1;
      if (gone > 0) await measure(back);
      expect(await takeSnapshot()).toEqual(original);
    }
    expect(halfway).toBeGreaterThan(0);
  });

  it('on the way back: never nowhere, and the next run finishes it', async () => {
    const toArchive = [...away, '--archive', 'archive'];
    await measure(toArchive);
    const length = await measure(back);
    let halfway = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      await measure(toArchive);
      await runAndKill(back, length * (0.2 + 0.8 * Math.random()));
      const gone = await checkNothingLost();
      if (gone > 0 && gone < SESSIONS) halfway += 1;
      await measure(back);
      expect(await takeSnapshot()).toEqual(original);
    }
    expect(halfway).toBeGreaterThan(0);
  });

  it('to the trash: each session is here or there', async () => {
    const env = { HOME: join(dir, 'home') };
    const run = (delay: number) =>
      runBinary(['prune', ...away], {
        cwd: dir,
        env,
        onStart: (child) => setTimeout(() => child.kill('SIGKILL'), delay).unref(),
      });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const { signal } = await run(200 + 400 * Math.random());
      const here = await takeSnapshot();
      const trash = await snapshot(join(dir, 'home')).catch((): Record<string, string> => ({}));
      const sessions = Object.entries(original).filter(([name]) => name.endsWith('.jsonl'));
      const nowhere = sessions.filter(([name, state]) => {
        return !(name in here) && !Object.values(trash).includes(state);
      });
      expect(nowhere).toEqual([]);
      if (signal === null) break;
    }
  });
});
