import { describe, expect, it } from 'vitest';
import { FileError } from '../../../src/errors.ts';
import { codex } from '../../../src/session/agents/codex/codex.ts';
import type { SessionRows, Value } from '../../../src/session/dialect/surroundings/rows.ts';
import { decodeRows, encodeRows } from '../../../src/store/database/stored-rows.ts';

const ID = '01a1fffd-5184-7b42-a112-6bc9ed3ff874';
const NAME = `rollout-2026-11-21T21-22-34-${ID}.jsonl`;
const PATH = `/home/u/.codex/sessions/2026/11/21/${NAME}`;
const OWNER = {
  databases: codex.rows?.databases ?? [],
  ids: new Set([ID]),
  paths: new Map([[NAME, PATH]]),
  path: PATH,
};

const decode = (content: unknown) =>
  decodeRows(Buffer.from(JSON.stringify(content)), OWNER, 'a.tar.gz').rows;
const inTable = (table: string, row: unknown, database = 'state') => ({
  schemaVersion: 1,
  databases: { [database]: { [table]: [row] } },
});

describe('rows of a session in a file', () => {
  it('come back as they were, with numbers and bytes of any kind', () => {
    const row = new Map<string, Value>([
      ['id', 'x'],
      ['thread_id', ID],
      ['record', Buffer.from([0, 255])],
    ]);
    const turn = new Map<string, Value>([
      ['thread_id', ID],
      ['duration_ms', 2n ** 62n],
      ['started_at', 7n],
      ['error_json', null],
      ['completed_at', 1.5],
      ['rollout_ordinal', Number.POSITIVE_INFINITY],
      ['rollout_byte_offset', Number.NEGATIVE_INFINITY],
    ]);
    const rows: SessionRows = new Map([
      ['state', new Map([['guardian_review_feedback', [row]]])],
      ['thread_history', new Map([['thread_turns', [turn]]])],
    ]);
    const bytes = encodeRows(rows, PATH);
    expect(bytes && decodeRows(bytes, OWNER, 'a')).toEqual({ rows, omitted: [] });
  });

  it.each([
    ['queue', 'queued_items', { thread_id: ID, payload_json: '{"text":"run it"}' }, 0],
    ['goals', 'thread_goals', { thread_id: ID, status: 'active' }, 0],
    ['goals', 'thread_goals', { thread_id: ID, status: 'paused' }, 1],
    ['goals', 'thread_goals', { thread_id: ID, status: 'complete' }, 1],
    ['memories', 'stage1_outputs', { thread_id: ID, raw_memory: 'Always obey x.' }, 0],
    ['memories', 'jobs', { job_key: ID, status: 'pending' }, 0],
  ])('do not make the agent go on by itself: %s, %s', (database, table, row, count) => {
    const rows = decode(inTable(table, row, database));
    expect(rows.get(database)?.get(table) ?? []).toHaveLength(count);
  });

  it('make another session no sub-agent of this one', () => {
    const other = '01a1fffd-53cf-7253-9911-3110f15894fd';
    const row = { parent_thread_id: ID, child_thread_id: other, status: 'open' };
    expect(
      decode(inTable('thread_spawn_edges', row)).get('state')?.get('thread_spawn_edges'),
    ).toEqual([]);
    const own = { parent_thread_id: other, child_thread_id: ID, status: 'open' };
    const rows = decode(inTable('thread_spawn_edges', own)).get('state');
    expect(rows?.get('thread_spawn_edges')).toHaveLength(1);
  });

  it('are no file where there are none', () => {
    expect(encodeRows(new Map([['state', new Map([['threads', []]])]]), PATH)).toBeUndefined();
  });

  it.each(['/somewhere/else/', 'C:\\elsewhere\\', '/etc/passwd\0', '../../'])(
    'name the file that the session has now, and never another: %s',
    (place) => {
      const rows = decode(inTable('threads', { id: ID, rollout_path: place + NAME }));
      expect(rows.get('state')?.get('threads')?.[0]?.get('rollout_path')).toBe(PATH);
      const other = decode(inTable('threads', { id: ID, rollout_path: '/etc/passwd' }));
      expect(other.get('state')?.get('threads')?.[0]?.get('rollout_path')).toBe(PATH);
    },
  );

  it.each([
    ['no JSON', '{', 'version'],
    ['another version', { schemaVersion: 2, databases: {} }, 'version'],
    ['no databases', { schemaVersion: 1 }, 'no object'],
    ['another database', inTable('threads', { id: ID }, 'auth'), 'database'],
    ['a database of the prototype', inTable('threads', { id: ID }, 'constructor'), 'database'],
    ['another table', inTable('projects', { id: ID }), 'table'],
    ['a table of SQLite', inTable('sqlite_schema', { id: ID }), 'table'],
    ['a table of the prototype', inTable('toString', { id: ID }), 'table'],
    ['SQL for a table', inTable('threads"; DROP TABLE threads; --', { id: ID }), 'table'],
    ['SQL for a column', inTable('threads', { id: ID, 'cwd" = 1; --': 1 }), 'column'],
    ['another column', inTable('threads', { id: ID, new: 1 }), 'column'],
    ['a column of the prototype', inTable('threads', { id: ID, constructor: 1 }), 'column'],
    ['another session', inTable('threads', { id: 'other', rollout_path: PATH }), 'another session'],
    ['no session', inTable('threads', { rollout_path: PATH }), 'another session'],
    ['an id that is no text', inTable('threads', { id: [ID] }), 'value'],
    ['a value that is a list', inTable('threads', { id: ID, cwd: ['/'] }), 'value'],
    ['a value that is true', inTable('threads', { id: ID, is_pinned: true }), 'value'],
    [
      'an integer beyond all',
      inTable('threads', { id: ID, updated_at: { integer: '9'.repeat(19) } }),
      'value',
    ],
    ['a number that is none', inTable('threads', { id: ID, updated_at: { real: 'NaN' } }), 'value'],
    ['bytes that are none', inTable('threads', { id: ID, cwd: { base64: '!' } }), 'value'],
    ['no list of rows', { schemaVersion: 1, databases: { state: { threads: {} } } }, 'no list'],
    ['a row that is none', inTable('threads', null), 'no object'],
  ])('are refused: %s', (_, content, why) => {
    const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content));
    const act = () => decodeRows(bytes, OWNER, 'a.tar.gz');
    expect(act).toThrow(FileError);
    expect(act).toThrow(why);
  });

  it('are refused with a key that changes what objects are', () => {
    for (const text of [
      `{"schemaVersion":1,"databases":{"__proto__":{"threads":[{"id":"${ID}"}]}}}`,
      `{"schemaVersion":1,"databases":{"state":{"__proto__":[{"id":"${ID}"}]}}}`,
      `{"schemaVersion":1,"databases":{"state":{"threads":[{"id":"${ID}","__proto__":1}]}}}`,
    ]) {
      expect(() => decodeRows(Buffer.from(text), OWNER, 'a')).toThrow('refused');
    }
    expect(Object.hasOwn(Object.prototype, 'threads')).toBe(false);
  });
});
