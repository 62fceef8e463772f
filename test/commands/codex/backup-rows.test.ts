import { appendFileSync, cpSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { openWritable } from '../../store/database/open-writable.ts';
import { readRows } from '../../../src/store/archive/member/read-member.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { withoutSqlite } from '../../without-sqlite.ts';

const ID = '01a1fffd-5af9-75b0-aac2-5de81901cecc';
const FILE = `sessions/2026/11/21/rollout-2026-11-21T21-22-36-${ID}.jsonl`;

describe('a backup where rows are not read', () => {
  it('says that it is made without rows, and which Node reads them', async () => {
    const home = join(await makeTempDir(), '.codex');
    cpSync(join(FIXTURES, 'home'), home, { recursive: true });
    const argv = ['export', ID, '--as', 'archive', '--out', join(home, 'archive'), '--json'];
    const place = { cwd: home, home: dirname(home), env: {} };
    const { out, exitCode } = await withoutSqlite(() => runTest(argv, place));
    expect(exitCode).toBe(0);
    expect(out).toContain('without its rows in the databases of its agent: Node');
  });

  it('says so again as long as they are missing, and no more once it has them', async () => {
    const home = join(await makeTempDir(), '.codex');
    cpSync(join(FIXTURES, 'home'), home, { recursive: true });
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

describe('a backup where rows are read', () => {
  it.each([
    ['with a name that the database has no more', 'NULL', 2],
    ['with an older name', "'Newer'", 1],
  ])('keeps a state %s', async (_, name, count) => {
    const home = join(await makeTempDir(), '.codex');
    cpSync(join(FIXTURES, 'home'), home, { recursive: true });
    const rename = (to: string): void => {
      const database = openWritable(join(home, 'state_5.sqlite'));
      database.exec(`UPDATE threads SET name = ${to} WHERE id = '${ID}'`);
      database.close();
    };
    const world = dirname(home);
    const archive = join(world, 'archive');
    const backUp = async (): Promise<number> => {
      const argv = ['export', ID, '--as', 'archive', '--out', archive];
      await runTest(argv, { cwd: world, home: world, env: {} });
      return readdirSync(archive).filter((one) => one.includes(ID)).length;
    };
    rename("'Older'");
    expect(await backUp()).toBe(1);
    rename(name);
    const [last] = readFileSync(join(home, FILE), 'utf8').trimEnd().split('\n').toReversed();
    appendFileSync(join(home, FILE), `${last}\n`);
    expect(await backUp()).toBe(count);
  });

  it.each([
    ['goal', 'goals_1', 'thread_goals', `'${ID}', 'g', 'Mine', 'complete', NULL, 0, 0, 1, 1`],
    ['attachment', 'state_5', 'thread_attachments', `'a', '${ID}', 'file', 'k', '{}', 1`],
  ])(
    'keeps a state with a thing that the database has no more: %s',
    async (_, name, table, values) => {
      const home = join(await makeTempDir(), '.codex');
      cpSync(join(FIXTURES, 'home'), home, { recursive: true });
      const execute = (sql: string): void => {
        const database = openWritable(join(home, `${name}.sqlite`));
        database.exec(sql);
        database.close();
      };
      const world = dirname(home);
      const archive = join(world, 'archive');
      const backUp = async (): Promise<number> => {
        const argv = ['export', ID, '--as', 'archive', '--out', archive];
        await runTest(argv, { cwd: world, home: world, env: {} });
        return readdirSync(archive).filter((one) => one.includes(ID)).length;
      };
      execute(`INSERT INTO ${table} VALUES (${values})`);
      expect(await backUp()).toBe(1);
      execute(`DELETE FROM ${table}`);
      const [last] = readFileSync(join(home, FILE), 'utf8').trimEnd().split('\n').toReversed();
      appendFileSync(join(home, FILE), `${last}\n`);
      expect(await backUp()).toBe(2);
    },
  );

  it('copies a name that only the database has, though no file has changed', async () => {
    const home = join(await makeTempDir(), '.codex');
    cpSync(join(FIXTURES, 'home'), home, { recursive: true });
    const world = dirname(home);
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
