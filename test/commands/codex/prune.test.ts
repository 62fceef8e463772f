import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { copyHome } from '../../session/agents/codex/corpus.ts';
import { openWritable } from '../../store/database/open-writable.ts';
import { readRows } from '../../store/database/read-rows.ts';
import type { PruneResult } from '../../../src/report/prune/columns.ts';

const PARENT = '01a1fffd-5184-7b42-a112-6bc9ed3ff874';
const FORK = '01a1fffd-53cf-7253-9911-3110f15894fd';
const SPAWNER = '01a1fffd-546c-7510-b5fc-2cd045944e1a';
const REVERTED = '01a1fffd-592e-7483-a952-5eb79e5a9b63';
const PACKED = '01a1fffd-5aa0-7002-bccf-c18ba9b56497';
const SESSIONS = 9;

let world: string;
let home: string;

beforeEach(async () => {
  ({ world, home } = await copyHome());
});

async function run(...args: readonly string[]) {
  const place = { home: world, cwd: world, env: {} };
  const { exitCode, out, err } = await runTest(['prune', ...args, '--json'], place);
  const all = out === '' ? [] : (JSON.parse(out) as { results: PruneResult[] }).results;
  const results = all.filter((one) => 'action' in one);
  const told = new Map(
    results.map(({ id, action, reasons }) => [id, [action, ...reasons].join(': ')]),
  );
  return { exitCode, err, results, told };
}

const ALL = ['--larger-than', '1B', '--grace', '0min', '--allow-empty'] as const;

/** The actions of all sessions, each once. */
async function decide(...args: readonly string[]): Promise<readonly string[]> {
  return [...new Set((await run(...ALL, ...args)).results.map(({ action }) => action))];
}

function execute(name: string, sql: string): void {
  const database = openWritable(join(home, name));
  database.exec(sql);
  database.close();
}

function listFiles(): readonly string[] {
  return readdirSync(home, { recursive: true, encoding: 'utf8' }).toSorted();
}

