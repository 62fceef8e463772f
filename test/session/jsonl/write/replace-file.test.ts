import {
  appendFileSync,
  chmodSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Flushed, NOTHING_FLUSHED } from '../../../../src/session/jsonl/files/flush.ts';
import type { Line } from '../../../../src/session/jsonl/read/line-splitter.ts';
import { readLines } from '../../../../src/session/jsonl/read/read-lines.ts';
import { replaceFile } from '../../../../src/session/jsonl/write/replace-file.ts';
import type { RewriteOptions } from '../../../../src/session/jsonl/write/rewrite.ts';
import {
  transformElements,
  transformFile,
} from '../../../../src/session/jsonl/write/transform-file.ts';
import { makeTempDir, waitForTick } from '../../../temp-dir.ts';

const OLD = new Date('2020-01-01T00:00:00.000Z');

async function plan(path: string) {
  return readLines(path, () => undefined);
}

/** Puts an `x` before every line, and leaves its end as it is. */
function mark({ bytes, terminated }: Line): readonly Buffer[] {
  return [Buffer.from('x'), bytes, Buffer.from(terminated ? '\n' : '')];
}

async function setUp(content = 'a\nb\n', mtime = new Date()) {
  const dir = await makeTempDir();
  const path = join(dir, 's.jsonl');
  writeFileSync(path, content);
  utimesSync(path, mtime, mtime);
  const planned = await plan(path);
  const replace = (options: Partial<RewriteOptions> = {}) =>
    replaceFile(path, mark, { planned, ...options });
  return { dir, path, planned, replace, read: () => readFileSync(path, 'utf8') };
}

afterEach(() => vi.unstubAllEnvs());

