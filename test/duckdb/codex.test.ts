import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FIXTURES } from '../session/agents/codex/corpus.ts';
import { exportStore, query, table } from './lake.ts';

let home: string;
let lake: string;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'coppice-duckdb-codex-'));
  await cp(join(FIXTURES, 'home'), home, { recursive: true });
  lake = await mkdtemp(join(tmpdir(), 'coppice-duckdb-codex-out-'));
  await exportStore(home, lake);
});
afterAll(async () => {
  for (const dir of [home, lake]) await rm(dir, { recursive: true, force: true });
});

describe('export --as parquet of threads of Codex', () => {
  it('has one row for a thread, whatever its files, with its name', async () => {
    const [rows] = await query(
      `SELECT coalesce(name, first_message) AS title, format_version::INT AS version,
         message_count::INT AS messages, parent_session_path IS NOT NULL AS is_fork
       FROM ${table(lake, 'sessions')} WHERE agent = 'codex' ORDER BY session_id`,
    );
    const own = { version: 2, is_fork: false };
    expect(rows).toEqual([
      { ...own, title: 'Read a', messages: 4 },
      { ...own, title: 'Read a', messages: 6, is_fork: true },
      { ...own, title: 'Legacy one', messages: 2, version: 1 },
      { ...own, title: 'Spawn a helper', messages: 2 },
      { ...own, title: 'To be archived', messages: 2 },
      { ...own, title: 'Second idea, better', messages: 4 },
      { ...own, title: 'Rarely used', messages: 2 },
      { ...own, title: 'With a summary', messages: 4 },
      { ...own, title: 'One shot', messages: 2 },
    ]);
  });

  it('counts tokens once: of a fork, a revert and a sub-agent, too', async () => {
    const [rows] = await query(
      `SELECT session_id[10:13] AS id, sum(total_tokens)::INT AS tokens, bool_or(inherited) AS copied
       FROM ${table(lake, 'usage')} GROUP BY ALL ORDER BY id`,
    );
    const sums = { 5184: 420, '53cf': 160, 5433: 170, '546c': 570, '58f8': 210, '592e': 690 };
    const others = { '5aa0': 250, '5af9': 810, '5c5c': 290 };
    const expected = Object.entries({ ...sums, ...others }).map(([id, tokens]) => ({
      id,
      tokens,
      copied: false,
    }));
    expect(rows).toEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  });

  it('has what was typed, thought, called, answered and said, with what a fork continues from', async () => {
    const [rows] = await query(
      `SELECT type, role, text, tool_name, tool_calls ->> '$[0].name' AS called
       FROM ${table(lake, 'entries')} WHERE session_id LIKE '01a1fffd-53cf%' ORDER BY timestamp, line`,
    );
    const none = { text: '', tool_name: null, called: null };
    expect(rows).toEqual([
      { ...none, type: 'message', role: 'user', text: 'Read the file a' },
      { ...none, type: 'reasoning', role: 'assistant' },
      { ...none, type: 'function_call', role: 'assistant', called: 'exec_command' },
      {
        ...none,
        type: 'CommandExecution',
        role: 'toolResult',
        text: 'a\n',
        tool_name: 'exec_command',
      },
      { ...none, type: 'message', role: 'assistant', text: 'It holds one letter.' },
      { ...none, type: 'message', role: 'user', text: 'Now add tests' },
      { ...none, type: 'message', role: 'assistant', text: 'Added.' },
      { ...none, type: 'message', role: 'user', text: 'Try another framework' },
      { ...none, type: 'message', role: 'assistant', text: 'Tried.' },
    ]);
  });

  it('has turns that were reverted, and that they are not on the path', async () => {
    const [rows] = await query(
      `SELECT text, on_path FROM ${table(lake, 'entries')}
       WHERE session_id LIKE '01a1fffd-592e%' AND role = 'user' ORDER BY timestamp`,
    );
    expect(rows).toEqual([
      { text: 'First idea', on_path: true },
      { text: 'Second idea', on_path: false },
      { text: 'Second idea, better', on_path: true },
    ]);
  });
});
