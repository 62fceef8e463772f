import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../src/session/read/read-context.ts';
import { makeFamily, PARENT } from '../session/agents/codex/made-family.ts';
import { coppice } from './coppice.ts';
import { IS_LONG } from './faults/sandbox-root.ts';
import { makeMemoryDir } from './memory-dir.ts';
import { chooseMoments, failAt, type Stoppable, stopAt } from './moments.ts';
import { NEWER_NODE } from './newer-node.ts';

const MOMENTS = IS_LONG ? 96 : 3;

interface Line {
  readonly ordinal: number;
  readonly type: string;
  readonly payload: { readonly type?: string; readonly turn_id?: string };
}

/** Where each line of a rollout begins, and where the next one does. */
function listLines(path: string) {
  let offset = 0;
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((text) => {
      const start = offset;
      offset += Buffer.byteLength(text) + 1;
      if (text.trim() === '') return [];
      return [{ start, end: offset, ...(JSON.parse(text) as Line) }];
    });
}

/** The turns of a rollout, by the ordinals and the bytes that Codex has of them in its database. */
function listTurns(path: string) {
  const lines = listLines(path);
  return lines.flatMap(({ start, ordinal, payload: { type, turn_id: id } }) => {
    if (type !== 'task_started' || id === undefined) return [];
    const last = lines.find(
      ({ payload }) => payload.type === 'task_complete' && payload.turn_id === id,
    );
    return [[id, ordinal, start, last?.ordinal ?? null, last?.end ?? null] as const];
  });
}

function makeDatabase(home: string, path: string): void {
  const database = new sqlite.Database(join(home, 'thread_history_1.sqlite'));
  database.exec(
    'CREATE TABLE thread_history_projection_state (thread_id TEXT PRIMARY KEY, ' +
      'next_rollout_byte_offset INTEGER NOT NULL, next_rollout_ordinal INTEGER NOT NULL);' +
      'CREATE TABLE thread_turns (thread_id TEXT NOT NULL, turn_id TEXT NOT NULL, ' +
      'rollout_ordinal INTEGER NOT NULL, rollout_byte_offset INTEGER, ' +
      'rollout_end_ordinal INTEGER, rollout_end_byte_offset INTEGER, PRIMARY KEY (thread_id, turn_id))',
  );
  const last = listLines(path).at(-1);
  const state = [PARENT, last?.end ?? 0, (last?.ordinal ?? 0) + 1];
  database.run('INSERT INTO thread_history_projection_state VALUES (?, ?, ?)', state);
  for (const turn of listTurns(path)) {
    database.run('INSERT INTO thread_turns VALUES (?, ?, ?, ?, ?, ?)', [PARENT, ...turn]);
  }
  database.close();
}

function readRows(home: string) {
  const database = new sqlite.Database(join(home, 'thread_history_1.sqlite'));
  const turns = database.all(
    'SELECT turn_id, rollout_ordinal, rollout_byte_offset, rollout_end_ordinal, ' +
      'rollout_end_byte_offset FROM thread_turns ORDER BY rollout_ordinal',
  );
  const [state] = database.all('SELECT * FROM thread_history_projection_state');
  database.close();
  return {
    turns: turns.map((row) => Object.values(row)),
    next: state?.['next_rollout_byte_offset'],
  };
}

/** A family in a home that can be put back as it was. */
async function setUp() {
  const top = await makeMemoryDir();
  const [home, kept] = [join(top, 'home'), join(top, 'kept')];
  mkdirSync(join(home, 'thread-writer-locks'), { recursive: true });
  const family = makeFamily(home);
  const path = family.get(PARENT) ?? '';
  makeDatabase(home, path);
  cpSync(home, kept, { recursive: true, preserveTimestamps: true });
  const restore = () => {
    rmSync(home, { recursive: true });
    cpSync(kept, home, { recursive: true, preserveTimestamps: true });
  };
  return { home, path, paths: [...family.values()], restore };
}

const readSent = (paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => (await readContext(path)).messages));

const scope = NEWER_NODE === undefined ? undefined : describe;
/** What is done to a run at its call of some number. */
const FAULTS = {
  'killed at any moment': (run: Stoppable, moment: number) => stopAt(run, moment, 'SIGKILL'),
  'of which any call fails': (run: Stoppable, moment: number) => failAt(run, moment, 'EIO'),
};

scope?.('coppice compact of a thread that others go on from', () => {
  it.each(Object.entries(FAULTS))(
    '%s: what each sends is as it was, no row counts other bytes, and the next run ends the work',
    async (_, fault) => {
      const { home, path, paths, restore } = await setUp();
      const before = await readSent(paths);
      const args = ['compact', '--superseded-state', '--apply', join(home, 'sessions')];
      const run = { args, root: home, node: NEWER_NODE };
      const moments = await chooseMoments(run, MOMENTS);
      const whole = paths.map((one) => readFileSync(one, 'utf8'));
      expect(await readSent(paths)).toEqual(before);
      expect(readRows(home)).toEqual({ turns: listTurns(path), next: 0 });
      for (const moment of moments) {
        restore();
        await fault(run, moment);
        expect(await readSent(paths)).toEqual(before);
        const places = new Map(listTurns(path).map((turn) => [turn[0], turn]));
        const placed = readRows(home).turns.filter((row) => row[2] !== null || row[4] !== null);
        expect(placed).toEqual(placed.map((row) => places.get(String(row[0]))));
        await coppice(args, { node: NEWER_NODE });
        expect(paths.map((one) => readFileSync(one, 'utf8'))).toEqual(whole);
        expect(readRows(home).turns).toEqual(listTurns(path));
      }
    },
  );
});
