import { mkdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import sqlite from 'node-sqlite3-wasm';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../../src/session/read/read-context.ts';
import { runTest } from '../../memory-terminal.ts';
import { getRecorded, placeIn, placeRecorded } from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';

interface Result {
  readonly path: string;
  readonly action: string;
  readonly reasons: readonly string[];
  readonly bytesAfter: number;
  readonly savings: readonly { readonly reducer: string; readonly count: number }[];
}

async function compact(path: string, ...argv: readonly string[]): Promise<Result | undefined> {
  const cwd = dirname(path);
  const { out, err } = await runTest(['compact', path, ...argv, '--json'], { cwd, home: cwd });
  if (out === '') throw new Error(err);
  return (JSON.parse(out) as { readonly results: readonly Result[] }).results[0];
}

/** Puts a longer output in both places of a recorded one. */
function lengthen(path: string): void {
  const long = JSON.stringify('a line of output\n'.repeat(100));
  const text = readFileSync(path, 'utf8');
  const keys = /("aggregated_output"|"output"):"(?:[^"\\]|\\.){0,5000}"/g;
  writeFileSync(
    path,
    text.replace(keys, (_, key: string) => `${key}:${long}`),
  );
}

describe('compact with reducers, of a thread of Codex', () => {
  it.each(['linear-tools', 'legacy-linear'])(
    'cuts outputs wherever they stand: %s',
    async (name) => {
      const path = await placeRecorded(getRecorded(name));
      lengthen(path);
      utimesSync(path, 1_700_000_000, 1_700_000_000);
      const { mtimeMs } = statSync(path);
      const planned = await compact(path, '--tool-output', '300');
      expect(planned).toMatchObject({ action: 'reduce' });
      expect(await compact(path, '--tool-output', '300', '--apply')).toEqual(planned);
      expect(statSync(path)).toMatchObject({ size: planned?.bytesAfter, mtimeMs });
      const text = readFileSync(path, 'utf8');
      expect(text).not.toContain('a line of output\\n'.repeat(50));
      expect(text).toContain('bytes of output cut by coppice');
    },
  );

  it('drops images from items and events, and says that it does nothing else with them', async () => {
    const path = await placeRecorded(getRecorded('images'));
    expect(await compact(path, '--images', 'drop', '--apply')).toMatchObject({ action: 'reduce' });
    const text = readFileSync(path, 'utf8');
    expect(text).not.toContain('data:image');
    expect(text).toContain('[image left out by coppice: image/png');
    for (const line of text.split('\n').filter(Boolean)) JSON.parse(line);
    const other = await placeRecorded(getRecorded('images'));
    await expect(compact(other, '--images', 'extract')).rejects.toThrow('only --images drop');
  });

  it('empties what a later compaction replaces, and never the newest', async () => {
    const path = await placeRecorded(getRecorded('compacted-auto'));
    const before = await readContext(path);
    const result = await compact(path, '--superseded-state', '--apply');
    expect(result).toMatchObject({ action: 'reduce' });
    expect(result?.reasons.join()).toMatch(
      /before its last compaction is no longer possible; that one \([\d,]+ bytes\)/,
    );
    expect((await readContext(path)).messages).toEqual(before.messages);
    const histories = readFileSync(path, 'utf8').match(/"replacement_history":\[.?/g);
    expect(histories).toContain('"replacement_history":[]');
    expect(histories).toContain('"replacement_history":[{');
    expect(await compact(path, '--superseded-state', '--grace', '0s')).toMatchObject({
      action: 'unchanged',
    });
  });

  it('leaves a thread that another one goes on from', async () => {
    const home = await makeTempDir();
    await placeIn(home, getRecorded('fork-child'));
    const path = await placeIn(home, getRecorded('fork-parent'));
    const before = readFileSync(path);
    const result = await compact(path, '--tool-output', '200', '--superseded-state', '--apply');
    expect(result).toMatchObject({ action: 'skip' });
    expect(result?.reasons.join()).toContain('goes on from a byte of it');
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('leaves a thread whose list of turns is in a database that cannot be read', async () => {
    const path = await placeRecorded(getRecorded('linear-tools'));
    lengthen(path);
    const home = path.slice(0, path.indexOf('/sessions/'));
    writeFileSync(join(home, 'thread_history_1.sqlite'), 'no database');
    expect(await compact(path, '--tool-output', '300', '--apply')).toMatchObject({
      action: 'skip',
    });
  });

  it('removes the rows that count its bytes, or changes nothing where this Node cannot', async () => {
    const path = await placeRecorded(getRecorded('linear-tools'));
    lengthen(path);
    const home = path.slice(0, path.indexOf('/sessions/'));
    mkdirSync(home, { recursive: true });
    const [, id = ''] = /-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/.exec(path) ?? [];
    const file = join(home, 'thread_history_1.sqlite');
    const made = new sqlite.Database(file);
    made.exec(
      'CREATE TABLE thread_history_projection_state (thread_id TEXT PRIMARY KEY, ' +
        'next_rollout_byte_offset INTEGER, next_rollout_ordinal INTEGER)',
    );
    made.run('INSERT INTO thread_history_projection_state VALUES (?, 100, 1), (?, 5, 1)', [
      id,
      'other',
    ]);
    made.close();
    const before = readFileSync(path);
    const canWrite = process.getBuiltinModule('node:sqlite' as 'node:fs') !== undefined;
    const result = await compact(path, '--tool-output', '300', '--apply');
    const database = new sqlite.Database(file);
    const rows = database.all('SELECT thread_id FROM thread_history_projection_state');
    database.close();
    const left = rows.map(({ thread_id: one }) => one);
    expect({ action: result?.action, left, isSame: readFileSync(path).equals(before) }).toEqual(
      canWrite
        ? { action: 'reduce', left: ['other'], isSame: false }
        : { action: 'fail', left: [id, 'other'], isSame: true },
    );
  });
});
