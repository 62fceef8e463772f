import { beforeEach, describe, expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { toJsonl, writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

const DAY = 24 * 60 * 60 * 1000;
const ID = 'aaaaaaaa-0000-4000-8000-000000000001';
const OTHER = 'bbbbbbbb-0000-4000-8000-000000000002';

let world: PruneWorld;

beforeEach(async () => {
  world = await PruneWorld.make();
});

function isoAgo(days: number): string {
  return new Date(NOW - days * DAY).toISOString();
}

/** A session of `proj` with messages of 90 days ago, one more line, and a file of 50 days ago. */
async function add(id: string, line: object): Promise<void> {
  const lines = sampleSession({ id, start: isoAgo(90), text: id });
  await writeFiles(world.store, { [`proj/${id}.jsonl`]: toJsonl([...lines, line]) });
  await world.touch(`proj/${id}.jsonl`, 50);
}

const place = { id: 'bbbbbbb1', parentId: 'aaaaaaa2' };
const said = { content: 'x', display: true };
const command = { role: 'bashExecution', command: 'ls', output: '', timestamp: NOW - 3 * DAY };

it.each([
  ['--older-than', '300000y'],
  ['--keep-within', '300000y'],
  ['--keep-within-yearly', '300000y', '--keep-last', '3'],
  ['--max-sessions', '0', '--grace', '300000y'],
])('removes nothing for an age that no calendar has: %s %s %s %s', async (...rules) => {
  for (const [age, id] of ['a', 'b', 'c'].entries()) await world.add(id, 50 + age);
  const before = await world.names();
  await world.prune(...rules, '--delete', '--apply');
  expect(await world.names()).toEqual(before);
});

/** Lines as pi writes them: their members are in this order. */
const written = { id: 'aaaaaaa3', parentId: 'aaaaaaa2', timestamp: isoAgo(20) };
const result = { role: 'toolResult', toolCallId: 'c', content: [], isError: false };

describe('a kept session has the day of its last line, too', () => {
  it.each<[string, object]>([
    [
      'a result of a tool',
      { type: 'message', ...written, message: { ...result, timestamp: NOW - 20 * DAY } },
    ],
    ['another model', { type: 'model_change', ...written, provider: 'acme', modelId: 'oak-2' }],
    ['another level', { type: 'thinking_level_change', ...written, thinkingLevel: 'off' }],
    ['state of an extension', { type: 'custom', customType: 'todo', data: {}, ...written }],
  ])('%s', async (_what, line) => {
    await add('used', line);
    await world.add('beside', 20.001);
    await world.add('before', 100);
    expect(await world.prune('--keep-daily', '2')).toEqual({
      used: 'keep: daily 2',
      beside: 'remove: no rule keeps it',
      before: 'keep: daily 2',
    });
  });
});

describe('a session was last active when its last line was written', () => {
  it.each<[string, object]>([
    ['a command', { type: 'message', message: command }],
    ['a name', { type: 'session_info', name: 'still needed' }],
    ['a label', { type: 'label', targetId: 'aaaaaaa1', label: 'here' }],
    ['a compaction', { type: 'compaction', summary: 's', firstKeptEntryId: 'aaaaaaa1' }],
    ['another model', { type: 'model_change', provider: 'acme', modelId: 'oak-2' }],
    ['state of an extension', { type: 'custom', customType: 'todo', data: {} }],
    ['a message of an extension', { type: 'custom_message', customType: 'note', ...said }],
  ])('of whatever type: %s', async (_what, fields) => {
    await add('used', { ...fields, ...place, timestamp: isoAgo(3) });
    await world.add('plain', 40);
    expect(await world.prune('--older-than', '30d', '--allow-empty')).toEqual({
      used: 'keep: not older than 30d',
      plain: 'remove: older than 30d',
    });
    expect(await world.prune('--keep-last', '1')).toMatchObject({ used: 'keep: last 1' });
  });

  it('which may be its header, as of a fork', async () => {
    const [, ...messages] = sampleSession({ start: isoAgo(90) });
    const [header = {}] = sampleSession({ id: 'fork', start: isoAgo(3) });
    await writeFiles(world.store, { 'proj/fork.jsonl': toJsonl([header, ...messages]) });
    await world.touch('proj/fork.jsonl', 50);
    await world.add('other', 2);
    const found = await world.prune('--older-than', '30d');
    expect(found['fork']).toBe('keep: not older than 30d');
  });

  it.each([
    ['at the start of the file', ''],
    ['behind a byte order mark', '\uFEFF'],
    ['behind blank lines', '\r\n\n'],
  ])('also in the log of a sub-agent beside it: %s', async (_where, before) => {
    const spoken = { type: 'user', parentUuid: null, sessionId: ID, cwd: '/x' };
    const toLines = (days: number, fields: object) => {
      const message = { role: 'user', content: 'hi' };
      return toJsonl([
        { ...spoken, ...fields, uuid: `u${days}`, timestamp: isoAgo(days), message },
      ]);
    };
    const log = toLines(3, { isSidechain: true, agentId: '0a1b2c3d' });
    await writeFiles(world.store, {
      [`proj/${ID}.jsonl`]: toLines(90, {}),
      [`proj/${OTHER}.jsonl`]: toLines(60, { sessionId: OTHER }),
      'proj/agent-0a1b2c3d.jsonl': before + log,
    });
    for (const name of [ID, OTHER, 'agent-0a1b2c3d']) await world.touch(`proj/${name}.jsonl`, 60);
    const found = await world.prune('--older-than', '30d', '--allow-empty');
    expect([found[ID], found[OTHER]]).toEqual([
      'keep: not older than 30d',
      'remove: older than 30d',
    ]);
  });

  it('but not by a time that makes no sense', async () => {
    await add('odd', { type: 'model_change', ...place, timestamp: 'soon' });
    await world.add('other', 2);
    expect(await world.prune('--older-than', '30d')).toMatchObject({
      odd: 'remove: older than 30d',
    });
  });

  it('and is left unchanged when that says the future', async () => {
    await add('ahead', { type: 'model_change', ...place, timestamp: isoAgo(-300) });
    await world.add('other', 2);
    expect(await world.prune('--keep-last', '1', '--group-by', 'none')).toMatchObject({
      ahead: 'keep: has a timestamp in the future',
    });
  });
});

describe('a name or a setting without a time', () => {
  const claude = (days: number) => ({
    type: 'user',
    uuid: `u${days}`,
    parentUuid: null,
    sessionId: ID,
    cwd: '/x',
    timestamp: isoAgo(days),
    message: { role: 'user', content: 'hi' },
  });
  const neovate = (days: number) => ({
    type: 'message',
    uuid: `u${days}`,
    parentUuid: null,
    sessionId: ID,
    timestamp: isoAgo(days),
    role: 'user',
    content: 'hi',
  });
  const title = { type: 'custom-title', customTitle: 'still needed', sessionId: ID };

  /** A session whose file is of so many days ago, beside one of its agent that was active in between. */
  async function addNamed(lines: readonly object[], days: number): Promise<void> {
    const isNeovate = lines.some((line) => 'role' in line);
    const other = { ...(isNeovate ? neovate(60) : claude(60)), sessionId: OTHER };
    await writeFiles(world.store, {
      [`proj/${ID}.jsonl`]: toJsonl(lines),
      [`proj/${OTHER}.jsonl`]: toJsonl([other]),
    });
    await world.touch(`proj/${ID}.jsonl`, days);
    await world.touch(`proj/${OTHER}.jsonl`, 60);
  }

  it.each<[string, object[]]>([
    ['Claude Code', [claude(90), title]],
    ['Claude Code, by its tag', [claude(90), { type: 'tag', tag: 'later', sessionId: ID }]],
    ['Neovate', [neovate(90), title]],
    ['Neovate, at the beginning', [{ type: 'config', config: { summary: 'x' } }, neovate(90)]],
  ])('may be as young as the file: of %s', async (_agent, lines) => {
    await addNamed(lines, 3);
    const found = await world.prune('--older-than', '30d', '--allow-empty');
    expect(found[ID]).toBe('keep: not surely older than 30d');
    expect(found[OTHER]).toBe('remove: older than 30d');
  });

  it('makes no session younger than those that were active after it', async () => {
    for (const lines of [[claude(90), title], [neovate(90), title], [neovate(90)]]) {
      await addNamed(lines, 3);
      expect(await world.prune('--keep-last', '1')).toMatchObject({
        [ID]: 'remove: no rule keeps it',
        [OTHER]: 'keep: last 1',
      });
      expect((await world.prune('--newer-than', '30d', '--allow-empty'))[ID]).toMatch(/^keep/);
      expect((await world.prune('--max-sessions', '1'))[ID]).toMatch(/^remove/);
    }
  });

  it('of Claude Code is as old as its session if lines with a time follow', async () => {
    await addNamed([title, claude(90)], 3);
    expect((await world.prune('--older-than', '30d'))[ID]).toBe('remove: older than 30d');
  });
});

describe('a line whose time is missing or makes no sense', () => {
  it.each<[string, object]>([
    ['a name', { type: 'session_info', ...place, name: 'still needed' }],
    ['a label', { type: 'label', ...place, timestamp: 'soon', targetId: 'aaaaaaa1', label: 'x' }],
    ['a command', { type: 'message', ...place, timestamp: null, message: command }],
  ])('may be as young as the file if no line with a time follows: %s', async (_what, line) => {
    await add('used', line);
    await world.touch('proj/used.jsonl', 3);
    await world.add('plain', 40);
    const rules = ['--older-than', '30d', '--allow-empty'] as const;
    const plain = 'remove: older than 30d';
    expect(await world.prune(...rules)).toEqual({ used: 'keep: not surely older than 30d', plain });
    const [header = {}, first = {}, second = {}] = sampleSession({ id: 'used', start: isoAgo(90) });
    await writeFiles(world.store, { 'proj/used.jsonl': toJsonl([header, first, line, second]) });
    await world.touch('proj/used.jsonl', 3);
    expect(await world.prune(...rules)).toEqual({ used: plain, plain });
  });

  it('is every line of Codex before 0.40 but the first', async () => {
    const name = `rollout-2127-01-01T00-00-00-${ID}.jsonl`;
    const item = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] };
    const header = { id: ID, timestamp: isoAgo(90), instructions: null };
    const prune = async (days: number): Promise<Record<string, string>> => {
      await writeFiles(world.store, { [`sessions/${name}`]: toJsonl([header, item]) });
      await world.touch(`sessions/${name}`, days);
      return world.prune('--older-than', '30d', '--include-pinned', '--allow-empty');
    };
    expect(await prune(3)).toEqual({ [ID]: 'keep: not surely older than 30d' });
    expect(await prune(50)).toEqual({ [ID]: 'remove: older than 30d' });
  });
});

