import { mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { assistant, call, result, toSession, user } from '../session-lines.ts';
import { makeTempDir, toJsonl } from '../temp-dir.ts';
import { coppice } from './coppice.ts';
import { listFiles, makeSession } from './old-store.ts';
import { runOnSmallDisk, type SmallDisk } from './small-disk.ts';

const LONG_AGO = new Date('2026-04-01T00:00:00Z');
const PAGE = 4096;

interface Report {
  readonly results: readonly { readonly action: string; readonly reasons: readonly string[] }[];
}

/** A directory `before` with one session. */
async function setUp(text: string) {
  const dir = await makeTempDir();
  const before = join(dir, 'before');
  const path = join(before, 's.jsonl');
  mkdirSync(before);
  writeFileSync(path, text);
  utimesSync(path, LONG_AGO, LONG_AGO);
  return { dir, before, path };
}

function readTree(dir: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    listFiles(dir).map((path) => [relative(dir, path), readFileSync(path, 'latin1')]),
  );
}

/** What comes of a command on a disk without room for it. */
async function run(
  { dir, before }: { dir: string; before: string },
  args: readonly string[],
  disk: SmallDisk,
) {
  const files = readTree(before);
  const bytes = Object.values(files).reduce((sum, text) => sum + roundUp(text.length), 0);
  const ran = await runOnSmallDisk(dir, bytes, [...args, 's.jsonl', '--apply', '--json'], disk);
  const report: Report = JSON.parse(ran.out);
  const isUntouched = isDeepStrictEqual(readTree(ran.after), files);
  const [, said] = /: (cannot \w+: .*)\n$/.exec(ran.err) ?? [];
  const actions = report.results.map(({ action }) => action);
  return { exitCode: ran.exitCode, actions, said: said?.replace(ran.cause, 'FULL'), isUntouched };
}

/** It fails, says so, and leaves every file as it was, and no other. */
function refusal(action: string) {
  return { exitCode: 3, actions: ['fail'], said: `cannot ${action}: FULL`, isUntouched: true };
}

const roundUp = (size: number): number => Math.ceil(size / PAGE) * PAGE;

const TALK = Array.from({ length: 30 }, (_, index) => [
  user(`Please plant tree ${index}. ${'Keep the roots wet. '.repeat(40)}`),
  assistant(`Tree ${index} stands. `.repeat(50)),
]).flat();

/** Text of a session so long that less than `left` bytes are left of its last page. */
function fillPage(left: number): string {
  const text = (filler: number): string => toJsonl(toSession([user('x'.repeat(filler)), ...TALK]));
  const length = text(0).length;
  return text(roundUp(length + left) - length - left);
}

describe('coppice on a full disk', () => {
  it('migrates nothing, and says so', async () => {
    const world = await setUp(makeSession(100));
    expect(await run(world, ['migrate'], { free: 14 * PAGE, limit: 64 })).toEqual(
      refusal('replace'),
    );
  });

  it('appends no checkpoint, not even the part that there is room for', async () => {
    const world = await setUp(fillPage(100));
    const limit = Math.ceil(readFileSync(world.path).length / 1024);
    const args = ['compact', '--force', '--keep-recent-tokens', '500'];
    expect(await run(world, args, { free: 0, limit })).toEqual(refusal('write'));
    expect(await run(await setUp(fillPage(0)), args, { free: 0, limit: limit - 1 })).toEqual(
      refusal('write'),
    );
  });

  it('cuts no outputs when there is no room for the new file', async () => {
    const output = [call('c', 'bash', { command: 'ls' }), result('c', 'bash', 'o'.repeat(9000))];
    const world = await setUp(toJsonl(toSession([...TALK, ...output])));
    const disk = { free: 8 * PAGE, limit: 32 };
    expect(await run(world, ['compact', '--tool-output', '1kB'], disk)).toEqual(refusal('replace'));
  });
});

function withImages(count: number, bytes: number, talk: readonly object[]): string {
  const images = Array.from({ length: count }, (_, index) => {
    const data = Buffer.alloc(bytes, `image ${index} `).toString('base64');
    return user([{ type: 'image', data, mimeType: 'image/png' }]);
  });
  return toJsonl(toSession([...images, ...talk]));
}

describe('coppice compact --images on a full disk', () => {
  it('extracts none when there is room for some', async () => {
    const world = await setUp(withImages(4, 60_000, []));
    const disk = { free: 40 * PAGE, limit: 50 };
    expect(await run(world, ['compact', '--images', 'extract'], disk)).toEqual(refusal('write'));
  });

  it('extracts none when there is room for all but not for the new session', async () => {
    const world = await setUp(withImages(4, 20_000, TALK));
    const disk = { free: 30 * PAGE, limit: 32 };
    expect(await run(world, ['compact', '--images', 'extract'], disk)).toEqual(refusal('replace'));
  });

  it('leaves the images of an earlier run, and restores none', async () => {
    const world = await setUp(withImages(4, 60_000, []));
    await coppice(['compact', world.path, '--images', 'extract', '--apply']);
    expect(Object.keys(readTree(world.before))).toHaveLength(5);
    const disk = { free: 40 * PAGE, limit: 100 };
    expect(await run(world, ['compact', '--images', 'restore'], disk)).toEqual(refusal('replace'));
  });
});
