import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { codex } from '../../../src/session/agents/codex/codex.ts';
import type { SessionRows, Value } from '../../../src/session/dialect/surroundings/rows.ts';
import { editRows } from '../../../src/store/database/edit-rows.ts';
import type { OpenDatabase } from '../../../src/store/database/sqlite.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { openWritable } from './open-writable.ts';

const HOME = fileURLToPath(new URL('../../fixtures/codex/home/', import.meta.url));
const DATABASES = codex.rows?.databases ?? [];
/** It was forked, has turns, and a sub-agent. */
const PARENT = '01a1fffd-5184-7b42-a112-6bc9ed3ff874';

async function copyHome(): Promise<string> {
  const home = await makeTempDir();
  for (const name of ['state_5', 'thread_history_1', 'goals_1']) {
    cpSync(join(HOME, `${name}.sqlite`), join(home, `${name}.sqlite`));
  }
  return home;
}

const edit = <T>(home: string, act: Parameters<typeof editRows<T>>[2]) =>
  editRows(home, DATABASES, act, openWritable);

function countRows(rows: SessionRows): Record<string, number> {
  const counts = [...rows.values()].flatMap((tables) =>
    [...tables].map(([name, some]) => [name, some.length] as const),
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
}

const readAll = (home: string) => edit(home, async (rows) => rows.read([PARENT]));

describe('editing the rows of sessions', () => {
  it('removes all rows of one, and adds them as they were', async () => {
    const home = await copyHome();
    const before = await readAll(home);
    expect(countRows(before)).toMatchObject({ threads: 1, thread_history_projection_state: 1 });
    await edit(home, async (rows) => rows.remove([PARENT]));
    expect(countRows(await readAll(home))).toEqual({});
    const added = await edit(home, async (rows) => rows.add(before));
    expect(added).toEqual({ added: expect.any(Number), omitted: [] });
    expect(added.added).toBeGreaterThan(1);
    expect(await readAll(home)).toEqual(before);
    expect(await edit(home, async (rows) => rows.add(before))).toEqual({ added: 0, omitted: [] });
  });

  it('reads texts whole, with what follows a NUL, and none that is not UTF-8', async () => {
    const home = await copyHome();
    const change = (sql: string): void => {
      const database = openWritable(join(home, 'state_5.sqlite'));
      database.exec(`UPDATE threads SET ${sql} WHERE id = '${PARENT}'`);
      database.close();
    };
    change("title = 'a' || char(0) || 'é', preview = '', name = NULL");
    const row = (await readAll(home)).get('state')?.get('threads')?.[0];
    expect(['title', 'preview', 'name'].map((name) => row?.get(name))).toEqual(['a\0é', '', null]);
    change("title = CAST(x'61ff62' AS TEXT)");
    const refused = readAll(home);
    await expect(refused).rejects.toBeInstanceOf(FileError);
    await expect(refused).rejects.toThrow('a text in threads is not UTF-8');
  });

  it('refuses a database in UTF-16', async () => {
    const open: OpenDatabase = (path) => {
      const database = openWritable(path);
      const prepare = (sql: string) =>
        database.prepare(sql.replace("CAST('a' AS BLOB)", "x'0061'"));
      return { ...database, prepare };
    };
    const act = editRows(await copyHome(), DATABASES, async () => 'done', open);
    await expect(act).rejects.toThrow('is in UTF-16');
  });

  it('gives a row that the agent has made again what people gave the other one, and nothing else', async () => {
    const home = await copyHome();
    const change = (sql: string): void => {
      const database = openWritable(join(home, 'state_5.sqlite'));
      database.exec(`UPDATE threads SET ${sql} WHERE id = '${PARENT}'`);
      database.close();
    };
    change("name = 'Mine', is_pinned = 1, tokens_used = 5");
    const before = await readAll(home);
    const read = async () => (await readAll(home)).get('state')?.get('threads')?.[0];
    change("name = NULL, is_pinned = 0, tokens_used = 7, git_branch = 'new'");
    expect(await edit(home, async (rows) => rows.add(before))).toEqual({ added: 0, omitted: [] });
    expect((await read())?.get('name')).toBeNull();
    const added = { added: 1, omitted: [] };
    expect(await edit(home, async (rows) => rows.add(before, true))).toEqual(added);
    const row = await read();
    const names = ['name', 'is_pinned', 'tokens_used', 'git_branch'];
    expect(names.map((name) => row?.get(name))).toEqual(['Mine', 1n, 7n, 'new']);
    const again = await edit(home, async (rows) => rows.add(before, true));
    expect(again).toEqual({ added: 0, omitted: [] });
    change("name = 'Another'");
    await edit(home, async (rows) => rows.add(before, true));
    expect((await read())?.get('name')).toBe('Another');
  });

  it.each([
    ['Mine', 'Hi', 'Hello', 'Mine'],
    ['Mine', 'Hi', '', 'Mine'],
    ['Mine', 'Hi', 'Another', 'Another'],
    ['Hi', 'Hi', 'Hello', 'Hello'],
  ])(
    'has of the titles %j of the prompt %j and %j of the prompt "Hello" the one that was given: %j',
    async (title, prompt, made, expected) => {
      const home = await copyHome();
      const change = (text: string, first: string): void => {
        const database = openWritable(join(home, 'state_5.sqlite'));
        database.exec(
          `UPDATE threads SET title = '${text}', first_user_message = '${first}' WHERE id = '${PARENT}'`,
        );
        database.close();
      };
      change(title, prompt);
      const before = await readAll(home);
      change(made, 'Hello');
      await edit(home, async (rows) => rows.add(before, true));
      const row = (await readAll(home)).get('state')?.get('threads')?.[0];
      expect(row?.get('title')).toBe(expected);
    },
  );

  it('lets a row that the agent has made again name the latest file, and show what a fork has of its parent', async () => {
    const home = await copyHome();
    const change = (sql: string): void => {
      const database = openWritable(join(home, 'state_5.sqlite'));
      database.exec(`UPDATE threads SET ${sql} WHERE id = '${PARENT}'`);
      database.close();
    };
    const read = async () => (await readAll(home)).get('state')?.get('threads')?.[0];
    change("rollout_path = '/a/x_2.jsonl', preview = 'Hi'");
    const before = await readAll(home);
    for (const [made, found] of [
      ['/b/x.jsonl', '/a/x_2.jsonl'],
      ['/b/x_3.jsonl', '/b/x_3.jsonl'],
    ]) {
      change(`rollout_path = '${made}', preview = ''`);
      await edit(home, async (rows) => rows.add(before, true));
      const row = await read();
      expect([row?.get('rollout_path'), row?.get('preview')]).toEqual([found, 'Hi']);
    }
  });

  it('adds a row that has no key but a number once', async () => {
    const home = await copyHome();
    const database = openWritable(join(home, 'logs_2.sqlite'));
    database.exec(
      'CREATE TABLE logs (id INTEGER PRIMARY KEY AUTOINCREMENT, ts INTEGER, file TEXT, thread_id TEXT)',
    );
    database.close();
    const line = new Map<string, Value>([
      ['id', 1n],
      ['ts', 1n],
      ['file', null],
      ['thread_id', PARENT],
    ]);
    const logs = new Map([['logs', new Map([['logs', [line, line]]])]]);
    const add = () => edit(home, async (rows) => rows.add(logs));
    expect(await add()).toEqual({ added: 2, omitted: [] });
    expect(await add()).toEqual({ added: 0, omitted: [] });
  });

  it('leaves out a row that belongs to one that is gone, and adds the others', async () => {
    const home = await copyHome();
    const database = openWritable(join(home, 'state_5.sqlite'));
    database.exec(
      `PRAGMA foreign_keys = OFF; DELETE FROM threads WHERE id = '${PARENT}'; ` +
        `INSERT INTO thread_attachments VALUES ('a', '${PARENT}', 'file', 'k', '{}', 1)`,
    );
    database.close();
    const before = await readAll(home);
    expect(countRows(before)).toMatchObject({ thread_attachments: 1 });
    await edit(home, async (rows) => rows.remove([PARENT]));
    const { added, omitted } = await edit(home, async (rows) => rows.add(before));
    expect(added).toBeGreaterThan(1);
    expect(omitted).toEqual([{ database: 'state', table: 'thread_attachments', rows: 1 }]);
    const after = countRows(await readAll(home));
    expect(after).toMatchObject({ thread_history_projection_state: 1 });
    expect(after).not.toHaveProperty('thread_attachments');
  });

  it('omits rows of a table and of a database that are not there', async () => {
    const home = await copyHome();
    const row = new Map([['thread_id', PARENT]]);
    const rows = new Map([
      ['goals', new Map([['thread_goal_continuation_deferrals', [row, row]]])],
      ['logs', new Map([['logs', [row]]])],
    ]);
    const database = openWritable(join(home, 'goals_1.sqlite'));
    database.exec('DROP TABLE IF EXISTS thread_goal_continuation_deferrals');
    database.close();
    expect(await edit(home, async (editor) => editor.add(rows))).toEqual({
      added: 0,
      omitted: [
        { database: 'goals', table: 'thread_goal_continuation_deferrals', rows: 2 },
        { database: 'logs', table: 'logs', rows: 1 },
      ],
    });
  });

  it('changes values of one session alone', async () => {
    const home = await copyHome();
    await edit(home, async (rows) => rows.set('threads', [PARENT], { cwd: '/moved', none: 1n }));
    const [row] = (await readAll(home)).get('state')?.get('threads') ?? [];
    expect(row?.get('cwd')).toBe('/moved');
  });

  it('changes nothing where what it was for fails', async () => {
    const home = await copyHome();
    const before = await readAll(home);
    const act = edit(home, async (rows) => {
      rows.remove([PARENT]);
      throw new Error('failed');
    });
    await expect(act).rejects.toThrow('failed');
    expect(await readAll(home)).toEqual(before);
  });

  it('takes turns on the databases of one directory', async () => {
    const home = await copyHome();
    const done: number[] = [];
    const acts = [1, 2, 3].map((n) => edit(home, async () => void done.push(n)));
    await Promise.all(acts);
    expect(done).toEqual([1, 2, 3]);
  });

  it.each([
    ['a table', 'CREATE TABLE thread_new (thread_id TEXT)', 'thread_new'],
    ['a column', 'ALTER TABLE threads ADD COLUMN new TEXT', 'threads.new'],
  ])('refuses a database with %s that is not known', async (_what, sql, named) => {
    const home = await copyHome();
    const database = openWritable(join(home, 'state_5.sqlite'));
    database.exec(sql);
    database.close();
    const act = edit(home, async () => expect.unreachable());
    await expect(act).rejects.toThrow(FileError);
    await expect(act).rejects.toThrow(named);
  });

  it('refuses a newer database, and one that is only there in an older version', async () => {
    for (const name of ['state_6.sqlite', 'queue_0.sqlite']) {
      const home = await copyHome();
      cpSync(join(home, 'goals_1.sqlite'), join(home, name));
      await expect(edit(home, async () => expect.unreachable())).rejects.toThrow('version');
    }
    const home = await copyHome();
    cpSync(join(home, 'goals_1.sqlite'), join(home, 'state_4.sqlite'));
    await expect(edit(home, async () => 'done')).resolves.toBe('done');
  });
});
