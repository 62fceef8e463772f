import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { copyHome } from '../../session/agents/codex/corpus.ts';
import { openWritable } from '../../store/database/open-writable.ts';
import { readRows } from '../../../src/store/archive/member/read-member.ts';
import { withoutSqlite } from '../../without-sqlite.ts';

const ID = '01a1fffd-5af9-75b0-aac2-5de81901cecc';
const FILE = `sessions/2026/11/21/rollout-2026-11-21T21-22-36-${ID}.jsonl`;

describe('a backup where rows are not read', () => {
  it('says that it is made without rows, and which Node reads them', async () => {
    const { home } = await copyHome();
    const argv = ['export', ID, '--as', 'archive', '--out', join(home, 'archive'), '--json'];
    const place = { cwd: home, home: dirname(home), env: {} };
    const { out, exitCode } = await withoutSqlite(() => runTest(argv, place));
    expect(exitCode).toBe(0);
    expect(out).toContain('without its rows in the databases of its agent: Node');
  });

  it('says so again as long as they are missing, and no more once it has them', async () => {
    const { home } = await copyHome();
    const argv = ['export', ID, '--as', 'archive', '--out', join(home, 'archive')];
    const backUp = () => runTest(argv, { cwd: home, home: dirname(home), env: {} });
    await withoutSqlite(backUp);
    const again = await withoutSqlite(backUp);
    expect(again.out).toContain(
      'not changed, without its rows in the databases of its agent: Node',
    );
    expect(again.out).toContain('Copied 0 of 1 session, 0 B. 1 not changed since the last backup.');
    expect((await backUp()).out).toContain('Copied 1 of 1 session');
    expect((await backUp()).out).not.toContain('without its rows');
  });
});

/** Backs a thread up, changes a row, lets the file grow, and backs it up again; how many states are kept each time. */
async function countStates(name: string, [before, after]: readonly [string, string]) {
  const { world, home } = await copyHome();
  const archive = join(world, 'archive');
  const execute = (sql: string): void => {
    const database = openWritable(join(home, `${name}.sqlite`));
    database.exec(sql);
    database.close();
  };
  const backUp = async (): Promise<number> => {
    const argv = ['export', ID, '--as', 'archive', '--out', archive];
    await runTest(argv, { cwd: world, home: world, env: {} });
    return readdirSync(archive).filter((one) => one.includes(ID)).length;
  };
  execute(before);
  const first = await backUp();
  execute(after);
  const [last] = readFileSync(join(home, FILE), 'utf8').trimEnd().split('\n').toReversed();
  appendFileSync(join(home, FILE), `${last}\n`);
  return [first, await backUp()];
}

describe('a backup where rows are read', () => {
  it.each([
    ['with a name that the database has no more', 'NULL', 2],
    ['with an older name', "'Newer'", 1],
  ])('keeps a state %s', async (_, name, count) => {
    const rename = (to: string): string => `UPDATE threads SET name = ${to} WHERE id = '${ID}'`;
    expect(await countStates('state_5', [rename("'Older'"), rename(name)])).toEqual([1, count]);
  });

  it.each([
    ['goal', 'goals_1', 'thread_goals', `'${ID}', 'g', 'Mine', 'complete', NULL, 0, 0, 1, 1`],
    ['attachment', 'state_5', 'thread_attachments', `'a', '${ID}', 'file', 'k', '{}', 1`],
  ])(
    'keeps a state with a thing that the database has no more: %s',
    async (_, name, table, values) => {
      const sql = [`INSERT INTO ${table} VALUES (${values})`, `DELETE FROM ${table}`] as const;
      expect(await countStates(name, sql)).toEqual([1, 2]);
    },
  );

  it('copies a name that only the database has, though no file has changed', async () => {
    const { world, home } = await copyHome();
    const archive = join(world, 'archive');
    // A file that was written just before would be read again for that.
    const now = (): number => Date.now() + 3_600_000;
    const backUp = async (): Promise<string> => {
      const argv = ['export', ID, '--as', 'archive', '--out', archive, '--json'];
      return (await runTest(argv, { cwd: world, home: world, env: {}, now })).out;
    };
    await backUp();
    expect(await backUp()).toContain('"action":"unchanged"');
    const database = openWritable(join(home, 'state_5.sqlite'));
    database.exec(`UPDATE threads SET name = 'Precious' WHERE id = '${ID}'`);
    database.close();
    expect(await backUp()).toContain('"action":"backup"');
    const members = readdirSync(archive).filter((one) => one.includes(ID));
    const rows = await Promise.all(members.map((one) => readRows(join(archive, one))));
    expect(rows.join('\n')).toContain('Precious');
    expect(await backUp()).toContain('"action":"unchanged"');
  });
});
