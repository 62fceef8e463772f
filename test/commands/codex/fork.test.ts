import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { describe, expect, it } from 'vitest';
import { type ForkOptions, forkSession } from '../../../src/index.ts';
import { codex } from '../../../src/session/agents/codex/codex.ts';
import { readSession } from '../../../src/session/read/read-session.ts';
import { readContext } from '../../../src/session/read/read-context.ts';
import { editRows } from '../../../src/store/database/edit-rows.ts';
import { openWritable } from '../../store/database/open-writable.ts';
import { runTest } from '../../memory-terminal.ts';
import {
  FIXTURES,
  getRecorded,
  placeIn,
  placeRecorded,
  RECORDED,
} from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { toZstd } from '../../zstd-frames.ts';
import { withoutSqlite } from '../../without-sqlite.ts';

const FORKED = RECORDED.filter(({ input }) => input !== undefined);

interface Line {
  readonly ordinal?: number;
  readonly type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

function readRollout(path: string): readonly Line[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Line);
}

let count = 0;

async function fork(path: string, ...argv: readonly string[]) {
  const home = dirname(path);
  const isNamed = argv.includes('--id') || argv.includes('--each-leaf');
  const id = isNamed
    ? []
    : ['--id', `01900000-0000-7000-8000-${String((count += 1)).padStart(12, '0')}`];
  const run = await runTest(['fork', path, '--json', ...id, ...argv], { home, cwd: home });
  const { results } = JSON.parse(run.out) as { readonly results: readonly Result[] };
  return { ...run, results, made: results[0]?.path ?? '' };
}

interface Result {
  readonly path: string;
  readonly id: string;
  readonly text?: string;
  readonly leafId: string | null;
  readonly problem?: { readonly code: string; readonly message: string };
}

describe('a fork of a rollout', () => {
  it.each(FORKED.map((recorded) => [recorded.name, recorded] as const))(
    'holds all of its path, and sends the same: %s',
    async (_, recorded) => {
      const path = await placeRecorded(recorded);
      const before = readFileSync(path);
      const [made] = await forkSession(path);
      const lines = readRollout(made?.path ?? '');
      const [header] = lines;
      expect(header).toMatchObject({ type: 'session_meta', payload: { id: made?.id } });
      expect(header?.payload).not.toHaveProperty('history_base');
      const isCounted = header?.ordinal !== undefined;
      expect(lines.map(({ ordinal }) => ordinal)).toEqual(
        lines.map((__, at) => (isCounted ? at : undefined)),
      );
      const { messages } = await readContext(made?.path ?? '');
      expect(messages).toEqual((await readContext(path)).messages);
      expect(readFileSync(path).equals(before)).toBe(true);
    },
  );

  it('ends where the turn ends that is named, or before a prompt', async () => {
    const path = await placeRecorded(getRecorded('fork-of-fork'));
    const world = { home: path, cwd: dirname(path) };
    const points = await runTest(['fork', path, '--points', '--json'], world);
    const { results } = JSON.parse(points.out) as {
      readonly results: readonly { readonly id: string; readonly text: string }[];
    };
    // One that is cut could not be given to --before.
    const narrow = await runTest(['fork', path, '--points'], { ...world, columns: 40 });
    const ids = narrow.out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((row) => row.split(' ')[0]);
    expect(ids).toEqual(results.map(({ id }) => id));
    expect(results.map(({ text }) => text)).toEqual(['Second', 'Fork question', 'Deep question']);
    const [second, third] = results;
    const turn = readRollout((await fork(path, '--at', second?.id ?? '')).made);
    expect(turn.at(-2)?.payload['type']).toBe('task_complete');
    expect(turn.at(-1)?.payload['type']).toBe('thread_settings_applied');
    const before = await fork(path, '--before', third?.id ?? '');
    expect(before.results[0]?.text).toBe('Fork question');
    expect((await readContext(before.made)).messages.at(-1)).toMatchObject({ role: 'assistant' });
    const { session } = await readSession(path, {});
    const prompt = session.entries.find(({ type, role }) => type === 'message' && role === 'user');
    const first = await fork(path, '--before', prompt?.id ?? '');
    expect(first.results[0]?.problem).toMatchObject({ code: 'session-empty' });
  });

  it('is made of each branch of a thread that was reverted', async () => {
    const path = await placeRecorded(getRecorded('reverted-second-generation'));
    const { results } = await fork(path, '--each-leaf');
    const sent = await Promise.all(
      results.map(async (one) => (await readContext(one.path)).messages),
    );
    const texts = sent.map((messages) => JSON.stringify(messages));
    expect(texts.map((text) => text.includes('Second, differently'))).toEqual([false, true]);
    const whole = await fork(path, '--whole');
    expect(whole.results[0]?.problem?.message).toContain('use --each-leaf');
  });

  it('of a compressed one is made of its text', async () => {
    const path = await placeRecorded(getRecorded('linear-tools'));
    writeFileSync(`${path}.zst`, toZstd(readFileSync(path)));
    const { made } = await fork(`${path}.zst`);
    expect((await readContext(made)).messages).toEqual((await readContext(path)).messages);
  });

  it('works where it is told to, and is called so where a file keeps names', async () => {
    const home = await makeTempDir();
    const path = await placeIn(home, getRecorded('legacy-linear'));
    const { made, results } = await fork(path, '--cwd', home, '--name', 'Second');
    const index = readFileSync(join(home, 'session_index.jsonl'), 'utf8');
    expect(JSON.parse(index)).toMatchObject({ id: results[0]?.id, thread_name: 'Second' });
    const settings = readRollout(made).findLast(
      ({ payload }) => payload['type'] === 'thread_settings_applied',
    );
    expect(settings?.payload['thread_settings']).toMatchObject({ cwd: home });
  });

  it('of a thread before 0.40 has envelopes, and needs a directory', async () => {
    const path = await placeRecorded(getRecorded('era-0.20'));
    const refused = await fork(path);
    expect(refused.results[0]?.problem).toMatchObject({ code: 'cwd-unknown' });
    const { made, results } = await fork(path, '--cwd', dirname(path));
    const lines = readRollout(made);
    expect(lines[0]?.payload).toMatchObject({ cwd: dirname(path), originator: 'codex_cli_rs' });
    expect(results[0]?.leafId).toBe(`line-${lines.length}`);
    const strip = ({ messages }: Awaited<ReturnType<typeof readContext>>) => messages;
    expect(strip(await readContext(made))).toEqual(strip(await readContext(path)));
  });

  it('is refused under an id that there is', async () => {
    const path = await placeRecorded(getRecorded('fork-parent'));
    const id = '01900000-0000-7000-8000-0000000000aa';
    const { made } = await fork(path, '--id', id);
    const files = readdirSync(dirname(made));
    const again = await fork(path, '--id', id);
    expect(again.results[0]?.problem?.message).toContain(`has the id ${id} already`);
    expect(readdirSync(dirname(made))).toEqual(files);
  });
});

