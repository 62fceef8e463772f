import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readSession } from '../../src/session/read/read-session.ts';
import { sized } from '../harness/runs.ts';
import { sampleSession } from '../sample-session.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { runBinary } from './run-binary.ts';

const COUNT = sized(16, 40);
const OLD = Date.parse('2025-03-02T09:30:00.000Z') / 1000;

let dir: string;
let home: string;

beforeEach(async () => {
  dir = await makeTempDir();
  home = join(dir, 'home');
});

async function addSessions(store: string, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const start = new Date((OLD + index) * 1000).toISOString();
    const name = `proj/s${index}`;
    await writeFiles(store, {
      [`${name}.jsonl`]: sampleSession({ id: `session-${index}`, start }),
      [`${name}/1.png`]: `image ${index}`,
    });
    for (const one of [`${name}.jsonl`, `${name}/1.png`, name])
      await utimes(join(store, one), OLD, OLD);
  }
}

async function prune(store: string, ...args: string[]) {
  return runBinary(['prune', '--store', store, ...args], { cwd: dir, env: { HOME: home } });
}

/** A directory on another file system, where this machine has one. */
async function makeElsewhere(): Promise<string> {
  if (!existsSync('/dev/shm')) return makeTempDir();
  const elsewhere = await mkdtemp('/dev/shm/coppice-test-');
  onTestFinished(() => rm(elsewhere, { recursive: true, force: true }));
  return elsewhere;
}

async function readTrash(): Promise<string[]> {
  const files = join(home, '.local/share/Trash/files');
  const names = await readdir(files, { recursive: true, withFileTypes: true });
  const paths = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return Promise.all(paths.map((path) => readFile(path, 'utf8')));
}

describe('prune --apply', () => {
  it('moves to the trash, also from another file system', async () => {
    for (const store of [join(dir, 'store'), await makeElsewhere()]) {
      await addSessions(store, 3);
      const text = await readFile(join(store, 'proj/s0.jsonl'), 'utf8');
      const { code, out, err } = await prune(store, '--keep-last', '1', '--apply');
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(/Removed 2 of 3 sessions; moved \d\.\d kB to the trash\.\n$/);
      expect(await readdir(join(store, 'proj'))).toEqual(['s2', 's2.jsonl']);
      expect(await readTrash()).toEqual(expect.arrayContaining([text, 'image 0', 'image 1']));
      await readSession(join(store, 'proj/s2.jsonl'));
    }
  });

  it('two at once do no harm: every session goes once', async () => {
    const store = join(dir, 'store');
    await addSessions(store, COUNT);
    const args = ['--keep-last', '1', '--apply', '--archive', 'archive', '--json'];
    const runs = await Promise.all([prune(store, ...args), prune(store, ...args)]);
    expect(runs.map(({ code, err }) => ({ code, err }))).toEqual([
      { code: 0, err: '' },
      { code: 0, err: '' },
    ]);
    expect(await readdir(join(store, 'proj'))).toEqual([`s${COUNT - 1}`, `s${COUNT - 1}.jsonl`]);
    const restored = await prune(store, '--archive', 'archive', '--restore', 'all');
    expect(restored.out).toContain(`Restored ${COUNT - 1} of ${COUNT - 1} sessions.`);
    for (let index = 0; index < COUNT; index += 1) {
      await readSession(join(store, `proj/s${index}.jsonl`));
      expect(await readFile(join(store, `proj/s${index}/1.png`), 'utf8')).toBe(`image ${index}`);
    }
  });

  it('speaks only when something happens, as cron wants it', async () => {
    const store = join(dir, 'store');
    await addSessions(store, 2);
    const args = ['--older-than', '30d', '--keep-last', '1', '--apply', '--delete', '--quiet'];
    expect((await prune(store, ...args)).out).toMatch(/^ACTION.*\nremove.*\n$/);
    expect(await prune(store, ...args)).toEqual({ code: 0, signal: null, out: '', err: '' });
  });
});