describe('prune of a store of Codex', () => {
  it('takes a thread with its generations and sub-agents for one', async () => {
    const { results, told } = await run(...ALL);
    expect(results).toHaveLength(SESSIONS);
    expect(told.get(REVERTED)).toContain('remove');
    expect(told.get(SPAWNER)).toContain('remove');
  });

  it('keeps what a kept fork points into, and lets it leave with the fork', async () => {
    const { told } = await run(...ALL, '--include-parents', '--keep-id', FORK);
    expect(told.get(PARENT)).toBe('keep: a kept fork continues from it');
    expect((await run(...ALL)).told.get(PARENT)).toContain('remove');
  });

  it.each([
    ['is pinned', 'state_5.sqlite', `UPDATE threads SET is_pinned = 1 WHERE id = '${PARENT}'`],
    [
      'is pinned',
      'state_5.sqlite',
      `UPDATE threads SET thread_section_id = '01984de2-8f74-7c91-a3b2-5c5e937cf318' WHERE id = '${PARENT}'`,
    ],
    [
      'has an open goal',
      'goals_1.sqlite',
      `INSERT INTO thread_goals VALUES ('${PARENT}', 'g', 'Do it', 'active', NULL, 0, 0, 0, 0)`,
    ],
  ])('keeps a thread that %s, unless --include-pinned', async (why, name, sql) => {
    execute(name, sql);
    expect((await run(...ALL)).told.get(PARENT)).toBe(`keep: ${why} (--include-pinned)`);
    expect((await run(...ALL, '--include-pinned')).told.get(PARENT)).toContain('remove');
  });

  it('keeps everything where the environment has the databases elsewhere', async () => {
    const env = { CODEX_SQLITE_HOME: join(world, 'elsewhere') };
    const argv = ['prune', ...ALL, '--include-pinned', '--json'];
    const { out } = await runTest(argv, { home: world, cwd: world, env });
    const { results } = JSON.parse(out) as { results: readonly PruneResult[] };
    expect(new Set(results.map(({ action }) => action))).toEqual(new Set(['keep']));
    expect(results[0]?.reasons.join()).toContain('are elsewhere');
  });

  it.each([
    'sessions/2024',
    'sessions/2026/11/21/rollout-2026-11-21T00-00-00-x.jsonl',
    'archived_sessions/x',
  ])('keeps all while %s is a link to a disk that is not mounted', async (name) => {
    symlinkSync('/mnt/gone', join(home, name));
    expect(await decide('--include-pinned')).toEqual(['keep']);
  });

  it('takes any number but 0 for a pin', async () => {
    execute('state_5.sqlite', `UPDATE threads SET is_pinned = 2 WHERE id = '${PARENT}'`);
    expect((await run(...ALL)).told.get(PARENT)).toBe('keep: is pinned (--include-pinned)');
  });

  it('keeps a thread that another one is attached to', async () => {
    execute(
      'state_5.sqlite',
      `UPDATE threads SET attached_thread_parent_id = '${PARENT}' WHERE id = '${PACKED}'`,
    );
    const { told } = await run(...ALL, '--include-pinned');
    expect(told.get(PARENT)).toBe(`keep: session ${PACKED} is attached to it`);
  });

  it('keeps all where there is no database, unless --include-pinned', async () => {
    const databases = readdirSync(home).filter((one) => one.endsWith('.sqlite'));
    for (const name of databases) rmSync(join(home, name));
    expect(await decide()).toEqual(['keep']);
    expect(await decide('--include-pinned')).toEqual(['remove']);
  });

  it.each([
    ['is empty', () => writeFileSync(join(home, 'state_5.sqlite'), '')],
    ['is damaged', () => writeFileSync(join(home, 'state_5.sqlite'), 'no database')],
    ['has another table', () => execute('state_5.sqlite', 'CREATE TABLE threads_2 (id TEXT)')],
    ['has another column', () => execute('goals_1.sqlite', 'ALTER TABLE thread_goals ADD x TEXT')],
    ['is of a new kind', () => execute('memories_v2_1.sqlite', 'CREATE TABLE outputs (id TEXT)')],
    ['is newer', () => cpSync(join(home, 'goals_1.sqlite'), join(home, 'state_6.sqlite'))],
    ['is elsewhere', () => writeFileSync(join(home, 'config.toml'), 'sqlite_home = "/db"\n')],
    ['is there', () => writeFileSync(join(home, 'config.toml'), '"sqlite_home"="/db"\n')],
    ['of a profile is there', () => writeFileSync(join(home, 'a.config.toml'), 'sqlite_home="/b"')],
  ])('removes nothing where a database %s', async (_, spoil) => {
    spoil();
    expect(await decide('--include-pinned')).toEqual(['keep']);
  });

  it('keeps both of two files that say that they are one', async () => {
    const day = join(home, 'sessions', '2026', '11', '21');
    const name = readdirSync(day).find((one) => one.endsWith(`${FORK}.jsonl`)) ?? '';
    cpSync(join(day, name), join(day, name.replace('T21-22', 'T21-23')));
    const { told } = await run(...ALL);
    expect(told.get(FORK)).toBe('keep: two files claim to be this session');
  });

  const LEGACY = '01a1fffd-5433-7a63-ade5-edd101592fdf';
  const NAMED = '--keep-named';
  const names = () => join(home, 'session_index.jsonl');
  const record = `{"id":"${LEGACY}","thread_name":"Kept"}`;

  it.each<[string, (path: string) => void]>([
    ['is torn', (path) => writeFileSync(path, record.slice(0, 60))],
    ['has NUL bytes', (path) => writeFileSync(path, `\0\0${record}\n`)],
    ['has glued lines', (path) => writeFileSync(path, `{"id":"x"}${record}\n`)],
    ['is a directory', (path) => mkdirSync(path)],
    ['is a link to a disk that is not there', (path) => symlinkSync('/mnt/gone/names', path)],
  ])('keeps what may be named where the file with the names %s', async (_, write) => {
    // Only the file has its name.
    execute('state_5.sqlite', 'UPDATE threads SET title = first_user_message');
    rmSync(names());
    write(names());
    const { told } = await run(...ALL, NAMED);
    expect(told.get(LEGACY)).toBe('keep: perhaps named: the file with its name could not be read');
  });

  it.each(['"text"', '["list"]', '7', '{"thread_id":7}', '{"rollout_path":"x"}'])(
    'keeps all beside a thread that continues from a place of unknown form: %s',
    async (form) => {
      const isFork = (name: string): boolean => name.endsWith('.jsonl') && name.includes(FORK);
      const path = join(home, listFiles().find(isFork) ?? '');
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.replace(/"history_base":\{[^}]*\}/, `"history_base":${form}`));
      const { results } = await run('--older-than', '0s', '--include-pinned', '--allow-empty');
      expect(results.filter(({ action }) => action === 'remove')).toEqual([]);
    },
  );

  it('does not take every thread for named because of a line about one of them', async () => {
    writeFileSync(names(), record.slice(0, 60));
    const { told } = await run(...ALL, NAMED, '--include-parents');
    expect(told.get(SPAWNER)).toContain('remove');
  });

  it('keeps a thread of which a sub-agent is named', async () => {
    const [, child] = readdirSync(join(home, 'sessions/2026/11/21')).flatMap((name) =>
      /54(?:6c|ad)/.test(name) ? name.slice(-42, -6) : [],
    );
    execute('state_5.sqlite', `UPDATE threads SET name = 'Kept' WHERE id = '${child}'`);
    expect((await run(...ALL, NAMED)).told.get(SPAWNER)).toBe('keep: a part of it is named');
  });

  /** Renames or rewrites the file of a thread. */
  function change(id: string, edit: (text: string) => string, rename = (name: string) => name) {
    const day = join(home, 'sessions', '2026', '11', '21');
    const name = readdirSync(day).find((one) => one.endsWith(`${id}.jsonl`)) ?? '';
    const text = readFileSync(join(day, name), 'utf8');
    rmSync(join(day, name));
    writeFileSync(join(day, rename(name)), edit(text));
  }

  it('keeps a file that is named as another thread, whose rows it would take along', async () => {
    change(
      LEGACY,
      (text) => text,
      (name) => name.replace(LEGACY, PARENT).replace('T21', 'T20'),
    );
    const { told } = await run(...ALL);
    expect(told.get(LEGACY)).toContain('keep: its file is named as another session: ');
  });

  it.each<[string, (text: string) => string]>([
    ['the header', (text) => text.slice(text.indexOf('\n') + 1)],
    ['every line', (text) => text.replaceAll('\n', ' ')],
    [
      'the history mode',
      (text) => text.replace('"paginated"', '"sharded"').replace('history_base', 'history_bases'),
    ],
    [
      'the form of the history mode',
      (text) => text.replace('"paginated"', '{"in":[]}').replace('history_base', 'history_bases'),
    ],
  ])('keeps all where %s of a rollout cannot be read: it may go on from any', async (_, edit) => {
    change(FORK, edit);
    expect((await run(...ALL)).told.get(PARENT)).toMatch(/^keep: .*may continue from it$/);
  });

  it('keeps a thread that was reached past the link by which its client finds it', async () => {
    const real = join(world, 'disk');
    cpSync(join(home, 'sessions'), real, { recursive: true });
    rmSync(join(home, 'sessions'), { recursive: true });
    symlinkSync(real, join(home, 'sessions'));
    expect((await run(real, ...ALL)).told.get(LEGACY)).toContain(
      'keep: its agent reaches it by another path; ',
    );
  });

  it('keeps a thread that was reached by a link of another name: its rows are not beside that', async () => {
    const link = join(world, 'link');
    symlinkSync(join(home, 'sessions'), link);
    const { told } = await run('--store', link, ...ALL);
    expect(told.get(LEGACY)).toContain('keep: its agent reaches it by another path; ');
  });
});