it('--last counts as in a list: by the last line, whatever its type', async () => {
  await add('named', { type: 'session_info', name: 'x', ...place, timestamp: isoAgo(10) });
  await world.add('asked', 40);
  const found = await world.prune('--last', '1', '--larger-than', '1B', '--allow-empty');
  expect(found).toMatchObject({ named: 'remove: larger than 1B, of the last 1' });
  const args = ['list', '--store', 'store', '--last', '1', '--json'];
  const { out } = await runTest(args, { cwd: world.dir, home: world.dir });
  expect(JSON.parse(out)).toMatchObject({ results: [{ id: 'named' }] });
});

it('is that of the lines in a session of Claude Code in which nobody has said anything', async () => {
  const write = async (id: string, days: number, line: object): Promise<void> => {
    const timestamp = isoAgo(days);
    const common = { uuid: id, parentUuid: null, sessionId: id, cwd: '/p', timestamp };
    await writeFiles(world.store, { [`-p/${id}.jsonl`]: toJsonl([{ ...common, ...line }]) });
    await world.touch(`-p/${id}.jsonl`, 3);
  };
  const notice = { type: 'system', subtype: 'informational', content: 'x', level: 'info' };
  await write(ID, 90, notice);
  await write(OTHER, 40, { type: 'user', message: { role: 'user', content: 'Hi' } });
  expect(await world.prune('--keep-last', '1')).toEqual({
    [ID]: 'remove: no rule keeps it',
    [OTHER]: 'keep: last 1',
  });
  expect(await world.prune('--older-than', '60d')).toEqual({
    [ID]: 'remove: older than 60d',
    [OTHER]: 'keep: not older than 60d',
  });
});