describe('replaceFile', () => {
  it('replaces, keeps mode and time to the microsecond, and leaves nothing beside it', async () => {
    const { dir, path, planned, read } = await setUp();
    chmodSync(path, 0o640);
    utimesSync(path, 1_500_000_000.25, 1_600_000_000.123_456);
    const { mtimeMs } = statSync(path);
    const replaced = await replaceFile(path, mark, { planned: await plan(path) });
    expect(replaced).toEqual({ changed: true, bytesBefore: 4, bytesAfter: 6, notices: [] });
    expect(read()).toBe('xa\nxb\n');
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(Math.abs(statSync(path).mtimeMs - mtimeMs)).toBeLessThan(0.002);
    expect(String(statSync(path).ino)).not.toBe(planned.ino);
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });

  it('says that another name of the file keeps the old state', async () => {
    const { dir, path, read } = await setUp();
    linkSync(path, join(dir, 'other'));
    const { notices } = await replaceFile(path, mark, { planned: await plan(path) });
    expect(notices).toEqual(['its other name (a hard link) still leads to the old state']);
    expect([read(), readFileSync(join(dir, 'other'), 'utf8')]).toEqual(['xa\nxb\n', 'a\nb\n']);
  });

  it('keeps a time before 1970', async () => {
    const { path, replace } = await setUp('a\n', new Date('1955-11-12T06:38:00.250Z'));
    await replace();
    expect(statSync(path).mtime.toISOString()).toBe('1955-11-12T06:38:00.250Z');
  });

  it('is for its owner only, and says so, where more than the mode cannot be copied', async () => {
    const { dir, path } = await setUp();
    chmodSync(path, 0o644);
    vi.stubEnv('PATH', dir);
    const { notices } = await replaceFile(path, mark, { planned: await plan(path) });
    expect(notices).toEqual([expect.stringContaining('only its owner can read it now')]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o700);
    const again = await replaceFile(path, mark, { planned: await plan(path) });
    expect([again.notices, statSync(path).mode & 0o777]).toEqual([[], 0o700]);
  });

  it('keeps every byte of lines that lie across what is read at once', async () => {
    const lengths = [1, 5000, 300_000, 1000, 262_143, 262_144, 700_000, 3];
    const lines = Array.from({ length: 40 }, (_, at) => {
      return String.fromCodePoint(97 + (at % 26)).repeat(lengths[at % lengths.length] ?? 0);
    });
    const { planned, path, read } = await setUp(`${lines.join('\n')}\n`);
    const first = ({ number, bytes }: Line) =>
      number === 1 ? [Buffer.from('x'), bytes, Buffer.from('\n')] : undefined;
    await replaceFile(path, first, { planned });
    expect(read() === `x${lines.join('\n')}\n`).toBe(true);
    const parts: Buffer[] = [];
    const again = await plan(path);
    for await (const part of transformFile(path, first, { planned: again })) parts.push(part);
    expect(Buffer.concat(parts).equals(Buffer.from(`x${read()}`))).toBe(true);
  });

  it('does not touch a file of which every line is kept', async () => {
    const { dir, path, planned } = await setUp();
    const kept = await replaceFile(path, () => undefined, { planned });
    expect(kept).toMatchObject({ changed: false });
    expect(String(statSync(path).ino)).toBe(planned.ino);
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });

  it('replaces what a symbolic link leads to, not the link', async () => {
    const { dir, path, planned } = await setUp();
    const link = join(dir, 'link.jsonl');
    symlinkSync(path, link);
    await replaceFile(link, mark, { planned });
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(readFileSync(path, 'utf8')).toBe('xa\nxb\n');
  });

  it('carries lines over that are appended before it commits, again and again', async () => {
    const { replace, read, path } = await setUp();
    let appended = 0;
    const beforeCommit = (): Promise<Flushed> => {
      if (appended < 3) appendFileSync(path, `late ${(appended += 1)}\n`);
      return Promise.resolve(NOTHING_FLUSHED);
    };
    await replace({ beforeCommit });
    expect(read()).toBe('xa\nxb\nxlate 1\nxlate 2\nxlate 3\n');
  });

  it('gives up on a file at rest that begins to grow, rather than trust it', async () => {
    const { dir, replace, read, path } = await setUp('a\n', OLD);
    const beforeCommit = (): Promise<Flushed> => {
      appendFileSync(path, 'b\n');
      return Promise.resolve(NOTHING_FLUSHED);
    };
    await expect(replace({ beforeCommit })).rejects.toMatchObject({ code: 'ECHANGED' });
    expect(read()).toBe('a\nb\n');
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });

  it('gives up when the end of a last line without line feed comes later', async () => {
    const { replace, read, path } = await setUp('a\nhal');
    const beforeCommit = (): Promise<Flushed> => {
      appendFileSync(path, 'f\n');
      return Promise.resolve(NOTHING_FLUSHED);
    };
    await expect(replace({ beforeCommit })).rejects.toMatchObject({ code: 'ECHANGED' });
    expect(read()).toBe('a\nhalf\n');
  });

  it.each<[string, (path: string) => void]>([
    ['changed since it was planned', (path) => appendFileSync(path, 'c\n')],
    ['replaced by another file', (path) => renameSync(writeBeside(path, 'a\nb\n'), path)],
  ])('leaves a file alone that was %s', async (_name, change) => {
    const { dir, replace, path, read } = await setUp();
    change(path);
    const before = read();
    await expect(replace()).rejects.toMatchObject({ code: 'ECHANGED' });
    expect(read()).toBe(before);
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });

  it.each<[string, (path: string) => void]>([
    ['replaced', (path) => renameSync(writeBeside(path, 'new\n'), path)],
    ['cut short', (path) => truncateSync(path, 1)],
    ['rewritten in place', (path) => writeFileSync(path, 'c\nd\ne\n')],
    ['rewritten with the same length', (path) => writeFileSync(path, 'c\nd\n')],
  ])('gives up when the file is %s while it is read', async (_name, change) => {
    const { dir, replace, path, read } = await setUp();
    const beforeCommit = (): Promise<Flushed> => {
      change(path);
      utimesSync(path, new Date(), new Date());
      return Promise.resolve(NOTHING_FLUSHED);
    };
    await expect(replace({ beforeCommit })).rejects.toMatchObject({ code: 'ECHANGED' });
    expect(read()).not.toContain('x');
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });

  /** More than is read at once. */
  const LONG = 'a line of some length\n'.repeat(40_000);

  it.each<[string, (path: string) => void]>([
    ['cut short', (path) => truncateSync(path, 500_000)],
    ['rewritten in place', (path) => writeFileSync(path, `${LONG.slice(0, 300_000)}${LONG}`)],
  ])('gives up on a file in use that is %s while its lines are read', async (_name, change) => {
    const { dir, path, planned, read } = await setUp(LONG);
    const transform = (line: Line): readonly Buffer[] => {
      if (line.number === 1) change(path);
      return mark(line);
    };
    await expect(replaceFile(path, transform, { planned })).rejects.toMatchObject({
      code: 'ECHANGED',
    });
    expect(read().startsWith('x')).toBe(false);
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });

  it('gives up when the file is rewritten within one tick of the clock', async () => {
    const now = new Date();
    const { dir, replace, path, read } = await setUp('a\nb\n', now);
    const beforeCommit = (): Promise<Flushed> => {
      writeFileSync(path, 'c\nd\n');
      utimesSync(path, now, now);
      return Promise.resolve(NOTHING_FLUSHED);
    };
    await expect(replace({ beforeCommit })).rejects.toMatchObject({ code: 'ECHANGED' });
    expect(read()).toBe('c\nd\n');
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });

  it('gives up on a file at rest that is rewritten in place and gets its old time again', async () => {
    const { dir, replace, path, read } = await setUp('a\nb\n', OLD);
    const beforeCommit = async (): Promise<Flushed> => {
      await waitForTick(path);
      writeFileSync(path, 'c\nd\n');
      utimesSync(path, OLD, OLD);
      return NOTHING_FLUSHED;
    };
    await expect(replace({ beforeCommit })).rejects.toMatchObject({ code: 'ECHANGED' });
    expect(read()).toBe('c\nd\n');
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });

  it('takes a second name that was given to the file for no change', async () => {
    const { dir, replace, path, read } = await setUp('a\nb\n', OLD);
    const beforeCommit = async (): Promise<Flushed> => {
      await waitForTick(path);
      linkSync(path, join(dir, 'backup'));
      return NOTHING_FLUSHED;
    };
    await replace({ beforeCommit });
    expect(read()).toBe('xa\nxb\n');
    expect(readFileSync(join(dir, 'backup'), 'utf8')).toBe('a\nb\n');
  });

  it('gives up on a file that never stands still', async () => {
    const { replace, read, path } = await setUp();
    const beforeCommit = (): Promise<Flushed> => {
      appendFileSync(path, 'more\n');
      return Promise.resolve(NOTHING_FLUSHED);
    };
    await expect(replace({ beforeCommit })).rejects.toMatchObject({ code: 'ECHANGED' });
    expect(read()).not.toContain('x');
  });

  it('stops when it is told to, and leaves nothing', async () => {
    const { dir, replace, read } = await setUp();
    await expect(replace({ signal: AbortSignal.abort() })).rejects.toThrow('abort');
    expect(read()).toBe('a\nb\n');
    expect(readdirSync(dir)).toEqual(['s.jsonl']);
  });

  it('does not put a name that is too long for a file on its temporary file', async () => {
    const dir = await makeTempDir();
    const path = join(dir, `${'\u{6f22}'.repeat(80)}.jsonl`);
    writeFileSync(path, 'a\n');
    await replaceFile(path, mark, { planned: await plan(path) });
    expect(readFileSync(path, 'utf8')).toBe('xa\n');
  });
});

describe('transformElements', () => {
  it('gives up when the array changes while it is read', async () => {
    const { path, planned, read } = await setUp('[{"a":1}]');
    const change = (): undefined => {
      appendFileSync(path, ' ');
    };
    const parts = async (): Promise<void> => {
      for await (const part of transformElements(path, change, { planned })) expect(part).toBe('');
    };
    await expect(parts()).rejects.toMatchObject({ code: 'ECHANGED' });
    expect(read()).toBe('[{"a":1}] ');
  });
});

function writeBeside(path: string, content: string): string {
  writeFileSync(`${path}.other`, content);
  return `${path}.other`;
}