describe('a store of Codex of which all is removed', () => {
  const leave = (...args: readonly string[]) => run(...ALL, '--apply', ...args);

  it('is empty, and whole again once all is restored', async () => {
    mkdirSync(join(home, 'generated_images', PARENT), { recursive: true });
    appendFileSync(join(home, 'generated_images', PARENT, 'a.png'), 'image');
    const before = listFiles();
    const archive = join(world, 'archive');
    expect((await leave('--archive', archive)).exitCode).toBe(0);
    expect(listFiles().filter((one) => /rollout-|a\.png$/.test(one))).toEqual([]);
    const { exitCode, results } = await run('--archive', archive, '--restore', 'all');
    expect(exitCode).toBe(0);
    expect(results).toHaveLength(SESSIONS);
    expect(listFiles()).toEqual(before);
    const again = await run('--archive', archive, '--restore', 'all');
    expect(new Set(again.results.map(({ action }) => action))).toEqual(new Set(['unchanged']));
  });

  it('has its rows in the trash beside its files', async () => {
    expect((await leave()).exitCode).toBe(0);
    const trash = join(world, '.local', 'share', 'Trash', 'files');
    const names = readdirSync(trash).filter((one) => one.includes('.rows.json'));
    expect(names).toHaveLength(SESSIONS);
    const text = readFileSync(join(trash, names[0] ?? ''), 'utf8');
    expect(JSON.parse(text)).toMatchObject({ schemaVersion: 1 });
    expect(existsSync(join(home, 'sessions', '2026', '11', '21'))).toBe(false);
  });

  it('keeps rows that waited beside it, and those that it has since', async () => {
    const argv = [PACKED, ...ALL, '--apply'];
    const rename = (name: string): void =>
      execute('state_5.sqlite', `UPDATE threads SET name = '${name}' WHERE id = '${PACKED}'`);
    cpSync(join(home, 'state_5.sqlite'), join(world, 'rows'));
    rename('Mine');
    const trash = join(world, '.local', 'share', 'Trash', 'files');
    const day = join(home, 'sessions', '2026', '11', '21');
    expect((await run(...argv)).exitCode).toBe(0);
    for (const name of readdirSync(trash)) {
      cpSync(join(trash, name), join(day, name.replace(/\.[\da-f]{12}$/, '')));
      rmSync(join(trash, name));
    }
    // Codex makes a row of its own when it finds the file.
    cpSync(join(world, 'rows'), join(home, 'state_5.sqlite'));
    expect((await run(...argv)).exitCode).toBe(0);
    const names = readdirSync(trash).filter((one) => one.includes('.rows.json'));
    const texts = names.map((name) => readFileSync(join(trash, name), 'utf8'));
    expect(texts.filter((text) => text.includes('Mine'))).toHaveLength(1);
    expect(texts).toHaveLength(2);
  });

  it('has its rows again, once what was in the trash is back', async () => {
    const before = listFiles();
    const argv = [PACKED, ...ALL, '--apply'];
    expect((await run(...argv)).exitCode).toBe(0);
    const trash = join(world, '.local', 'share', 'Trash', 'files');
    const day = join(home, 'sessions', '2026', '11', '21');
    for (const name of readdirSync(trash)) {
      cpSync(join(trash, name), join(day, name.replace(/\.[\da-f]{12}$/, '')));
    }
    const file = join(day, readdirSync(day).find((one) => one.endsWith('.rows.json')) ?? '');
    const told = async () => (await run('--restore', file)).results;
    expect(await told()).toMatchObject([{ action: 'restore', reasons: ['its rows'] }]);
    expect(listFiles()).toEqual(before);
    expect(await told()).toMatchObject([{ action: 'fail' }]);
    expect((await run('--restore', PACKED)).err).toContain('needs --archive');
  });
});

