import { cp, mkdtemp, readFile, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTest } from '../memory-terminal.ts';
import { exportStore, query, type Rows, table } from './lake.ts';
import { makeTempDir, toJsonl, writeFiles } from '../temp-dir.ts';
import { sampleSession } from '../sample-session.ts';

const RECORDED = fileURLToPath(new URL('../fixtures/recorded', import.meta.url));
const DOCS = fileURLToPath(new URL('../../docs/export.md', import.meta.url));

let store: string;
let out: string;

beforeAll(async () => {
  store = await mkdtemp(join(tmpdir(), 'coppice-duckdb-'));
  out = await mkdtemp(join(tmpdir(), 'coppice-duckdb-out-'));
  await cp(RECORDED, store, { recursive: true });
  await exportStore(store, out);
});
afterAll(async () => {
  for (const dir of [store, out]) await rm(dir, { recursive: true, force: true });
});

describe('export --as parquet', () => {
  it('has the sums of list --usage', async () => {
    const { out: listed } = await runTest(['list', '--store', store, '--usage', '--json']);
    const sessions = (
      JSON.parse(listed) as {
        results: {
          messageCount: number;
          usage?: { totalTokens: number; cost: number };
          inheritedUsage?: { totalTokens: number };
        }[];
      }
    ).results.filter(({ usage }) => usage);
    const sum = (get: (one: (typeof sessions)[number]) => number | undefined): number =>
      sessions.reduce((total, one) => total + (get(one) ?? 0), 0);
    const [[usage], [own], [count]] = (await query(
      `SELECT sum(total_tokens)::DOUBLE AS tokens, sum(cost) AS cost FROM ${table(out, 'usage')}`,
      `SELECT sum(total_tokens)::DOUBLE AS tokens FROM ${table(out, 'usage')} WHERE inherited`,
      `SELECT count(*)::INT AS sessions, sum(message_count)::INT AS messages FROM ${table(out, 'sessions')}`,
    )) as [Rows, Rows, Rows];
    expect(usage?.['tokens']).toBe(sum((one) => one.usage?.totalTokens));
    expect(usage?.['cost']).toBeCloseTo(
      sum((one) => one.usage?.cost),
      6,
    );
    expect(own?.['tokens'] ?? 0).toBe(sum((one) => one.inheritedUsage?.totalTokens));
    expect(count).toEqual({ sessions: sessions.length, messages: sum((one) => one.messageCount) });
  });

  it('answers every query of the documentation', async () => {
    const docs = await readFile(DOCS, 'utf8');
    const statements = [...docs.matchAll(/```sql\n([^`]+)```/g)].map(([, sql = '']) =>
      sql.replaceAll("'lake/", `'${out}/`),
    );
    expect(statements.length).toBeGreaterThanOrEqual(3);
    for (const rows of await query(...statements)) expect(rows.length).toBeGreaterThan(0);
  });

  it('holds one row for every message of every branch', async () => {
    const [[row]] = (await query(
      `SELECT count(*)::INT AS entries, count(DISTINCT month)::INT > 0 AS months
       FROM ${table(out, 'entries')} WHERE type = 'message'`,
    )) as [Rows];
    const [[sessions]] = (await query(
      `SELECT sum(message_count)::INT AS messages FROM ${table(out, 'sessions')}`,
    )) as [Rows];
    // An edit on the path takes a message out; nothing else may.
    expect(Number(row?.['entries'])).toBeGreaterThan(Number(sessions?.['messages']) * 0.95);
    expect(row?.['months']).toBe(true);
  });

  it('writes only the months that changed, and takes away those that are gone', async () => {
    const dir = await makeTempDir();
    const lake = await makeTempDir();
    await writeFiles(dir, {
      'a.jsonl': sampleSession({ id: 'a', start: '2026-01-02T00:00:00.000Z' }),
      'b.jsonl': sampleSession({ id: 'b', start: '2026-02-02T00:00:00.000Z' }),
    });
    expect((await exportStore(dir, lake)).summary).toMatchObject({ exported: 2, unchanged: 0 });
    expect((await exportStore(dir, lake)).summary).toMatchObject({ exported: 0, unchanged: 2 });
    await writeFiles(dir, {
      'b.jsonl': toJsonl(sampleSession({ id: 'b', start: '2026-03-02T00:00:00.000Z' })),
    });
    await utimes(join(dir, 'b.jsonl'), 2_000_000_000, 2_000_000_000);
    expect((await exportStore(dir, lake)).summary).toMatchObject({ exported: 1, unchanged: 1 });
    const [rows] = await query(
      `SELECT month, session_id FROM ${table(lake, 'sessions')} ORDER BY month`,
    );
    expect(rows).toEqual([
      { month: '2026-01', session_id: 'a' },
      { month: '2026-03', session_id: 'b' },
    ]);
  });

  it('gives each shard files of its own, which together are the whole', async () => {
    const [forks, lake, plain] = [await makeTempDir(), await makeTempDir(), await makeTempDir()];
    const parentSession = join(forks, 'parent.jsonl');
    await cp(RECORDED, forks, { recursive: true });
    await writeFiles(forks, { 'parent.jsonl': sampleSession({ id: 'parent' }) });
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await writeFiles(forks, { [`${id}.jsonl`]: sampleSession({ id, parentSession }) });
    }
    const shards = ['1/3', '2/3', '3/3'];
    await Promise.all(shards.map((shard) => exportStore(forks, lake, '--shard', shard)));
    await exportStore(forks, plain);
    const sums = (dir: string): string[] => [
      `SELECT * FROM ${table(dir, 'sessions')} ORDER BY path`,
      `SELECT inherited, sum(total_tokens)::DOUBLE, round(sum(cost), 9), count(*)::INT
       FROM ${table(dir, 'usage')} GROUP BY ALL ORDER BY ALL`,
      `SELECT * FROM ${table(dir, 'entries')} ORDER BY ALL`,
    ];
    const [whole, sharded] = [await query(...sums(plain)), await query(...sums(lake))];
    // Forks in one shard inherit from parents in another.
    expect(whole[1]).toContainEqual(expect.objectContaining({ inherited: true }));
    expect(sharded).toEqual(whole);
  });

  it('refuses to write beside a data set of another number of parts', async () => {
    const lake = await makeTempDir();
    await exportStore(store, lake, '--shard', '1/3');
    for (const other of [[], ['--shard', '1/4']]) {
      const args = ['export', '--store', store, '--as', 'parquet', '--out', lake, ...other];
      const { exitCode, err } = await runTest(args, { cwd: store });
      expect([exitCode, err]).toEqual([2, expect.stringContaining('holds a data set of 3 parts')]);
    }
  });
});
