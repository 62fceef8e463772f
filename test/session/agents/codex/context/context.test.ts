import { appendFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../../../../src/session/read/read-context.ts';
import { getRecorded, placeRecorded, RECORDED } from '../corpus.ts';

const OPENED = RECORDED.flatMap((recorded) => {
  const { input } = recorded;
  return input === undefined ? [] : [{ ...recorded, input }];
});

/** What the real client makes anew has an id that is in no file; answers to open calls count. */
function withoutProbe(input: readonly Item[], text: string): readonly object[] {
  return input.flatMap(({ id, ...item }) => {
    if (typeof id !== 'string') return [item];
    if (item['output'] === 'aborted') return [item];
    return text.includes(id) ? [{ id, ...item }] : [];
  });
}

type Item = Readonly<Record<string, unknown>>;

describe('the context of a rollout', () => {
  it.each(OPENED.map((recorded) => [recorded.name, recorded] as const))(
    'is what the real client sends: %s',
    async (_, recorded) => {
      const { messages } = await readContext(await placeRecorded(recorded));
      expect(messages).toEqual(withoutProbe(recorded.input, JSON.stringify(messages)));
    },
  );
});

const HEADER = {
  id: '01a20000-aaaa-7000-8000-0000000000aa',
  timestamp: '2026-11-21T20:00:07.000Z',
  cwd: '/home/u2/demo-project',
  originator: 'coppice',
  cli_version: '0.169.0',
};
const TYPED = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Kept' }] };
const toCompacted = (payload: object): object => ({
  type: 'compacted',
  payload: { message: 'A summary', replacement_history: [TYPED], ...payload },
});

/** The number of items that are sent of a thread of two with one more line. */
const ADDED: readonly (readonly [what: string, line: object, items: number])[] = [
  ['a compaction', toCompacted({}), 1],
  ['one whose message is a number', toCompacted({ message: 3 }), 2],
  ['one whose history is a text', toCompacted({ replacement_history: 'x' }), 2],
  ['one with an item of no type', toCompacted({ replacement_history: [{ role: 'user' }] }), 2],
  ['one with too few notes', toCompacted({ replacement_history_metadata: [] }), 2],
  ['one with half of a pair', toCompacted({ message: 'half \ud83d' }), 2],
  ['one whose payload is a list', { type: 'compacted', payload: [] }, 2],
  ['a header', { type: 'session_meta', payload: { ...HEADER } }, 0],
  ['a header without an id', { type: 'session_meta', payload: { ...HEADER, id: null } }, 2],
  [
    'half of a rollback',
    { type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 0.5 } },
    2,
  ],
  [
    'a summary as an item',
    { type: 'response_item', payload: { type: 'compaction', encrypted_content: 'x' } },
    3,
  ],
];

describe('a line that Codex skips for a field', () => {
  it.each(ADDED)('does not end the context: %s', async (_, line, items) => {
    const path = await placeRecorded(getRecorded('made-minimal-paginated'));
    const whole = { timestamp: '2026-11-21T20:00:07.000Z', ordinal: 7, ...line };
    await appendFile(path, `${JSON.stringify(whole)}\n`);
    expect((await readContext(path)).messages).toHaveLength(items);
  });
});