describe('a backup of a store of Codex', () => {
  let moment = NOW;
  const backUp = (...args: string[]) =>
    runTest(['export', '--as', 'archive', '--out', 'bk', '--json', ...args], {
      home: world,
      cwd: world,
      env: {},
      now: () => (moment += 1000),
    });
  const restoreAll = () => run('--archive', 'bk', '--restore', 'all');

  it('holds each thread as a whole, and brings it back with its rows', async () => {
    const before = listFiles();
    const rows = await readRows(home);
    const { exitCode, out } = await backUp();
    expect(exitCode).toBe(0);
    expect((JSON.parse(out) as { results: object[] }).results).toHaveLength(SESSIONS);
    for (const name of ['sessions', 'archived_sessions']) {
      rmSync(join(home, name), { recursive: true });
    }
    execute('state_5.sqlite', 'DELETE FROM threads');
    expect((await restoreAll()).exitCode).toBe(0);
    expect(listFiles()).toEqual(before);
    expect(await readRows(home)).toEqual(rows);
  });

  it('is restored into any directory, laid out as the home was', async () => {
    const before = listFiles().filter((name) =>
      /^(?:archived_)?sessions\/.*\.(?:jsonl|zst)$/.test(name),
    );
    await backUp();
    // Rows need a database of the client, which is not there.
    const { results } = await run('--archive', 'bk', '--restore', 'all', '--store', 'scratch');
    expect(new Set(results.map(({ action }) => action))).toEqual(new Set(['restore']));
    const found = readdirSync(join(world, 'scratch'), { recursive: true, encoding: 'utf8' });
    expect(found.filter((name) => /\.(?:jsonl|zst)$/.test(name)).toSorted()).toEqual(before);
  });

  it('holds the whole of what one part of it names, and the last state alone is restored', async () => {
    const part = listFiles().find((name) => name.endsWith(`${REVERTED}.jsonl`)) ?? '';
    await backUp(join(home, part));
    expect(readdirSync(join(world, 'bk')).filter((name) => name.startsWith('b_'))).toHaveLength(1);
    const archived = listFiles().find((name) => /^archived_sessions\/.*jsonl$/.test(name)) ?? '';
    await backUp(join(home, archived));
    const active = archived.replace('archived_sessions', 'sessions/2026/11/21');
    cpSync(join(home, archived), join(home, active), { preserveTimestamps: true });
    rmSync(join(home, archived));
    await backUp(join(home, active));
    rmSync(join(home, active));
    await restoreAll();
    expect(listFiles()).toContain(active);
    expect(listFiles()).not.toContain(archived);
  });
});

describe('a plan about threads of Codex', () => {
  it('holds for threads of several files, and not for one that was named since', async () => {
    const byPlan = async () => (await run('--plan', 'plan.ndjson')).results;
    const isPacked = ({ path }: { readonly path: string }) => path.includes(PACKED);
    await run(...ALL, '--keep-named', '--plan-out', 'plan.ndjson');
    const before = await byPlan();
    expect(before.filter(({ reasons }) => String(reasons).includes('changed'))).toEqual([]);
    expect(before.find(isPacked)).toMatchObject({ action: 'remove' });
    execute('state_5.sqlite', `UPDATE threads SET name = 'PRECIOUS' WHERE id = '${PACKED}'`);
    expect(String((await byPlan()).find(isPacked)?.reasons)).toContain('changed since');
  });
});
