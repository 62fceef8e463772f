import { cpSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readDatabase } from '../../../src/store/database/read-database.ts';
import { makeTempDir, useOwnTempDir } from '../../temp-dir.ts';

const TABLES = { threads: ['id', 'name', 'of_later'], edges: ['child'] };

/** A database with two threads; its last row is in the log beside it only, as while a client runs. */
async function makeDatabase(): Promise<string> {
  const directory = await makeTempDir();
  const [live, path] = [join(directory, 'live.sqlite'), join(directory, 'state_5.sqlite')];
  const database = new sqlite.Database(live);
  database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL');
  database.exec('CREATE TABLE threads (id TEXT PRIMARY KEY, name TEXT, more BLOB)');
  database.exec(
    "INSERT INTO threads VALUES ('one', 'First', NULL); PRAGMA wal_checkpoint(TRUNCATE)",
  );
  database.exec("INSERT INTO threads VALUES ('two', NULL, NULL)");
  for (const ending of ['', '-wal']) cpSync(live + ending, path + ending);
  database.close();
  return path;
}

describe('readDatabase', () => {
  it('does not take a database for missing where there is no directory for a copy', async () => {
    const path = await makeDatabase();
    for (const name of ['TMPDIR', 'TEMP', 'TMP']) vi.stubEnv(name, join(path, '../missing'));
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    await expect(readDatabase(path, TABLES)).rejects.toMatchObject({
      path,
      code: 'EBADDB',
      message: expect.stringMatching(
        /^cannot be copied to be read: .*: no such file or directory$/,
      ),
    });
  });

  it('reads the columns that are there, and what is in the log only', async () => {
    const path = await makeDatabase();
    const before = readdirSync(join(path, '..'));
    const temporary = await useOwnTempDir();
    const tables = await readDatabase(path, TABLES);
    expect(Object.fromEntries(tables)).toEqual({
      threads: [
        { id: 'one', name: 'First' },
        { id: 'two', name: null },
      ],
    });
    expect(readdirSync(join(path, '..'))).toEqual(before);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it('reads what is in the log beside the database that a link leads to', async () => {
    const path = await makeDatabase();
    const link = join(await makeTempDir(), 'state_5.sqlite');
    symlinkSync(path, link);
    expect((await readDatabase(link, TABLES)).get('threads')).toHaveLength(2);
  });

  it('does not read a change that was never finished', async () => {
    const directory = await makeTempDir();
    const [live, path] = [join(directory, 'live.sqlite'), join(directory, 'state_5.sqlite')];
    const database = new sqlite.Database(live);
    database.exec('PRAGMA cache_size = 1; CREATE TABLE threads (id TEXT, name TEXT)');
    const fill = `WITH RECURSIVE n(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM n LIMIT 3000)
      INSERT INTO threads SELECT 'id ' || at, 'First' FROM n`;
    database.exec(fill);
    database.exec("BEGIN IMMEDIATE; UPDATE threads SET name = 'Other'");
    // As after a crash: pages of the change are in the database, and the journal knows what they replaced.
    for (const ending of ['', '-journal']) cpSync(live + ending, path + ending);
    database.exec('ROLLBACK');
    database.close();
    await expect(readDatabase(path, TABLES)).rejects.toThrow('a change to it is not finished');
    // What is left of a journal after a change.
    writeFileSync(`${path}-journal`, Buffer.alloc(512));
    expect((await readDatabase(path, TABLES)).get('threads')).toHaveLength(3000);
  });

  it('reads nothing where a file beside the database is a link that leads nowhere', async () => {
    const path = await makeDatabase();
    rmSync(`${path}-wal`);
    symlinkSync('/nowhere', `${path}-wal`);
    await expect(readDatabase(path, TABLES)).rejects.toThrow('leads nowhere');
  });

  it('takes a view for no table, whatever it computes', async () => {
    const path = join(await makeTempDir(), 'state_5.sqlite');
    const database = new sqlite.Database(path);
    database.exec(
      'CREATE VIEW threads AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n) SELECT id FROM n',
    );
    database.close();
    expect(await readDatabase(path, TABLES)).toEqual(new Map());
  });

  it.each([
    ['is not there', () => undefined, 'ENOENT'],
    ['is a directory', (path: string) => mkdirSync(path), 'EINVAL'],
    ['is not a database', (path: string) => writeFileSync(path, 'x'.repeat(9000)), 'EBADDB'],
  ])('fails where it %s', async (_, make, code) => {
    const path = join(await makeTempDir(), 'state_5.sqlite');
    make(path);
    await expect(readDatabase(path, TABLES)).rejects.toMatchObject({ name: 'FileError', code });
  });
});
