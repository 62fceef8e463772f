import { describe, expect, it } from 'vitest';
import { assistant, toSession, user } from '../../session-lines.ts';
import { toJsonl } from '../../temp-dir.ts';
import { sized } from '../../harness/runs.ts';
import { listOutside, makeHostileWorld } from './hostile-world.ts';

const STORE = ['--store', 'store'];
const APPLY = [...STORE, '--apply', '--grace', '0s'];
const FORMATS = ['md', 'html', 'text', 'json', 'jsonl', 'chat', 'atif', 'sts', 'parquet'];
const EVERY: readonly (readonly string[])[] = [
  ['list', ...STORE, '--usage', '--json'],
  ['list', ...STORE, '--by', 'model'],
  ['list', ...STORE, '--by', 'project'],
  ['list', 'store/s.jsonl', '--entries', '--filter', 'all'],
  ['validate', ...STORE, '--format', 'json'],
  ['validate', ...STORE, '--fix'],
  ['migrate', ...APPLY],
  ['migrate', ...APPLY, '--cwd', '/=/elsewhere'],
  ['fork', 'store/s.jsonl', '--whole', '--out', 'out'],
  ['fork', 'store/s.jsonl', '--each-leaf', '--out', 'out'],
  ['fork', 'store/s.jsonl', '--points'],
  ['compact', ...APPLY, '--force', '--keep-recent-tokens', '10'],
  ['compact', ...APPLY, '--images', 'extract', '--tool-output', '1kB', '--superseded-state'],
  ['compact', ...APPLY, '--abandoned-branches', '--summarized'],
  ['prune', ...STORE, '--older-than', '30d', '--allow-empty', '--json'],
  ...FORMATS.map((format) => ['export', ...STORE, '--as', format, '--out', 'out', '--json']),
  ['prune', ...STORE, '--apply', '--older-than', '30d', '--allow-empty', '--archive', 'archive'],
];

function nest(depth: number, open: string, close: string): string {
  return open.repeat(depth) + '1' + close.repeat(depth);
}

const TALK = toSession([user('Hi'), assistant('Hello. '.repeat(60)), user('So?')]);
const [HEADER = {}, ...ENTRIES] = TALK;
const MESSAGE =
  '{"type":"message","id":"n1","parentId":"e2","timestamp":"2026-03-01T10:00:00.000Z"';

/** Nested everywhere that an agent or one of us looks. */
function makeDeep(depth: number): string {
  const array = nest(depth, '[', ']');
  const object = nest(depth, '{"a":', '}');
  return [
    ...[HEADER, ...ENTRIES].map((line) => JSON.stringify(line)),
    `${MESSAGE},"message":{"role":"user","content":${array}}}`,
    `${MESSAGE.replace('n1', 'n2')},"message":{"role":"user","content":[{"type":"text","text":${object}}]}}`,
    `${MESSAGE.replace('n1', 'n3')},"message":${object}}`,
    `${MESSAGE.replace('n1', 'n4').replace('message', 'custom')},"customType":"x","data":${object}}`,
    `${MESSAGE.replace('n1', 'n5')},"message":{"role":"assistant","content":[{"type":"toolCall","id":"c","name":"x","arguments":${object}}],"usage":${object}}}`,
    array,
    '',
  ].join('\n');
}

const DEEPEST = sized(40_000, 100_000);
const NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf', ''];

/** Names that every object has already, wherever a name can stand. */
function makeFamiliar(): string {
  const time = '2026-03-01T10:00:00.000Z';
  const lines = NAMES.flatMap((name, index) => {
    const entry = { id: name, parentId: NAMES[index - 1] ?? 'e2', timestamp: time };
    const call = { type: 'toolCall', id: name, name, arguments: { [name]: name } };
    const usage = { input: 1, output: 1, cost: { total: 1 } };
    const answer = { role: 'assistant', content: [call], provider: name, model: name, usage };
    const result = { role: 'toolResult', toolCallId: name, toolName: name, content: [] };
    return [
      { type: 'message', ...entry, message: answer },
      { type: 'message', ...entry, id: `${name}-result`, message: result },
      { type: 'custom', ...entry, id: `${name}-custom`, customType: name, data: { [name]: 1 } },
      { type: 'label', ...entry, id: `${name}-label`, targetId: name, label: name },
      { type: name, ...entry, id: `${name}-type` },
      { type: 'message', ...entry, id: `${name}-role`, message: { role: name, content: 'x' } },
      { type: 'compaction', ...entry, id: `${name}-c`, summary: name, firstKeptEntryId: name },
    ];
  });
  const text = toJsonl([{ ...HEADER, id: '__proto__', cwd: '/__proto__' }, ...ENTRIES, ...lines]);
  // JSON.stringify leaves this key out where it is written as one.
  return text.replaceAll('"customType":', '"__proto__":{"polluted":"yes"},"customType":');
}

const HALVES = toJsonl(
  toSession([
    { type: 'session_info', name: 'half \ud83d' },
    user('\udca9 half'),
    assistant('\ud83d'.repeat(300)),
    { type: 'label', targetId: 'e1', label: '\udca9' },
  ]),
);

describe.each([
  ['nested 300 deep', makeDeep(300)],
  ['nested deeper than any stack', makeDeep(sized(12_000, 20_000))],
  ['with names that every object has', makeFamiliar()],
  ['with halves of characters', HALVES],
])('JSON %s', (_, text) => {
  it.each(EVERY)('is taken by %s %s %s %s %s', async (...argv) => {
    const { root, run, write } = await makeHostileWorld();
    write('store/s.jsonl', text);
    const { exitCode, out } = await run(...argv);
    expect([0, 1, 2, 3]).toContain(exitCode);
    expect(Object.prototype).not.toHaveProperty('polluted');
    expect(listOutside(root, ['store', 'out', 'archive', 'home'])).toEqual(['precious/file']);
    expect(() => JSON.parse(argv.includes('--json') ? out : '{}') as unknown).not.toThrow();
  });
});

it.each([0, 4, 11].map((at) => EVERY[at] ?? []))(
  `JSON nested ${DEEPEST} deep is taken by %s`,
  async (...argv) => {
    const { run, write } = await makeHostileWorld();
    write('store/s.jsonl', makeDeep(DEEPEST));
    const { exitCode, err } = await run(...argv);
    expect([exitCode <= 3, err]).toEqual([true, '']);
  },
);
