import { copyFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { create, Header } from 'tar';
import { beforeEach, describe, expect, it } from 'vitest';
import { toTempPath } from '../../../src/session/jsonl/files/temp-file.ts';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { snapshot } from '../../store/archive/archive-fixture.ts';
import { makeTempDir, useOwnTempDir, writeFiles } from '../../temp-dir.ts';

const EMPTY = Buffer.alloc(0);

let home: string;
let store: string;

const run = (args: readonly string[], input?: Buffer) =>
  runTest(args, { cwd: home, home, ...(input && { input }) });
const backUp = (...more: string[]) => run(['export', '--as', 'archive', '--out', '-', ...more]);
const restore = (input: Buffer, ...more: string[]) =>
  run(['prune', '--archive', '-', '--restore', 'all', ...more], input);

beforeEach(async () => {
  home = await makeTempDir();
  store = join(home, '.pi/agent/sessions');
  await writeFiles(store, {
    'proj/a.jsonl': sampleSession({ id: '0199-aaaa' }),
    'proj/a/1.png': 'image',
    'proj/b.jsonl': sampleSession({ id: '0199-bbbb', name: 'Named' }),
  });
});

async function takeSnapshot(): Promise<Record<string, string>> {
  const { proj: _proj, ...rest } = await snapshot(store);
  return rest;
}

describe('a backup as a stream', () => {
  it('is one tar, from which everything is restored, and leaves nothing behind', async () => {
    const temporary = await useOwnTempDir();
    const before = await takeSnapshot();
    const { bytes = EMPTY, out, err, exitCode } = await backUp();
    expect([exitCode, out, err]).toEqual([0, '', '']);
    await rm(store, { recursive: true });
    const restored = await restore(bytes);
    expect([restored.exitCode, restored.out]).toEqual([
      0,
      expect.stringContaining('Restored 2 of 2'),
    ]);
    expect(await takeSnapshot()).toEqual(before);
    expect(await readdir(temporary)).toEqual([]);
    expect((await run(['prune', '--archive', '-', '--check'], bytes)).out).toContain(
      'All are sound',
    );
    expect((await run(['prune', '--archive', '-', '--list'], bytes)).out).toContain('2 sessions');
  });

  it('is made where a configuration has a format for reports, which it has none of', async () => {
    const config = { defaults: { format: 'json' } };
    await writeFiles(home, { '.config/coppice/config.json': JSON.stringify(config) });
    const { bytes = EMPTY, exitCode, err } = await backUp();
    expect([exitCode, err]).toEqual([0, '']);
    expect((await restore(bytes)).exitCode).toBe(0);
  });

  it('removes what a killed run has left in the directory for temporary files, and nothing of a live one', async () => {
    const temporary = await useOwnTempDir();
    const { bytes = EMPTY } = await backUp();
    const left = toTempPath(join(temporary, 'coppice'));
    const ofEnded = left.replace(`.${process.pid}@`, `.${spawnSync('true').pid}@`);
    const others = join(temporary, 'coppice-others');
    for (const one of [left, ofEnded, others]) await writeFiles(one, { 's_x.tar.gz': 'session' });
    expect((await restore(bytes)).exitCode).toBe(0);
    expect((await readdir(temporary)).toSorted()).toEqual([basename(left), 'coppice-others']);
  });

  it('gives the state that was archived last, by the index that tar has packed with the members', async () => {
    const path = join(store, 'proj/b.jsonl');
    const backUpOn = (day: string) =>
      runTest(['export', '--as', 'archive', '--out', 'bk'], {
        cwd: home,
        home,
        now: () => Date.parse(`${day}T00:00:00Z`),
      });
    await backUpOn('2126-12-01');
    const lines = sampleSession({ id: '0199-bbbb', start: '2025-01-01T10:00:00.000Z' });
    const cut = `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
    await writeFile(path, cut);
    await backUpOn('2126-12-02');
    await rm(store, { recursive: true });
    const chunks: Buffer[] = [];
    await writeFiles(home, { 'index.ndjson': 'a file of somebody' });
    for await (const chunk of create({ cwd: home }, ['index.ndjson', 'bk'])) {
      chunks.push(Buffer.from(chunk));
    }
    expect((await restore(Buffer.concat(chunks))).exitCode).toBe(0);
    expect(await readFile(path, 'utf8')).toBe(cut);
  });

  it('may be several archives that have a state in common, or have it twice', async () => {
    const before = await takeSnapshot();
    await run(['export', '--as', 'archive', '--out', 'bk']);
    await run(['export', '--as', 'archive', '--out', 'second']);
    const member = (await readdir(join(home, 'bk'))).find((name) => name.includes('_a-')) ?? '';
    const path = join(home, 'bk', member);
    // As a run leaves it that was killed when it took the state out, and another run has written again.
    await copyFile(path, join(home, 'bk', member.replace('b_', 'd_')));
    await copyFile(path, join(home, 'bk', member.replace('b_', 's_')));
    await writeFile(path, (await readFile(path)).subarray(0, 100));
    await rm(store, { recursive: true });
    const chunks: Buffer[] = [];
    for await (const chunk of create({ cwd: home }, ['bk', 'second']))
      chunks.push(Buffer.from(chunk));
    const restored = await restore(Buffer.concat(chunks));
    expect([restored.err, restored.exitCode]).toEqual(['', 0]);
    expect(await takeSnapshot()).toEqual(before);
    const checked = await run(['prune', '--archive', '-', '--check'], Buffer.concat(chunks));
    expect(checked.out).toContain('All are sound');
  });

  it('may also be a whole archive that tar has packed', async () => {
    await run(['export', '--as', 'archive', '--out', 'bk']);
    await rm(store, { recursive: true });
    const chunks: Buffer[] = [];
    for await (const chunk of create({ cwd: home }, ['bk'])) chunks.push(Buffer.from(chunk));
    expect((await restore(Buffer.concat(chunks))).out).toContain('Restored 2 of 2');
  });

  it('is refused where it is damaged, ends early, or holds what no archive does', async () => {
    const temporary = await useOwnTempDir();
    const { bytes = EMPTY } = await backUp();
    await rm(store, { recursive: true });
    const link = Buffer.alloc(512);
    new Header({
      path: 's_x.tar.gz',
      type: 'SymbolicLink',
      linkpath: '/etc/passwd',
      size: 0,
    }).encode(link);
    const huge = Buffer.alloc(512);
    new Header({ path: 's_x.tar.gz', type: 'File', size: 2 ** 50, mode: 0o600 }).encode(huge);
    const flipped = Buffer.from(bytes);
    flipped[20] = 1;
    const cases: readonly [Buffer, string][] = [
      [Buffer.alloc(0), 'is empty, or not a tar'],
      [Buffer.from('hello'), 'ends early'],
      [Buffer.alloc(2000, 'x'), 'not a tar that coppice wrote'],
      // Numbers that no tar has.
      [Buffer.alloc(2000, 0xff), 'not a tar that coppice wrote'],
      [Buffer.alloc(2000, 0x9c), 'not a tar that coppice wrote'],
      [bytes.subarray(0, bytes.length / 2), 'ends early'],
      [flipped, 'not a tar that coppice wrote'],
      [link, 'refused: holds a link'],
      [huge, 'no space for'],
    ];
    for (const [input, message] of cases) {
      const { exitCode, err } = await restore(input);
      expect([message, exitCode, err]).toEqual([message, 2, expect.stringContaining(message)]);
      expect(await readdir(home)).not.toContain('etc');
    }
    expect(await readdir(temporary)).toEqual([]);
  });

  it('passes over names that are not of members, wherever they lead', async () => {
    const { bytes = EMPTY } = await backUp();
    const entry = Buffer.alloc(1024);
    new Header({ path: '../../escaped', type: 'File', size: 3, mode: 0o600 }).encode(entry);
    entry.write('bad', 512);
    await rm(store, { recursive: true });
    expect((await restore(Buffer.concat([entry, bytes]))).out).toContain('Restored 2 of 2');
    expect(await readdir(home)).not.toContain('escaped');
  });

  it.each([
    [['export', '--as', 'archive', '--out', '-', '--json'], 'cannot be combined with --out -'],
    [['export', '--as', 'archive', '--out', '-', '--dry-run'], 'cannot be combined with --out -'],
    [['prune', '--archive', '-', '--older-than', '1d', '--apply'], 'name a directory'],
    [['prune', '--archive', '-', '--rebuild-index'], 'name a directory'],
  ])('refuses %s', async (args, message) => {
    const { exitCode, err } = await run(args);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it('is not written to a terminal', async () => {
    const argv = ['export', '--as', 'archive', '--out', '-'];
    const { exitCode, err } = await runTest(argv, { cwd: home, home, columns: 80 });
    expect([exitCode, err]).toEqual([2, expect.stringContaining('redirect it to a file')]);
  });

  it('reports what it skips on stderr', async () => {
    await writeFile(join(store, 'proj/c.jsonl'), '');
    expect((await backUp()).err).toContain('c.jsonl: skipped: is empty');
  });
});
