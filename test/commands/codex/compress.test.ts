import { spawnSync } from 'node:child_process';
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { chmod, mkdir, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getOwnPlace } from '../../../src/session/jsonl/files/process-place.ts';
import { canPack } from '../../../src/session/jsonl/zstd/packing.ts';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { getRecorded, placeIn } from '../../session/agents/codex/corpus.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';
import { toZstd } from '../../zstd-frames.ts';
import type { ReductionOutcome } from '../../../src/session/reduce/reduce-session.ts';

const DEAD_PID = spawnSync(process.execPath, ['--version']).pid;
const TIME = 1_700_000_000.123;

async function place(name = 'linear-tools'): Promise<{ home: string; path: string }> {
  const home = await makeTempDir();
  const path = await placeIn(home, getRecorded(name));
  utimesSync(path, TIME, TIME);
  return { home, path };
}

/** The same rollout, compressed. */
async function placePacked(): Promise<{ home: string; path: string; text: Buffer }> {
  const { home, path } = await place('images');
  const text = readFileSync(path);
  writeFileSync(`${path}.zst`, toZstd(text));
  utimesSync(`${path}.zst`, TIME, TIME);
  rmSync(path);
  return { home, path, text };
}

function compact(home: string, ...argv: readonly string[]) {
  return runTest(['compact', ...argv, '--store', home, '--json'], { cwd: home, home });
}

function readResults(out: string): readonly ReductionOutcome[] {
  return (JSON.parse(out) as { results: readonly ReductionOutcome[] }).results;
}

const describeWherePacked = canPack() ? describe : undefined;
const describeElsewhere = canPack() ? undefined : describe;

describeWherePacked?.('compact --compress', () => {
  it('puts a compressed file of the same time and mode in the place, and it reads the same', async () => {
    const { home, path } = await place();
    await chmod(path, 0o640);
    const text = readFileSync(path);
    const { mtimeMs } = statSync(path);
    const shown = readResults((await compact(home, '--compress')).out);
    expect(existsSync(path)).toBe(true);
    const { out, exitCode } = await compact(home, '--compress', '--apply');
    expect(exitCode).toBe(0);
    expect(readResults(out)).toEqual(shown);
    const stats = statSync(`${path}.zst`);
    expect(existsSync(path)).toBe(false);
    expect(stats).toMatchObject({ size: shown[0]?.bytesAfter, mtimeMs });
    expect(stats.mode & 0o777).toBe(0o640);
    expect(readResults((await compact(home, '--compress')).out)).toMatchObject([
      { action: 'unchanged', reasons: ['already compressed'] },
    ]);
    await compact(home, '--decompress', '--apply');
    expect(readFileSync(path).equals(text)).toBe(true);
    expect(statSync(path)).toMatchObject({ mtimeMs });
    expect(existsSync(`${path}.zst`)).toBe(false);
  });

  it('takes all files of a thread, and its sub-agents', async () => {
    const { home } = await place('reverted-second-generation');
    await placeIn(home, getRecorded('subagent-child'));
    const { out } = await compact(home, '--compress', '--apply');
    const reasons = readResults(out).flatMap((one) => one.reasons);
    expect(reasons.join()).toMatch(/2 files, \d+ % of its size/);
    expect(readResults(out).map(({ action }) => action)).toContain('compress');
  });

  it('finishes what a killed run has begun, and leaves a file of something else alone', async () => {
    const { home, path } = await place();
    const text = readFileSync(path);
    writeFileSync(`${path}.zst`, toZstd(text));
    expect(readResults((await compact(home, '--compress', '--apply')).out)).toMatchObject([
      { action: 'compress' },
    ]);
    expect(existsSync(path)).toBe(false);
    writeFileSync(path, text);
    utimesSync(path, TIME, TIME);
    writeFileSync(`${path}.zst`, toZstd('{}\n'));
    const { out, exitCode } = await compact(home, '--compress', '--apply');
    expect(exitCode).toBe(3);
    expect(readResults(out)[0]?.reasons.join()).toContain('which holds something else');
    expect(readFileSync(path).equals(text)).toBe(true);
  });

  it('leaves what was written to a moment ago, and what is only linked', async () => {
    const { home, path } = await place();
    const now = Date.now();
    utimesSync(path, now / 1000, now / 1000);
    const argv = ['compact', '--compress', '--apply', '--store', home, '--json'];
    const { out } = await runTest(argv, { cwd: home, home, now: () => now });
    expect(readResults(out)).toMatchObject([
      { action: 'skip', reasons: ['changed 0 s ago, within --grace 10min'] },
    ]);
    const other = await makeTempDir();
    const link = join(other, 'sessions', basename(path));
    await mkdir(dirname(link));
    await symlink(path, link);
    utimesSync(path, TIME, TIME);
    const linked = await compact(other, '--compress', '--apply', link);
    expect(readResults(linked.out)[0]?.reasons.join()).toContain('is a symbolic link');
    expect(existsSync(path)).toBe(true);
  });

  it('leaves a file where Codex would not find it', async () => {
    const { home, path } = await place();
    const copy = path.replace('.jsonl', ' (copy).jsonl');
    writeFileSync(copy, readFileSync(path));
    utimesSync(copy, TIME, TIME);
    const { out } = await compact(home, '--compress', '--apply', copy);
    expect(readResults(out)).toMatchObject([
      { action: 'skip', reasons: [expect.stringContaining('does not look for compressed')] },
    ]);
  });
});

