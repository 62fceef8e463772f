import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { formatSize, formatTime } from '../../../src/report/text/numbers.ts';
import { branchedSession } from '../../branched-session.ts';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const PROJECT = 'sessions/--home-dev-orchard--';

interface Result {
  readonly source: string;
  readonly path: string;
  readonly id: string;
  readonly entries: number;
  readonly leafId: string | null;
  readonly text?: string;
  readonly bytesAfter: number;
}

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, { [`${PROJECT}/s.jsonl`]: branchedSession() });
});

async function fork(...args: string[]) {
  return runTest(['fork', ...args], { cwd: dir, home: '/home/dev' });
}

async function forkJson(...args: string[]): Promise<readonly Result[]> {
  const { out, err } = await fork(...args, '--json');
  const { results } = JSON.parse(out || err) as { results: readonly Result[] };
  return results;
}

async function forkOne(...args: string[]): Promise<Result> {
  const [result, ...others] = await forkJson(`${PROJECT}/s.jsonl`, ...args);
  if (!result || others.length > 0) throw new Error('one fork was expected');
  return result;
}

async function readLines(path: string): Promise<Record<string, unknown>[]> {
  const text = await readFile(path, 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

async function readIds(path: string): Promise<readonly [unknown, unknown][]> {
  const [, ...entries] = await readLines(path);
  return entries.map(({ id, parentId }) => [id, parentId]);
}

describe('fork', () => {
  it('copies the path to the current leaf, labels last, beside its source', async () => {
    const { exitCode, out, err } = await fork(`${PROJECT}/s.jsonl`);
    const path = out.trimEnd();
    // The header names its source, so that the size depends on where this runs.
    const size = formatSize((await stat(path)).size);
    expect([exitCode, err]).toEqual([0, `Forked 1 session, ${size}.\n`]);
    expect(dirname(path)).toBe(join(dir, PROJECT));
    expect(basename(path)).toBe(
      '2127-01-15T12-00-00-000Z_01900000-0000-7000-8000-000000000001.jsonl',
    );
    const [header] = await readLines(path);
    expect(header).toEqual({
      type: 'session',
      version: 3,
      id: '01900000-0000-7000-8000-000000000001',
      timestamp: '2127-01-15T12:00:00.000Z',
      cwd: '/home/dev/orchard',
      parentSession: join(dir, PROJECT, 's.jsonl'),
    });
    expect(await readIds(path)).toEqual([
      ['aaaa0001', null],
      ['aaaa0002', 'aaaa0001'],
      ['cccc0005', 'aaaa0002'],
      ['00000002', 'cccc0005'],
    ]);
    expect((await readLines(path)).at(-1)).toMatchObject({
      type: 'label',
      label: 'start',
      timestamp: '2026-03-02T09:30:03.000Z',
    });
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('leaves the source as it is, and nothing but the fork beside it', async () => {
    const source = join(dir, PROJECT, 's.jsonl');
    const before = [await readFile(source, 'utf8'), (await stat(source)).mtimeMs];
    await fork(source, '--whole');
    expect([await readFile(source, 'utf8'), (await stat(source)).mtimeMs]).toEqual(before);
    expect(await readdir(join(dir, PROJECT))).toHaveLength(2);
  });

  it.each([['aaaa0004'], ['aaaa0004'.slice(4)]])('forks at an entry: %s', async (id) => {
    const unknown = await fork(`${PROJECT}/s.jsonl`, '--at', '0004');
    expect(unknown.exitCode).toBe(2);
    const { path } = await forkOne('--at', id.length === 8 ? id : 'start');
    const ids = await readIds(path);
    expect(ids[1]).toEqual(['aaaa0002', 'aaaa0001']);
    expect(ids).toHaveLength(id.length === 8 ? 5 : 3);
  });

  it('forks before a user message, and gives its text back', async () => {
    const result = await forkOne('--before', 'aaaa0003');
    expect(result.text).toBe('Water it');
    expect(await readIds(result.path)).toEqual([
      ['aaaa0001', null],
      ['aaaa0002', 'aaaa0001'],
      ['00000002', 'aaaa0002'],
    ]);
    const { out, err } = await fork(`${PROJECT}/s.jsonl`, '--before', 'cccc', '--out', 'out');
    expect(out.trimEnd().split('\n')).toHaveLength(1);
    expect(err).toContain('Text: Cut it\n');
  });

  it('makes an empty session before the first message', async () => {
    const result = await forkOne('--before', 'aaaa0001');
    expect(result).toMatchObject({ entries: 0, leafId: null, text: 'Plant a tree' });
    expect(await readLines(result.path)).toHaveLength(1);
  });

  it('copies every branch with --whole, labels where they were', async () => {
    const result = await forkOne('--whole');
    const source = await readFile(join(dir, PROJECT, 's.jsonl'), 'utf8');
    const copy = await readFile(result.path, 'utf8');
    expect(copy.slice(copy.indexOf('\n'))).toBe(source.slice(source.indexOf('\n')));
    expect(result).toMatchObject({ entries: 6, leafId: 'cccc0005' });
  });

  it('makes a session for each branch', async () => {
    const results = await forkJson(`${PROJECT}/s.jsonl`, '--each-leaf');
    const last = await Promise.all(results.map(async ({ path }) => (await readIds(path)).at(-2)));
    expect(last.map((ids) => ids?.[0])).toEqual(['aaaa0004', 'cccc0005']);
    expect(new Set(results.map(({ id }) => id)).size).toBe(2);
  });

  it('takes another working directory, and its project directory, as help says', async () => {
    const help = await runTest(['fork', '--help']);
    expect(help.out.replace(/\s+/g, ' ')).toContain(
      'Set the working directory; in a store, write into the directory of that project',
    );
    const { path } = await forkOne('--cwd', 'elsewhere');
    expect(dirname(path)).toBe(
      join(dir, 'sessions', `--${join(dir, 'elsewhere').slice(1).replaceAll('/', '-')}--`),
    );
    expect((await readLines(path))[0]).toMatchObject({ cwd: join(dir, 'elsewhere') });
  });

  it('stays in a directory where all sessions lie together', async () => {
    await writeFiles(dir, { 'flat/s.jsonl': sampleSession() });
    const [result] = await forkJson('flat/s.jsonl', '--cwd', '/elsewhere');
    expect(dirname(result?.path ?? '')).toBe(join(dir, 'flat'));
  });

  it('takes a directory, an id and a name', async () => {
    const { path, leafId } = await forkOne('--out', 'out', '--id', 'my-1', '--name', ' My\ntry ');
    expect(path).toBe(join(dir, 'out', '2127-01-15T12-00-00-000Z_my-1.jsonl'));
    const lines = await readLines(path);
    expect(lines[0]).toMatchObject({ id: 'my-1' });
    expect(lines.at(-1)).toMatchObject({ type: 'session_info', name: 'My try', id: leafId });
  });

  it('previews the same with --dry-run, and writes nothing', async () => {
    const planned = await forkOne('--dry-run', '--out', 'out', '--id', 'x');
    await expect(stat(join(dir, 'out'))).rejects.toThrow('ENOENT');
    const made = await forkOne('--out', 'out', '--id', 'x');
    expect(made).toEqual(planned);
    expect((await stat(made.path)).size).toBe(planned.bytesAfter);
    const { err } = await fork(`${PROJECT}/s.jsonl`, '--dry-run', '--out', 'out', '--id', 'y');
    const size = formatSize(planned.bytesAfter);
    expect(err).toBe(`Would fork 1 session, ${size}. Nothing was written.\n`);
  });

  it('lists the user messages that can be forked, and writes nothing', async () => {
    const { out, err } = await fork(`${PROJECT}/s.jsonl`, '--points');
    expect(err).toBe('3 user messages in 1 session.\n');
    expect((await fork(`${PROJECT}/s.jsonl`, '--points', '--quiet')).err).toBe('');
    const rows = out.split('\n').map((row) => row.trimEnd().split(/ {2,}/));
    const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
    const at = (iso: string): string => formatTime(iso);
    expect(rows.slice(0, 4)).toEqual([
      ['ID', `TIME (${zone})`, 'TEXT'],
      ['aaaa0001', at('2026-03-02T09:30:01Z'), 'Plant a tree'],
      ['aaaa0003', at('2026-03-02T09:30:04Z'), 'Water it'],
      ['cccc0005', at('2026-03-02T09:30:06Z'), 'Cut it'],
    ]);
    const { out: json } = await fork(`${PROJECT}/s.jsonl`, '--points', '--json');
    expect(JSON.parse(json)).toMatchObject({
      results: [{ id: 'aaaa0001', onPath: true }, { onPath: false }, { onPath: true }],
      summary: { sessions: 1, points: 3 },
    });
    expect(await readdir(join(dir, PROJECT))).toEqual(['s.jsonl']);
  });

  it('migrates a v1 session on the way', async () => {
    const at = '2025-11-20T10:00:00.000Z';
    const entry = (content: string) => ({
      type: 'message',
      timestamp: at,
      message: { role: 'user', content },
    });
    await writeFiles(dir, {
      'v1.jsonl': [
        { type: 'session', id: 'old', timestamp: at, cwd: '/p', provider: 'acme', modelId: 'oak' },
        entry('One'),
        {
          type: 'compaction',
          timestamp: at,
          summary: 'S',
          firstKeptEntryIndex: 1,
          tokensBefore: 9,
        },
        entry('Two'),
      ],
    });
    const [result] = await forkJson('v1.jsonl');
    const [header, one, compaction, two] = await readLines(result?.path ?? '');
    expect(header).toMatchObject({ version: 3, cwd: '/p' });
    expect(header).not.toHaveProperty('provider');
    expect(compaction).toMatchObject({ parentId: one?.['id'], firstKeptEntryId: one?.['id'] });
    expect(compaction).not.toHaveProperty('firstKeptEntryIndex');
    expect(two).toMatchObject({ parentId: compaction?.['id'] });
    expect(result?.leafId).toBe(two?.['id']);
  });

  it('forks several sessions, each once, and tells of those that cannot be', async () => {
    await writeFiles(dir, {
      'a.jsonl': sampleSession({ id: 'a' }),
      'b.jsonl': sampleSession({ id: 'b' }),
      'new.jsonl': [{ type: 'session', version: 3, id: 'n', timestamp: '2026', cwd: '/' }],
      'notes.jsonl': [{ hello: 'world' }],
    });
    const { exitCode, out, err } = await fork('.', '--out', 'out');
    expect(exitCode).toBe(0);
    expect(out.trimEnd().split('\n')).toHaveLength(3);
    expect(err).toContain('new.jsonl: has no entries: there is nothing to fork');
    expect(err).not.toContain('notes.jsonl');
    expect(err).toContain('Forked 3 sessions');
  });

  it('ends paths with NUL when asked to', async () => {
    const { out } = await fork(`${PROJECT}/s.jsonl`, '--each-leaf', '-0', '--quiet');
    expect(out.split('\0')).toHaveLength(3);
    expect(out).not.toContain('\n');
  });
});