/** A fork with a name of a thread since 0.148, beside a database of the client. */
async function forkNamed(...options: readonly string[]) {
  const home = await makeTempDir();
  const path = await placeIn(home, getRecorded('linear-tools'));
  const database = join(home, 'state_5.sqlite');
  cpSync(join(FIXTURES, 'home/state_5.sqlite'), database);
  const listFiles = () =>
    readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.jsonl'),
    );
  const files = listFiles();
  const argv = ['fork', path, '--name', 'Second  try', '--json', ...options];
  const run = await runTest(argv, { cwd: home, home });
  return { run, database, files, now: listFiles() };
}

describe('a fork with a name, since 0.148', () => {
  it('has it in the database of the client', async () => {
    const { run, database: file } = await forkNamed();
    const { results } = JSON.parse(run.out) as { results: readonly Result[] };
    const database = new sqlite.Database(file);
    const rows = database.all('SELECT * FROM threads WHERE id = ?', [results[0]?.id ?? '']);
    database.close();
    expect(rows).toMatchObject([
      { name: 'Second  try', preview: 'List the files', rollout_path: results[0]?.path },
    ]);
  });
});

it('a fork with a name and the id of a thread is not made, and the message names the id', async () => {
  // Its row is there, and its file is not.
  const id = '01a1fffd-5af9-75b0-aac2-5de81901cecc';
  const { run, files, now } = await forkNamed('--id', id);
  expect(run.out).toContain(`has rows of the id ${id} already; choose another --id`);
  expect(now).toEqual(files);
});

it.each([
  ['state_5.sqlite', '01a1fffd-5af9-75b0-aac2-5de81901cecc'],
  ['thread_history_1.sqlite', '01a1fffd-5af9-75b0-aac2-5de81901cecc'],
])('a fork without a name is not made with the id of rows that are there: %s', async (name, id) => {
  const home = await makeTempDir();
  const path = await placeIn(home, getRecorded('linear-tools'));
  cpSync(join(FIXTURES, 'home', name), join(home, name));
  const files = readdirSync(dirname(path));
  for (const option of ['--dry-run', '--quiet']) {
    const { results } = await fork(path, '--id', id, option);
    expect(results[0]?.problem?.message).toContain(`${name} has rows of the id ${id} already`);
  }
  expect(readdirSync(dirname(path))).toEqual(files);
});

