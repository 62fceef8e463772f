import { existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { describe, expect, it } from 'vitest';
import { getRecorded, placeIn } from '../session/agents/codex/corpus.ts';
import { coppice } from './coppice.ts';
import { IS_LONG } from './faults/sandbox-root.ts';
import { makeMemoryDir } from './memory-dir.ts';
import { chooseMoments, stopAt } from './moments.ts';
import { NEWER_NODE } from './newer-node.ts';

const MOMENTS = IS_LONG ? 48 : 4;
const LONG_AGO = 1_700_000_000;
async function setUp() {
  const home = await makeMemoryDir();
  const path = await placeIn(home, getRecorded('compacted-auto'));
  mkdirSync(join(home, 'thread-writer-locks'));
  const text = readFileSync(path);
  const restore = () => {
    for (const one of [path, `${path}.zst`]) rmSync(one, { force: true });
    writeFileSync(path, text);
    utimesSync(path, LONG_AGO, LONG_AGO);
  };
  restore();
  return { home, path, text, restore };
}

const readLeft = async (path: string) => (await readdir(dirname(path))).toSorted();

describe.skipIf(!NEWER_NODE)('coppice compact of a thread of Codex, killed at any moment', () => {
  it('has the thread whole under one of its names, and the next run ends the work', async () => {
    const { home, path, text, restore } = await setUp();
    const [packing, unpacking] = ['--compress', '--decompress'].map((option) => {
      return { args: ['compact', option, '--apply', dirname(path)], root: home, node: NEWER_NODE };
    });
    if (!packing || !unpacking) throw new TypeError('there are two');
    const states = new Set<string>();
    for (const moment of await chooseMoments(packing, MOMENTS)) {
      restore();
      await stopAt(packing, moment, 'SIGKILL');
      const isPlain = existsSync(path);
      states.add(isPlain ? 'plain' : 'packed');
      expect(!isPlain || readFileSync(path).equals(text)).toBe(true);
      await coppice(packing.args, { node: NEWER_NODE });
      expect(await readLeft(path)).toEqual([`${path.slice(dirname(path).length + 1)}.zst`]);
      await coppice(unpacking.args, { node: NEWER_NODE });
      expect(readFileSync(path).equals(text)).toBe(true);
    }
    expect(states.has('plain')).toBe(true);
  });

  it('leaves no row that counts bytes which are no longer there', async () => {
    const { home, path, restore } = await setUp();
    const [, id = ''] = /-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/.exec(path) ?? [];
    const file = join(home, 'thread_history_1.sqlite');
    const reset = () => {
      restore();
      // A journal that a killed run has left would be applied to the new database.
      for (const ending of ['', '-journal', '-wal', '-shm']) {
        rmSync(`${file}${ending}`, { force: true });
      }
      const made = new sqlite.Database(file);
      made.exec(
        'CREATE TABLE thread_history_projection_state (thread_id TEXT PRIMARY KEY, ' +
          'next_rollout_byte_offset INTEGER, next_rollout_ordinal INTEGER)',
      );
      made.run('INSERT INTO thread_history_projection_state VALUES (?, 100, 1)', [id]);
      made.close();
    };
    reset();
    const args = ['compact', '--superseded-state', '--apply', path];
    const run = { args, root: home, node: NEWER_NODE };
    const before = readFileSync(path);
    const moments = await chooseMoments(run, MOMENTS);
    for (const moment of moments) {
      reset();
      await stopAt(run, moment, 'SIGKILL');
      const isOld = readFileSync(path).equals(before);
      const next = await coppice(args, { node: NEWER_NODE });
      const done = isOld ? 'Reduced 1 of 1 session' : 'Reduced 0 of 1 session';
      expect(next).toMatchObject({ exitCode: 0, out: expect.stringContaining(done) });
      const database = new sqlite.Database(file);
      const rows = database.all('SELECT thread_id FROM thread_history_projection_state');
      database.close();
      expect({ isOld, rows }).toEqual({ isOld, rows: [] });
      expect(readFileSync(path).length).toBeLessThan(before.length);
    }
  });
});
