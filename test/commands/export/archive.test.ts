import {
  appendFile,
  cp,
  readdir,
  readFile,
  rm,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { snapshot } from '../../store/archive/archive-fixture.ts';
import { openWritable } from '../../store/database/open-writable.ts';
import { readRows } from '../../store/database/read-rows.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';
import { toZstd } from '../../zstd-frames.ts';

const CLAUDE = join(import.meta.dirname, '../../fixtures/claude-code/home/.claude');
const CODEX = join(import.meta.dirname, '../../fixtures/codex/home');
const NEOVATE = {
  type: 'message',
  uuid: 'u1',
  parentUuid: null,
  role: 'user',
  content: 'Hello.',
  timestamp: '2026-01-02T09:30:00.000Z',
  sessionId: 'n',
};
const LINE = '{"type":"custom","customType":"x","id":"1"}\n';
const DAY = 86_400_000;
const WRITES = process.getBuiltinModule('node:sqlite') !== undefined;

interface Result {
  readonly path: string;
  readonly action: string;
  readonly reasons: readonly string[];
  readonly outputs: readonly string[];
}

let home: string;
let store: string;

const run = (args: readonly string[], now = NOW) =>
  runTest(args, { cwd: home, home, now: () => now });

/** A backup of the store; what became of each file, by its name. */
async function backUp(...more: string[]): Promise<Record<string, string>> {
  const { out, err } = await run(['export', '--as', 'archive', '--out', 'bk', '--json', ...more]);
  if (out === '') throw new Error(err);
  const { results } = JSON.parse(out) as { results: readonly Result[] };
  return Object.fromEntries(
    results.map(({ path, action, reasons }) => [
      path.slice(path.lastIndexOf('/') + 1),
      `${action}: ${reasons.join(', ')}`,
    ]),
  );
}

const members = async (): Promise<readonly string[]> =>
  (await readdir(join(home, 'bk'))).filter((name) => name.endsWith('.tar.gz')).toSorted();
const restore = (...more: string[]) => run(['prune', '--archive', 'bk', '--restore', ...more]);
const session = (name: string): string => join(store, 'proj', name);

function removeRows(path: string): void {
  const database = openWritable(path);
  database.exec('DELETE FROM threads');
  database.close();
}

beforeEach(async () => {
  home = await makeTempDir();
  store = join(home, '.pi/agent/sessions');
  await writeFiles(store, {
    'proj/a.jsonl': sampleSession({ id: '0199-aaaa' }),
    'proj/a/1.png': 'image',
    'proj/b.jsonl': sampleSession({ id: '0199-bbbb', name: 'Named' }),
  });
});

describe('export --as archive', () => {
  it('restores a store of every agent, byte for byte, after its agents have removed it', async () => {
    await cp(CLAUDE, join(home, '.claude'), { recursive: true });
    await rm(join(home, '.claude/sessions'), { recursive: true });
    await rm(join(home, '.claude/projects/-home-u-old-project/agent-1a66a72e.jsonl'));
    await cp(CODEX, join(home, '.codex'), { recursive: true });
    await writeFiles(join(home, '.neovate/projects/x'), {
      'n.jsonl': `${JSON.stringify(NEOVATE)}\n`,
    });
    for (const name of (await readdir(home, { recursive: true })).toReversed()) {
      await utimes(join(home, name), 1_790_000_000.123_456, 1_790_000_000.123_456);
    }
    const before = await snapshot(home);
    const rows = await readRows(join(home, '.codex'));
    expect(rows['threads']?.length).toBeGreaterThan(5);
    const { exitCode, out } = await run(['export', '--as', 'archive', '--out', 'bk']);
    expect([exitCode, out.split('\n').at(-2)]).toEqual([
      0,
      expect.stringMatching(/^Copied 18 of 18 /),
    ]);
    const after = await snapshot(home);
    expect(Object.keys(before).filter((name) => after[name] !== before[name])).toEqual([]);
    for (const root of [
      '.pi',
      '.neovate',
      '.codex/sessions',
      '.codex/archived_sessions',
      '.claude/projects',
      '.claude/tasks',
      '.claude/todos',
    ]) {
      await rm(join(home, root), { recursive: true, force: true });
    }
    // A Node that cannot write rows has copied none.
    if (WRITES) removeRows(join(home, '.codex/state_5.sqlite'));
    expect((await restore('all')).exitCode).toBe(0);
    const now = await snapshot(home);
    const files = Object.keys(before).filter((name) => !before[name]?.endsWith('directory'));
    const isOther = (name: string): boolean => /\/memory\/|\.sqlite/.test(name);
    expect(files.filter((name) => now[name] !== before[name] && !isOther(name))).toEqual([]);
    expect(await readRows(join(home, '.codex'))).toEqual(rows);
  });

  it('reads nothing of a session that has not changed', async () => {
    expect(await backUp()).toEqual({ 'a.jsonl': 'backup: copied', 'b.jsonl': 'backup: copied' });
    const before = await snapshot(join(home, 'bk'));
    await writeFile(session('unread.jsonl'), '');
    const again = await backUp();
    expect(again).toMatchObject({
      'a.jsonl': 'unchanged: not changed',
      'b.jsonl': 'unchanged: not changed',
      'unread.jsonl': 'skip: is empty',
    });
    expect(await snapshot(join(home, 'bk'))).toEqual(before);
  });

  it('replaces a state only by one that begins with all its bytes', async () => {
    await backUp();
    await appendFile(session('a.jsonl'), LINE);
    expect(await backUp()).toMatchObject({
      'a.jsonl': 'backup: copied; replaces a state that it begins with',
    });
    expect(await members()).toHaveLength(2);
    const whole = await readFile(session('a.jsonl'), 'utf8');
    await writeFile(session('a.jsonl'), whole.replace('Hello', 'Jello') + LINE);
    expect(await backUp()).toMatchObject({ 'a.jsonl': 'backup: copied' });
    await rm(session('a/1.png'));
    expect(await backUp()).toMatchObject({ 'a.jsonl': 'backup: copied' });
    expect(await members()).toHaveLength(4);
  });

  it('takes the text of a thread for its bytes, compressed and moved as its agent does', async () => {
    const name = 'rollout-2026-11-21T21-22-34-01a1fffd-5433-7a63-ade5-edd101592fdf.jsonl';
    const codex = join(home, '.codex');
    const text = await readFile(join(CODEX, 'sessions/2026/11/21', name));
    const put = async (path: string, bytes: Buffer): Promise<string | undefined> => {
      await rm(codex, { recursive: true, force: true });
      await writeFiles(codex, { [path]: bytes });
      return (await backUp('--agent', 'codex'))[basename(path)];
    };
    const later = 'backup: copied; replaces a state that it begins with';
    const own = `sessions/2026/11/21/${name}`;
    expect(await put(own, text)).toBe('backup: copied');
    expect(await put(`${own}.zst`, toZstd(text))).toBe(later);
    const grown = Buffer.concat([text, Buffer.from('{"type":"x"}\n')]);
    expect(await put(own, grown)).toBe(later);
    expect(await put(`archived_sessions/${name}`, grown)).toBe(later);
    const more = Buffer.concat([grown, grown]);
    expect(await put(`archived_sessions/${name}.zst`, toZstd(more))).toBe(later);
    // Cut short by the agent, or rewritten: all that there was is kept.
    expect(await put(`${own}.zst`, toZstd(text))).toBe('backup: copied');
    expect(await put(`${own}.zst`, toZstd(grown.subarray(5)))).toMatch(/^(?!.*replaces)/);
  });

  it('knows the later one of two states of a thread with the same text, whichever is copied last', async () => {
    const name = 'rollout-2026-11-21T21-22-34-01a1fffd-5433-7a63-ade5-edd101592fdf.jsonl';
    const codex = join(home, '.codex');
    const text = await readFile(join(CODEX, 'sessions/2026/11/21', name));
    const own = `sessions/2026/11/21/${name}`;
    const put = async (path: string, bytes: Buffer, time: number): Promise<string | undefined> => {
      await rm(codex, { recursive: true, force: true });
      await writeFiles(codex, { [path]: bytes });
      await utimes(join(codex, path), time, time);
      return (await backUp('--agent', 'codex'))[basename(path)];
    };
    const copied = 'backup: copied';
    const time = 1_700_000_000;
    expect(await put(`${own}.zst`, toZstd(text), time)).toBe(copied);
    // What is compressed is later than what is not.
    expect(await put(own, text, time)).toBe(copied);
    expect(await put(`archived_sessions/${name}`, text, time - 60)).toBe(copied);
    // The archive of the agent comes behind the sessions that are in use.
    const two = 'backup: copied; replaces 2 states that it begins with';
    expect(await put(`archived_sessions/${name}`, text, time)).toBe(two);
    expect(await put(`archived_sessions/${name}.zst`, toZstd(text), time + 60)).toBe(two);
  });

  it('never replaces a state whose session prune has removed', async () => {
    await backUp();
    const prune = ['prune', '--older-than', '1d', '--allow-empty', '--grace', '0s', '--apply'];
    await run([...prune, '--archive', 'bk'], NOW + DAY);
    expect((await members()).map((name) => name.slice(0, 2))).toEqual(['s_', 's_']);
    await restore('all');
    expect(await backUp()).toMatchObject({ 'a.jsonl': 'unchanged: not changed' });
    await appendFile(session('a.jsonl'), LINE);
    expect(await backUp()).toMatchObject({ 'a.jsonl': 'backup: copied' });
    expect((await members()).map((name) => name.slice(0, 2))).toEqual(['b_', 's_', 's_']);
  });

  it('writes a member anew that was cut short or is gone, and needs no index', async () => {
    await backUp();
    const [one = '', other = ''] = await members();
    await writeFile(join(home, 'bk', one), 'short');
    await rm(join(home, 'bk', other));
    await backUp();
    expect((await run(['prune', '--archive', 'bk', '--list'])).exitCode).toBe(0);
    await rm(join(home, 'bk', 'index.ndjson'));
    expect(await backUp()).toMatchObject({ 'a.jsonl': 'unchanged: not changed' });
    expect(await members()).toEqual([one, other]);
  });

  it('copies damaged sessions, and skips what it cannot restore, with the reason', async () => {
    await appendFile(session('a.jsonl'), '{"torn');
    await writeFiles(home, { 'elsewhere.jsonl': sampleSession({ id: '0199-dddd' }) });
    await symlink(join(home, 'elsewhere.jsonl'), session('link.jsonl'));
    await symlink(session('b.jsonl'), session('a/link'));
    await writeFiles(store, { 'proj/b/notes.txt': 'perhaps of another program' });
    await writeFiles(store, { 'proj/a/0199-cccc.jsonl': sampleSession({ id: '0199-cccc' }) });
    const found = await backUp();
    expect(found).toEqual({
      'a.jsonl': 'backup: copied, without a/link, a link or a device',
      'b.jsonl': 'backup: copied, without the directory beside it, which may not belong to it',
      'link.jsonl': 'skip: reached through a symbolic link',
    });
    const { out } = await run(['prune', '--archive', 'bk', '--list', '--json']);
    expect(out).toContain('0199-aaaa');
  });

  it('counts all that it leaves out of a folder', async () => {
    await writeFiles(store, { 'proj/a/x.png': 'x' });
    for (const name of ['link', 'other']) await symlink(session('b.jsonl'), session(`a/${name}`));
    const { 'a.jsonl': found } = await backUp();
    expect(found).toMatch(/without a\/\w+, a link or a device, and 1 more that cannot be copied$/);
  });

  it('shows with --dry-run what it would copy, and makes nothing', async () => {
    const { out } = await run(['export', '--as', 'archive', '--out', 'bk', '--dry-run']);
    expect(out).toContain('Would copy 2 of 2 sessions.');
    expect(await readdir(home)).toEqual(['.pi']);
  });

  it('fills one archive from several runs at once, as one run would', async () => {
    for (let at = 0; at < 8; at += 1) {
      await writeFiles(store, { [`proj/s${at}.jsonl`]: sampleSession({ id: `0199-s${at}` }) });
    }
    const part = (shard: string) => backUp('--shard', shard);
    await Promise.all([part('1/3'), part('2/3'), part('3/3'), backUp(), backUp()]);
    const together = await members();
    await rm(join(home, 'bk'), { recursive: true });
    await backUp();
    expect(await members()).toEqual(together);
  });

  it.each([
    [['--redact'], 'copies sessions as they are, with their secrets'],
    [['--all-branches'], 'cannot be combined with --as archive'],
    [['--no-tools'], 'cannot be combined with --as archive'],
    [['--images', 'drop'], 'cannot be combined with --as archive'],
  ])('refuses %s', async (args, message) => {
    const { err, exitCode } = await run(['export', '--as', 'archive', '--out', 'bk', ...args]);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
  });

  it('needs a directory, in which no session lies', async () => {
    const needs = await run(['export', '--as', 'archive']);
    expect([needs.exitCode, needs.err]).toEqual([2, expect.stringContaining('add --out <dir>')]);
    const inside = await run(['export', '--as', 'archive', '--out', store]);
    expect([inside.exitCode, inside.err]).toEqual([2, expect.stringContaining('must not contain')]);
  });

  it('is not chosen by the configuration of a project', async () => {
    await writeFiles(home, { 'coppice.config.json': '{"export":{"as":"archive"}}' });
    const { err, exitCode } = await run(['export', '--out', 'bk']);
    expect([exitCode, err]).toEqual([2, expect.stringContaining('not allowed in a project file')]);
  });
});
