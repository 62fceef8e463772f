import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { copyHome } from '../../session/agents/codex/corpus.ts';
import { openWritable } from '../../store/database/open-writable.ts';
import { withoutSqlite } from '../../without-sqlite.ts';

const PACKED = '01a1fffd-5aa0-7002-bccf-c18ba9b56497';
const REMOVE = [PACKED, '--larger-than', '1B', '--grace', '0min', '--apply'];
const OMITTED = [{ database: 'state', table: 'thread_attachments', rows: 1 }];
const WITHOUT =
  'without 1 row of thread_attachments: its agent lacks what they belong to, or would continue by itself';

let world: string;
let home: string;

/** The row of an attachment, whose thread has none. */
beforeEach(async () => {
  ({ world, home } = await copyHome());
  const database = openWritable(join(home, 'state_5.sqlite'));
  database.exec(
    `PRAGMA foreign_keys = OFF; DELETE FROM threads WHERE id = '${PACKED}'; ` +
      `INSERT INTO thread_attachments VALUES ('a', '${PACKED}', 'file', 'k', '{}', 1)`,
  );
  database.close();
});

const run = (...args: readonly string[]) =>
  runTest(['prune', ...args], { home: world, cwd: world, env: {} });

async function readResults(...args: readonly string[]): Promise<readonly PruneResult[]> {
  const { out } = await run(...args, '--json');
  return (JSON.parse(out) as { results: readonly PruneResult[] }).results;
}

describe('rows that belong to nothing', () => {
  it('are named when the others come back from an archive', async () => {
    await run(...REMOVE, '--archive', 'archive');
    const restore = ['--archive', 'archive', '--restore', PACKED];
    const [restored] = await readResults(...restore);
    expect(restored).toMatchObject({
      action: 'restore',
      omittedRows: OMITTED,
      reasons: expect.arrayContaining([WITHOUT]),
    });
    const { out, exitCode } = await run(...restore);
    expect([exitCode, out]).toEqual([0, expect.stringContaining(WITHOUT)]);
  });

  it('stay in their file when the others come back from the trash', async () => {
    await run(...REMOVE);
    const trash = join(world, '.local', 'share', 'Trash', 'files');
    const day = join(home, 'sessions', '2026', '11', '21');
    for (const name of readdirSync(trash)) {
      const to = join(day, name.replace(/\.[\da-f]{12}$/, ''));
      cpSync(join(trash, name), to, { recursive: true });
    }
    const file = join(day, readdirSync(day).find((one) => one.endsWith('.rows.json')) ?? '');
    const told = { omittedRows: OMITTED, reasons: ['its rows', WITHOUT] };
    expect(await readResults('--restore', file)).toMatchObject([{ action: 'restore', ...told }]);
    expect(existsSync(file)).toBe(true);
  });
});

describe('a database of 0.171', () => {
  const OTHER = '01a1fffd-58f8-73e3-88f2-15ee10c483f9';
  const open = () => openWritable(join(home, 'state_5.sqlite'));
  const list = (): unknown => {
    const database = open();
    const found: unknown = database.prepare('SELECT * FROM session_model_ids ORDER BY 1, 4').all();
    database.close();
    return found;
  };
  const rowsOf = (...ids: readonly string[]): unknown =>
    ids.flatMap((id) => [
      { session_id: id, kind: 'item', external_key: 'a', ordinal: 0n, initial_state: '{}' },
      { session_id: id, kind: 'item', external_key: 'b', ordinal: 1n, initial_state: null },
    ]);

  beforeEach(() => {
    const database = open();
    database.exec(`
      CREATE TABLE session_model_ids (
        session_id TEXT NOT NULL, kind TEXT NOT NULL, external_key TEXT NOT NULL,
        ordinal INTEGER NOT NULL CHECK (ordinal >= 0), initial_state TEXT,
        PRIMARY KEY (session_id, kind, external_key), UNIQUE (session_id, kind, ordinal),
        CHECK ((ordinal = 0) = (initial_state IS NOT NULL)));`);
    for (const id of [PACKED, OTHER]) {
      database.exec(`INSERT INTO session_model_ids VALUES
        ('${id}', 'item', 'a', 0, '{}'), ('${id}', 'item', 'b', 1, NULL)`);
    }
    database.close();
  });

  it('has no table that is unknown', async () => {
    const [planned] = await readResults(PACKED, '--larger-than', '1B', '--grace', '0min');
    expect(planned).toMatchObject({ action: 'remove' });
  });

  describe('of which a thread is removed', () => {
    it('loses the ids that the model was shown of it, and gets them back', async () => {
      await run(...REMOVE, '--archive', 'archive');
      expect(list()).toEqual(rowsOf(OTHER));
      await run('--archive', 'archive', '--restore', PACKED);
      expect(list()).toEqual(rowsOf(OTHER, PACKED));
    });
  });
});

describe('rows of a thread that no trash takes', () => {
  it('are left in their database alone', async () => {
    const share = join(world, '.local', 'share');
    mkdirSync(share, { recursive: true });
    writeFileSync(join(share, 'Trash'), '');
    const list = () => readdirSync(join(home, 'sessions'), { recursive: true });
    const before = list();
    expect((await run(...REMOVE)).exitCode).toBe(3);
    expect(list()).toEqual(before);
  });
});

describe('rows that belong to nothing', () => {
  it.each([['--archive', 'archive'], []])(
    'keep their thread where no row is written: %s',
    async (...to) => {
      const before = readdirSync(home, { recursive: true });
      const { exitCode, out, err } = await withoutSqlite(() => run(...REMOVE, ...to));
      expect([exitCode, out]).toEqual([3, expect.stringContaining('Removed 0 of 1 session')]);
      expect(err).toContain('use Node 22.13 or newer');
      expect(readdirSync(home, { recursive: true })).toEqual(before);
    },
  );
});