describe('compact --decompress', () => {
  it.each([
    ['no other file', false],
    ['the plain one beside it', true],
  ])('gives a file its name back that a killed run has set aside, with %s', async (_, hasPlain) => {
    const { home, path, text } = await placePacked();
    const aside = `${path}.zst.${DEAD_PID}@${getOwnPlace()}.0123456789ab.coppice-moved.json`;
    renameSync(`${path}.zst`, aside);
    if (hasPlain) writeFileSync(path, text);
    utimesSync(hasPlain ? path : aside, TIME, TIME);
    const shown = await compact(home, '--decompress');
    expect([shown.exitCode, shown.err]).toEqual([
      3,
      expect.stringContaining('--apply restores its name'),
    ]);
    expect(existsSync(aside)).toBe(true);
    const { out, exitCode } = await compact(home, '--decompress', '--apply');
    expect([exitCode, readResults(out)]).toMatchObject([0, [{ action: 'decompress' }]]);
    expect(readFileSync(path).equals(text)).toBe(true);
    expect(readdirSync(dirname(path))).toEqual([basename(path)]);
  });

  it('puts the text back, of the same time', async () => {
    const { home, path, text } = await placePacked();
    const { mtimeMs } = statSync(`${path}.zst`);
    const { out } = await compact(home, '--decompress', '--apply');
    expect(readResults(out)).toMatchObject([{ action: 'decompress', bytesAfter: text.length }]);
    expect(readFileSync(path).equals(text)).toBe(true);
    expect(statSync(path).mtimeMs).toBe(mtimeMs);
    expect(existsSync(`${path}.zst`)).toBe(false);
  });

  it('finishes what a run has begun that could not remove the compressed file', async () => {
    const { home, path, text } = await placePacked();
    writeFileSync(path, text);
    utimesSync(path, TIME, TIME);
    const { out } = await compact(home, '--decompress', '--apply');
    expect(readResults(out)).toMatchObject([{ action: 'decompress', bytesAfter: text.length }]);
    expect(existsSync(`${path}.zst`)).toBe(false);
    writeFileSync(`${path}.zst`, toZstd('{}\n'));
    utimesSync(`${path}.zst`, TIME, TIME);
    const other = await compact(home, '--decompress', '--apply');
    expect(other.exitCode).toBe(3);
    expect(readResults(other.out)[0]?.reasons.join()).toContain('which holds something else');
    expect(readFileSync(path).equals(text)).toBe(true);
  });

  it('keeps a damaged file, and makes nothing of it', async () => {
    const { home, path } = await placePacked();
    const packed = readFileSync(`${path}.zst`);
    writeFileSync(`${path}.zst`, packed.subarray(0, -5));
    const { out, exitCode } = await compact(home, '--decompress', '--apply', `${path}.zst`);
    expect(exitCode).toBe(3);
    expect(out).toContain('cannot decompress: it ends in the middle');
    expect(existsSync(path)).toBe(false);
  });
});

describeElsewhere?.('an older Node', () => {
  it('compresses nothing, and names the remedy', async () => {
    const { home, path } = await place();
    const { exitCode, err } = await compact(home, '--compress', '--apply');
    expect(exitCode).toBe(2);
    expect(err).toContain('has no zstd; use Node 22.15 or later');
    expect(existsSync(path)).toBe(true);
  });
});

it('is not for agents that read no compressed files', async () => {
  const home = await makeTempDir();
  await writeFiles(home, { 'ash.jsonl': sampleSession({ id: 'ash' }) });
  const option = canPack() ? '--compress' : '--decompress';
  const { exitCode, err } = await compact(home, option);
  expect(exitCode).toBe(2);
  expect(err).toContain('pi does not read compressed sessions');
});
