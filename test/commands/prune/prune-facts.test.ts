import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';
import { ClaudeCodeHome, type PruneAnswer, TASKS } from './claude-code-home.ts';
import { PruneWorld } from './prune-world.ts';

let world: PruneWorld;

beforeEach(async () => {
  world = await PruneWorld.make();
  await world.add('other', 2);
});

/** A session of these lines, last written 50 days ago. */
async function put(id: string, lines: readonly object[]): Promise<void> {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  await writeFiles(world.store, { [`proj/${id}.jsonl`]: text });
  await world.touch(`proj/${id}.jsonl`, 50);
}

const [header = {}, question = {}] = sampleSession({ id: 'x', text: 'weeks of work' });

it.each(['1970-01-01T00:00:10.000Z', 1_700_000_000, 'yesterday', null])(
  'a start at %j is before and after nothing',
  async (timestamp) => {
    await put('x', [{ ...header, timestamp }, question]);
    for (const rule of ['--started-before=2100-01-01', '--started-after=1960-01-01']) {
      expect((await world.prune(rule))['x']).toBe('keep: not selected');
    }
  },
);

it.each([
  ['1970-01-01T00:10:00.000Z', 600_000],
  [1_700_000_000, 1_700_000_000],
])(
  'times as of %j give a session the place of its file among the last',
  async (timestamp, written) => {
    const slip = (line: object) => ({ ...line, timestamp });
    const message = { role: 'user', content: 'weeks of work', timestamp: written };
    await put('x', [slip(header), { ...slip(question), message }]);
    await world.add('y', 60);
    await world.add('z', 70);
    const found = await world.prune('--keep-last', '2', '--group-by', 'none');
    expect(found).toMatchObject({ x: 'keep: last 2', y: 'remove: no rule keeps it' });
  },
);

it('tasks that a user of oh-my-pi has written are work, and state of extensions is not', async () => {
  const data = { phases: [{ name: 'Home', tasks: [{ content: 'Buy milk', status: 'pending' }] }] };
  const entry = {
    type: 'custom',
    id: 'b0000000',
    parentId: null,
    timestamp: '2026-01-01T00:00:00.000Z',
    data,
  };
  await put('x', [header, { ...entry, customType: 'user_todo_edit' }]);
  await put('y', [
    { ...header, id: 'y' },
    { ...entry, customType: 'todo_hud_state' },
  ]);
  expect(await world.prune('--empty')).toMatchObject({
    x: 'keep: not selected',
    y: 'remove: no user content',
  });
});

describe('the title before the header, which oh-my-pi writes', () => {
  const title = { type: 'title', v: 1, title: 'Mine', source: 'user', pad: '   ' };

  it('is a name', async () => {
    await put('x', [title, header]);
    expect((await world.prune('--empty'))['x']).toBe('keep: not selected');
    expect((await world.prune('--keep-named'))['x']).toBe('keep: named');
    await put('x', [{ ...header, title: 'Mine, of an older release' }, question]);
    expect((await world.prune('--keep-named'))['x']).toBe('keep: named');
    await put('x', [
      { ...title, title: '' },
      { ...header, title: 'Mine, once' },
    ]);
    expect((await world.prune('--empty'))['x']).toBe('remove: no user content');
  });

  it('may be as young as its file where older releases write it, which is in the header', async () => {
    await put('x', [{ ...header, title: 'Mine' }, question]);
    await put('y', [{ ...header, id: 'y' }, question]);
    await Promise.all(['x', 'y'].map((id) => world.touch(`proj/${id}.jsonl`, 5)));
    expect(await world.prune('--older-than', '30d')).toMatchObject({
      x: 'keep: not surely older than 30d',
      y: 'remove: older than 30d',
    });
  });

  it('is a use at its own time, which no copy of the file changes', async () => {
    const at = async (updatedAt: string) => {
      await put('x', [{ ...title, updatedAt }, header, question]);
      return (await world.prune('--older-than', '30d'))['x'];
    };
    expect(await at('2026-01-02T00:00:00.000Z')).toBe('remove: older than 30d');
    expect(await at(new Date(NOW - 86_400_000).toISOString())).toBe(
      'keep: not surely older than 30d',
    );
  });
});

it('keeps the parent of a fork whose copied lines still have the id of that', async () => {
  const home = await ClaudeCodeHome.make();
  const project = join(home.config, 'projects', '-home-u-demo-project');
  const fork = 'eeeeeeee-0000-4000-8000-000000000001';
  const message = { role: 'user', content: 'Go on' };
  const node = { type: 'user', parentUuid: null, uuid: '1', message };
  const from = { forkedFrom: { sessionId: TASKS, messageUuid: '1' } };
  const line = { ...node, ...from, sessionId: TASKS, timestamp: '2026-03-02T09:30:00.000Z' };
  await writeFile(join(project, `${fork}.jsonl`), `${JSON.stringify(line)}\n`);
  await home.age();
  expect(await explain(home, TASKS, '--keep-id', fork)).toBe('parent of a kept fork');
});

/** Returns the reason for what becomes of a session. */
async function explain(
  home: ClaudeCodeHome,
  session: string,
  ...args: string[]
): Promise<string | undefined> {
  const { out } = await home.run('prune', '--older-than', '30d', '--json', ...args);
  const { results } = JSON.parse(out) as { results: readonly PruneAnswer[] };
  return results.find(({ id }) => id === session)?.reasons.join(', ');
}

it('counts the messages of every branch before it takes a session for small', async () => {
  const home = await ClaudeCodeHome.make();
  const path = join(home.config, 'projects', '-home-u-demo-project', `${TASKS}.jsonl`);
  const toLine = (uuid: string, parentUuid: string | null, role: string) => {
    const content = [{ type: 'text', text: 'Go on' }];
    const message = { role, content, id: `msg_${uuid}`, model: 'claude-x' };
    const timestamp = '2026-03-02T09:30:00.000Z';
    return { type: role, uuid, parentUuid, sessionId: TASKS, timestamp, message };
  };
  const prompts = ['1', '2', '3'].flatMap((uuid) => {
    const prompt = toLine(uuid, uuid === '1' ? null : '1', 'user');
    return [prompt, toLine(`${uuid}a`, uuid, 'assistant')];
  });
  const end = { type: 'last-prompt', lastPrompt: 'Go on', leafUuid: '1', sessionId: TASKS };
  await writeFile(path, [...prompts, end].map((line) => `${JSON.stringify(line)}\n`).join(''));
  await home.age();
  const shown = await home.run('list', '--agent', 'claude-code', '--json');
  expect(shown.out).toContain(`"id":"${TASKS}"`);
  expect(shown.out).toMatch(new RegExp(`"id":"${TASKS}"[^\\n]*"messageCount":3,`));
  expect(await explain(home, TASKS, '--max-messages', '5')).toBe('not selected');
  expect(await explain(home, TASKS, '--max-messages', '6')).toBe(
    'older than 30d, at most 6 messages',
  );
});
