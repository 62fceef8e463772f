import { expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const ID = '01a1fffd-5aa0-7002-bccf-c18ba9b56497';
const PATH = `.codex/sessions/2026/11/21/rollout-2026-11-21T10-00-00-${ID}.jsonl`;
const BASE = '01a1fffd-0000-7002-bccf-c18ba9b56497';
const timestamp = '2026-11-21T10:00:00.000Z';
const settings = { type: 'thread_settings_applied', thread_settings: { cwd: '/w' } };

interface Parts {
  /** The lines behind the header. */
  readonly lines?: readonly object[];
  /** Members of the header. */
  readonly header?: object;
  /** The file that names threads. */
  readonly names?: readonly object[];
  /** The lines of another thread. */
  readonly base?: readonly object[];
}

/** What `prune --empty` does with a thread. */
async function pruneEmpty({
  lines = [],
  header,
  names = [],
  base,
}: Parts): Promise<string | undefined> {
  const home = await makeTempDir();
  const facts = { id: ID, timestamp, cwd: '/w', originator: 'codex', cli_version: '0.169.0' };
  const first = { timestamp, ordinal: 0, type: 'session_meta', payload: { ...facts, ...header } };
  const rest = lines.map((line) => ({ timestamp, ...line }));
  await writeFiles(home, {
    [PATH]: toJsonl([first, ...rest]),
    '.codex/session_index.jsonl': toJsonl(names),
    ...(base && { [PATH.replace(ID, BASE)]: toJsonl(base) }),
  });
  const args = ['prune', '--empty', '--include-pinned', '--grace', '0min', '--allow-empty'];
  const { out } = await runTest([...args, '--json'], { cwd: home, home });
  const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
  return results.find(({ id }) => id === ID)?.action;
}

function event(type: string, fields: object = {}): object {
  return { type: 'event_msg', payload: { type, ...fields } };
}

it.each<[string, Parts]>([
  ['a prompt that is only shown', { lines: [event('user_message', { message: 'Sort it' })] }],
  [
    'a prompt as an item',
    { lines: [event('item_completed', { item: { type: 'UserMessage', content: [] } })] },
  ],
  ['an answer', { lines: [event('agent_message', { message: 'Done' })] }],
  ['a goal', { lines: [event('thread_goal_updated', { goal: { objective: 'Sort all' } })] }],
  ['a command', { lines: [event('exec_command_end', { command: ['make'] })] }],
  ['a compaction', { lines: [{ type: 'compacted', payload: { message: 's' } }] }],
  ['an event of an unknown kind', { lines: [event('dream')] }],
  ['a name', { names: [{ id: ID, thread_name: 'mine', updated_at: timestamp }] }],
])('--empty keeps a thread with %s', async (_what, parts) => {
  expect(await pruneEmpty(parts)).toBe('keep');
});

it('--empty keeps a fork that shows the turns of another thread', async () => {
  const mode = { history_mode: 'paginated' };
  const facts = { id: BASE, timestamp, cwd: '/w', originator: 'codex', cli_version: '0.169.0' };
  const payload = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] };
  const base = [
    { timestamp, ordinal: 0, type: 'session_meta', payload: { ...facts, ...mode } },
    { timestamp, ordinal: 1, type: 'response_item', payload },
  ];
  const end = { end_ordinal_exclusive: 2, end_byte_offset: Buffer.byteLength(toJsonl(base)) };
  const header = { ...mode, history_base: { thread_id: BASE, ...end } };
  expect(await pruneEmpty({ header, base })).toBe('keep');
});

it('--empty removes a thread with nothing but settings and counts', async () => {
  const payload = { cwd: '/w', model: 'gpt-5.5' };
  const lines = [
    { type: 'event_msg', payload: settings },
    event('task_started', { turn_id: 't' }),
    { type: 'turn_context', payload },
    event('token_count', { info: null }),
    event('turn_aborted', { reason: 'interrupted' }),
  ];
  expect(await pruneEmpty({ lines })).toBe('remove');
});
