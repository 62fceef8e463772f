import { cp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FileError } from '../../../src/errors.ts';
import { getDialect } from '../../../src/session/agents/index.ts';
import { usualSidecars } from '../../../src/session/dialect/surroundings/sidecars.ts';
import { toOwnPath } from '../../../src/session/jsonl/files/temp-file.ts';
import type { Candidate } from '../../../src/session/prune/candidate.ts';
import type { OpenDatabase } from '../../../src/store/database/sqlite.ts';
import { removeLeftRows, removeWithRows } from '../../../src/store/remove/remove-whole.ts';
import { removeSession } from '../../../src/store/remove/remove-session.ts';
import { readSessionFiles } from '../../../src/store/sessions/session-files.ts';
import { openWritable } from '../database/open-writable.ts';
import { makeTempDir } from '../../temp-dir.ts';

const HOME = join(import.meta.dirname, '../../fixtures/codex/home');
const OWN = '01a1fffd-5c5c-7740-8733-f25d59bb2ffe';
const ROLLOUT = `sessions/2026/11/21/rollout-2026-11-21T21-22-36-${OWN}.jsonl`;

/** A database that has no room for a transaction, as SQLite finds out when it is to be written. */
const openFull: OpenDatabase = (path) => {
  const connection = openWritable(path);
  const exec = (sql: string): void => {
    if (sql === 'COMMIT') throw new Error('database or disk is full');
    connection.exec(sql);
  };
  return { ...connection, exec };
};

async function makeHome() {
  const home = join(await makeTempDir(), '.codex');
  await cp(HOME, home, { recursive: true });
  const path = join(home, ROLLOUT);
  const files = await readSessionFiles(path, getDialect('codex').sidecars ?? usualSidecars);
  const candidate = { agent: 'codex', path, id: OWN, ids: [OWN] } as unknown as Candidate;
  const count = (): number => {
    const database = openWritable(join(home, 'state_5.sqlite'));
    const { length } = database.prepare('SELECT id FROM threads WHERE id = ?').all(OWN);
    database.close();
    return length;
  };
  const listNotes = async () => (await readdir(home)).filter((name) => name.includes('leaving'));
  const left: FileError[] = [];
  const remove = (open: OpenDatabase) =>
    removeWithRows({ candidate, files }, () => removeSession(files), {
      report: (problem) => left.push(problem),
      open,
    });
  return { home, path, candidate, count, listNotes, left, remove };
}

/** Makes notes those of a process that is gone. */
async function endRun(home: string, notes: readonly string[]): Promise<void> {
  for (const name of notes) {
    await rename(join(home, name), join(home, name.replace(/\.\d+@/, '.4194999@')));
  }
}

describe('rows that a database keeps after the files of their session are gone', () => {
  it('are reported, and removed by the next run', async () => {
    const { home, path, candidate, count, listNotes, left, remove } = await makeHome();
    expect(await remove(openFull)).toBe('removed');
    expect(left.map(({ message }) => message).join()).toContain('its rows are left');
    expect((await readdir(dirname(path))).join()).not.toContain(OWN);
    expect(count()).toBe(1);
    await endRun(home, await listNotes());
    expect(await removeLeftRows([candidate], 0, openWritable)).toEqual([]);
    expect([count(), await listNotes()]).toEqual([0, []]);
  });

  it('are those by both ids of a later generation', async () => {
    const { home, path, candidate, listNotes } = await makeHome();
    const [id, later] = [
      '01a1fffd-592e-7483-a952-5eb79e5a9b63',
      '01a1fffd-59d8-7800-b244-2a85526d31a4',
    ];
    const file = join(dirname(path), `rollout-2026-11-21T21-22-36-${id}_${later}.jsonl`);
    await writeFile(
      toOwnPath(join(home, 'rows'), 'coppice-leaving'),
      [id, later].map((one) => `${JSON.stringify({ path: file, id: one, count: 1 })}\n`).join(''),
    );
    for (const name of await readdir(dirname(path)))
      if (name.includes(id)) await rm(join(dirname(path), name));
    await endRun(home, await listNotes());
    expect(await removeLeftRows([candidate], 0, openWritable)).toEqual([]);
    for (const [name, table, key] of [
      ['state_5', 'threads', 'id'],
      ['thread_history_1', 'thread_turns', 'thread_id'],
    ]) {
      const database = openWritable(join(home, `${name}.sqlite`));
      const sql = `SELECT 1 FROM ${table} WHERE ${key} IN (?, ?)`;
      expect(database.prepare(sql).all(id, later)).toEqual([]);
      database.close();
    }
  });

  it('are kept where a file of the session is there again', async () => {
    const { home, path, candidate, count, listNotes, remove } = await makeHome();
    await remove(openFull);
    await endRun(home, await listNotes());
    await writeFile(join(home, 'sessions', `${basename(path)}.zst`), '');
    await removeLeftRows([candidate], 0, openWritable);
    expect([count(), await listNotes()]).toEqual([1, []]);
  });

  it('are noted only while the session is being removed', async () => {
    const { path, count, listNotes, remove } = await makeHome();
    await rm(path);
    await expect(remove(openWritable)).rejects.toMatchObject({ code: 'ENOENT' });
    expect([count(), await listNotes()]).toEqual([1, []]);
  });
});