describe('a fork without a header that was never continued', () => {
  const FORK = '0fedcba9-8765-4321-8000-000000000003';

  async function write(agent: 'claude-code' | 'neovate', id: string, isFork: boolean) {
    const line = (uuid: string, days: number, origin?: string): object => {
      const common = { uuid, parentUuid: null, sessionId: id, timestamp: isoAgo(days) };
      const forkedFrom = origin !== undefined && { forkedFrom: { sessionId: origin } };
      const message = { role: 'user', content: uuid };
      const entry =
        agent === 'neovate' ? { type: 'message', ...message } : { type: 'user', message };
      return { ...common, ...entry, ...forkedFrom, cwd: '/p' };
    };
    const lines = isFork ? [line('a', 90, ID)] : [line('a', 90)];
    await writeFiles(world.store, { [`-p/${id}.jsonl`]: toJsonl(lines) });
    await world.touch(`-p/${id}.jsonl`, isFork ? 3 : 90);
    return async (): Promise<void> => {
      const later = { ...line('b', 80), parentUuid: 'a' };
      await writeFiles(world.store, { [`-p/${id}.jsonl`]: toJsonl([...lines, later]) });
      await world.touch(`-p/${id}.jsonl`, 3);
    };
  }

  it.each(['claude-code', 'neovate'] as const)(
    'is as young as its file, and so is its parent: %s',
    async (agent) => {
      await write(agent, ID, false);
      const goOn = await write(agent, FORK, true);
      const rules = ['--older-than', '30d', '--allow-empty'] as const;
      const kept = await world.prune(...rules);
      expect(Object.values(kept).map((told) => told.split(':')[0])).toEqual(['keep', 'keep']);
      await goOn();
      const gone = await world.prune(...rules);
      expect(Object.values(gone).map((told) => told.split(':')[0])).toEqual(['remove', 'remove']);
    },
  );
});