it('a fork without a name is not made with an id that unreadable rows may have', async () => {
  const home = await makeTempDir();
  const path = await placeIn(home, getRecorded('linear-tools'));
  writeFileSync(join(home, 'state_6.sqlite'), 'not a database, and long enough to be looked at');
  const { results } = await fork(path);
  expect(results[0]?.problem?.message).toMatch(/may have rows of that id .*; leave --id out$/);
});

describe('a fork with a name, since 0.148', () => {
  it('is not made where this Node cannot write to databases', async () => {
    for (const option of ['--dry-run', '--quiet']) {
      const { run, files, now } = await withoutSqlite(() => forkNamed(option));
      expect([run.exitCode, run.err]).toEqual([2, expect.stringContaining('use Node 22.13')]);
      expect(now).toEqual(files);
    }
  });
});

it('has no name where the database is not there', async () => {
  const path = await placeRecorded(getRecorded('linear-tools'));
  for (const option of ['--dry-run', '--quiet']) {
    const refused = await fork(path, '--name', 'Second', option);
    expect(refused.results[0]?.problem?.message).toContain('does not exist: fork without --name');
  }
});

describe('branches with a name, in a database and in a file', () => {
  async function setUp() {
    const home = await makeTempDir();
    const path = await placeIn(home, getRecorded('reverted-second-generation'));
    const state = join(home, 'state_5.sqlite');
    cpSync(join(FIXTURES, 'home/state_5.sqlite'), state);
    const index = join(home, 'session_index.jsonl');
    // A line of another thread, which a crash has left without its end.
    writeFileSync(index, '{"id":"x","thread_name":"Other"}');
    const listNames = () => {
      const database = new sqlite.Database(state);
      const rows = database.all("SELECT name FROM threads WHERE name = 'Tried'");
      database.close();
      const files = readdirSync(home, { recursive: true, encoding: 'utf8' });
      return {
        rows: rows.length,
        files: files.filter((name) => /sessions\/.*\.jsonl/.test(name)).length,
        index: readFileSync(index, 'utf8').split('\n').length,
      };
    };
    const forkBoth = (onAdded: (finish: () => Promise<void>) => Promise<void>) => {
      const addRows: ForkOptions['addRows'] = (_, __, rows, finish) =>
        editRows(
          home,
          codex.rows?.databases ?? [],
          async (editor) => {
            for (const one of rows) editor.add(one);
            await onAdded(finish);
          },
          openWritable,
        );
      const start = { kind: 'each-leaf' } as const;
      return forkSession(path, { start, name: 'Tried' }, { addRows });
    };
    return { state, index, listNames, forkBoth };
  }

  it('are all there with it', async () => {
    const { listNames, forkBoth } = await setUp();
    const before = listNames();
    expect(await forkBoth((finish) => finish())).toHaveLength(2);
    expect(listNames()).toEqual({ rows: 2, files: before.files + 2, index: before.index + 3 });
  });

  it('leave no name behind where one of them fails', async () => {
    const { state, listNames, forkBoth } = await setUp();
    const before = listNames();
    const database = new sqlite.Database(state);
    database.exec(
      "CREATE TRIGGER second BEFORE INSERT ON threads WHEN (SELECT count(*) FROM threads WHERE name = 'Tried') = 1 " +
        "BEGIN SELECT RAISE(ABORT, 'no second'); END",
    );
    database.close();
    await expect(forkBoth((finish) => finish())).rejects.toThrow('no second');
    expect(listNames()).toEqual(before);
  });

  it('leave no name behind where the database is not written in the end', async () => {
    const { index, listNames, forkBoth } = await setUp();
    const [before, bytes] = [listNames(), readFileSync(index)];
    const failing = forkBoth(async (finish) => {
      await finish();
      expect(readFileSync(index).length).toBeGreaterThan(bytes.length);
      throw new Error('no commit');
    });
    await expect(failing).rejects.toThrow('no commit');
    expect(listNames()).toEqual(before);
    expect(readFileSync(index).equals(bytes)).toBe(true);
  });

  it('leave what another program has appended meanwhile', async () => {
    const { index, forkBoth } = await setUp();
    const failing = forkBoth(async (finish) => {
      await finish();
      appendFileSync(index, '{"id":"y","thread_name":"Late"}\n');
      throw new Error('no commit');
    });
    await expect(failing).rejects.toThrow('no commit');
    expect(readFileSync(index, 'utf8')).toContain('Late');
  });
});
