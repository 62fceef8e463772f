import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

let world: PruneWorld;

beforeEach(async () => {
  world = await PruneWorld.make();
  await world.add('other', 2);
});

/** A session of these lines, last written 50 days ago. */
async function put(id: string, lines: readonly (object | string)[]): Promise<void> {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  await writeFiles(world.store, { [`proj/${id}.jsonl`]: `${texts.join('\n')}\n` });
  await world.touch(`proj/${id}.jsonl`, 50);
}

const [header = {}, question = {}, answer = {}] = sampleSession({ id: 'x', text: 'weeks of work' });
const text = (line: object): string => JSON.stringify(line);
const level = {
  type: 'thinking_level_change',
  id: 'aaaaaaa0',
  parentId: null,
  thinkingLevel: 'off',
};

describe('a session of which a line cannot be read is kept', () => {
  const whole = text(question);
  const damaged: readonly (readonly [what: string, lines: readonly string[]])[] = [
    ['glued to another', [text(level) + whole]],
    ['cut off', [whole.slice(0, -9)]],
    ['that begins with NULs', [`\0\0\0${whole}`]],
    ['that is all NULs', ['\0'.repeat(100)]],
    ['that holds a raw control character', [whole.replace('weeks', 'we\u0001eks')]],
    ['with a broken escape', [whole.replace('weeks', 'we\\qeks')]],
    ['that is not JSON', ['once upon a time']],
    ['that is not an object', ['"text"', 'null', '[1]']],
  ];

  it('by every rule', async () => {
    for (const [id, lines] of damaged) await put(id, [{ ...header, id }, ...lines]);
    const reasons = damaged.map(([id, { length }]) => {
      return [id, `keep: ${length} ${length === 1 ? 'line' : 'lines'} could not be read`];
    });
    for (const rules of [
      ['--empty'],
      ['--max-messages', '0'],
      ['--max-messages', '99'],
      ['--older-than', '30d'],
      ['--keep-last', '1', '--group-by', 'none'],
      ['--max-sessions', '0'],
      ['--max-total-size', '0'],
      ['--named', '*', '--include-parents'],
    ]) {
      const found = await world.prune(...rules, '--allow-empty');
      expect({ rules, found }).toMatchObject({ rules, found: Object.fromEntries(reasons) });
    }
  });

  it('though it is read only when it is about to be removed', async () => {
    // At both ends the line is as pi writes it: a listing does not look further.
    await put('x', [header, question, text(answer).replace('Hello.', '\\q'.repeat(2000))]);
    expect(await world.prune('--older-than', '30d')).toMatchObject({
      x: 'keep: 1 line could not be read',
    });
  });

  describe('and counts nowhere, though only the whole of the line shows it', () => {
    beforeEach(async () => {
      // Both ends are as pi writes them, and so is every string: a listing does not look further.
      await world.add('x', 1);
      const lines = await readFile(world.path('x'), 'utf8');
      await writeFile(world.path('x'), lines.replace('"content":[', '"content":[,'));
      await world.touch('proj/x.jsonl', 1);
    });

    it.each([
      ['--keep-last', '1', '--group-by', 'none'],
      ['--keep-yearly', '1', '--group-by', 'none'],
      ['--max-sessions', '1'],
      ['--older-than', '36h'],
    ])('%s %s', async (...rules) => {
      expect(await world.prune(...rules, '--grace', '0s')).toMatchObject({
        x: 'keep: 1 line could not be read',
        other: expect.stringMatching(/^keep: /),
      });
    });
  });

  it('for bytes that are no UTF-8', async () => {
    await put('x', [header, question, answer]);
    const bytes = await readFile(world.path('x'));
    bytes[bytes.indexOf('weeks')] = 0xff;
    await writeFile(world.path('x'), bytes);
    await world.touch('proj/x.jsonl', 50);
    expect(await world.prune('--older-than', '30d')).toMatchObject({
      x: 'keep: 1 line could not be read',
    });
  });

  it('for a JSON array that ends early, or goes on behind its end', async () => {
    const array = `[${text({ ...header, version: undefined })},${text(question)}`;
    await writeFiles(world.store, {
      'proj/early.json': array,
      'proj/comma.json': `${array},`,
      'proj/more.json': `${array}]\n${text(answer)}`,
      'proj/good.json': `${array}]\n`,
    });
    for (const name of ['early', 'comma', 'more', 'good'])
      await world.touch(`proj/${name}.json`, 50);
    const { out } = await world.run(['--store', 'store', '--json', '--older-than', '30d']);
    const { results } = JSON.parse(out) as { results: { path: string; action: string }[] };
    const kept = results.flatMap(({ path, action }) => (action === 'keep' ? [path] : []));
    expect(kept.map((path) => basename(path)).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'comma.json',
      'early.json',
      'more.json',
      'other.jsonl',
    ]);
  });

  it('and so is what it was forked from, and its place among the last is not lost', async () => {
    await world.add('parent', 80);
    await put('x', [{ ...header, parentSession: world.path('parent') }, question, 'torn {']);
    await world.add('old', 90);
    expect(await world.prune('--keep-last', '1', '--group-by', 'none')).toEqual({
      other: 'keep: last 1',
      x: 'keep: 1 line could not be read',
      parent: 'keep: parent of a kept fork',
      old: 'remove: no rule keeps it',
    });
  });

  it('and makes no fork of the same session look older than it may be', async () => {
    await world.add('sibling', 80, { parentSession: world.path('gone') });
    await put('x', [{ ...header, parentSession: world.path('gone') }, question, 'torn {']);
    await world.touch('proj/x.jsonl', 3);
    expect(await world.prune('--older-than', '30d')).toMatchObject({
      sibling: 'keep: not surely older than 30d',
    });
  });
});

describe('a fact that makes no sense is not a fact', () => {
  it.each(['next', 2.5, -1, { of: 'mine' }, true])('a version of %j', async (version) => {
    await put('x', [{ ...header, version }, question]);
    expect((await world.prune('--older-than', '30d'))['x']).toMatch(/^keep: .*format version/);
  });

  it.each([1_790_000_000, 0, 'yesterday', null])('a time of %j', async (timestamp) => {
    const message = { role: 'user', content: 'Hi', timestamp };
    const time = '1970-01-01T00:00:00Z';
    await put('x', [
      { ...header, timestamp: time },
      { ...question, timestamp: 'once', message },
    ]);
    await world.touch('proj/x.jsonl', 3);
    expect((await world.prune('--older-than', '30d'))['x']).toBe('keep: not older than 30d');
  });
});

it.each([1e300, 1e16, -5, 1_790_000_000])(
  'a time of %j makes no session older that has others',
  async (timestamp) => {
    const [, first = {}] = sampleSession({ start: '2025-06-01T00:00:00.000Z' });
    const last = { ...question, message: { role: 'user', content: 'Hi', timestamp } };
    await put('x', [header, first, last]);
    await world.touch('proj/x.jsonl', 3);
    expect((await world.prune('--older-than', '30d'))['x']).toBe('keep: not surely older than 30d');
  },
);

it('keeps a session beside a directory that may be somebody’s', async () => {
  await writeFiles(world.store, {
    'work.jsonl': sampleSession({ id: '0199a3f1-0000' }),
    'work/thesis.tex': 'years of work',
  });
  for (const name of ['work.jsonl', 'work/thesis.tex', 'work']) await world.touch(name, 50);
  expect(await world.prune('--older-than', '30d')).toMatchObject({
    '0199a3f1-0000': 'keep: the directory beside it may not belong to it',
  });
});

describe('--include-damaged', () => {
  beforeEach(() => put('x', [header, question, text(answer).slice(5)]));

  it('lifts that for selectors by path, size, project and age', async () => {
    for (const rules of [
      ['--older-than', '30d'],
      ['--project', '/home/dev/orchard'],
      ['--smaller-than', '1MB', '--started-before', '2099-01-01'],
      ['--agent', 'pi'],
      [world.path('x'), '--keep-daily', '0', '--max-sessions', '0'],
    ]) {
      const found = await world.prune(...rules, '--include-damaged');
      expect([...rules, found['x']]).toEqual([...rules, expect.stringMatching(/^remove/)]);
    }
  });

  it('still keeps what may have a name or a label', async () => {
    const rules = ['--older-than', '30d', '--keep-named', '--keep-labeled', '--include-damaged'];
    expect((await world.prune(...rules))['x']).toBe(
      'keep: perhaps named: 1 line could not be read, perhaps labeled: 1 line could not be read',
    );
  });

  it('is refused with any other selector, and without one', async () => {
    for (const rules of [
      ['--empty'],
      ['--older-than', '30d', '--named', '*'],
      ['--keep-last', '1'],
    ]) {
      const { exitCode, err } = await world.run([
        '--store',
        'store',
        ...rules,
        '--include-damaged',
      ]);
      expect([...rules, exitCode]).toEqual([...rules, 2]);
      expect(err).toContain('--include-damaged: ');
    }
  });

  it('holds when a plan is applied', async () => {
    const plan = ['--plan-out', 'plan.ndjson', '--older-than', '30d', '--include-damaged'];
    await world.run(['--store', 'store', ...plan]);
    const { out } = await world.run(['--plan', 'plan.ndjson', '--apply', '--delete']);
    expect(out).toContain('Removed 1 of');
  });
});

describe('an entry of a type that nobody knows', () => {
  const unknown = {
    type: 'rename',
    id: 'aaaaaaa9',
    parentId: null,
    timestamp: '2026-01-01T00:00:00Z',
  };
  beforeEach(() => put('x', [header, unknown]));

  it.each([[['--empty']], [['--max-messages', '3']], [['--named', '*']], [['--model', '*']]])(
    'keeps the session from %j',
    async (rules) => {
      expect((await world.prune(...rules))['x']).toBe('keep: 1 entry of an unknown type');
    },
  );

  it('may be a name or a label', async () => {
    const found = await world.prune('--older-than', '30d', '--keep-named');
    expect(found['x']).toBe('keep: perhaps named: 1 entry of an unknown type');
    expect((await world.prune('--keep-labeled'))['x']).toMatch(/^keep: perhaps labeled/);
  });

  it('matters to nothing else', async () => {
    for (const rule of ['--older-than=30d', '--project=/home/dev/orchard', '--keep-last=1']) {
      expect([rule, (await world.prune(rule))['x']]).toEqual([
        rule,
        expect.stringMatching(/^remove/),
      ]);
    }
  });
});

describe('--empty', () => {
  const place = { parentId: null, timestamp: '2026-01-01T00:00:00.000Z' };
  const toMessage = (message: object): object => ({
    type: 'message',
    id: 'b0000000',
    ...place,
    message,
  });
  it.each([
    ['an answer', answer],
    ['a command', toMessage({ role: 'bashExecution', command: 'make', output: '', timestamp: 1 })],
    [
      'a message of an extension',
      { type: 'custom_message', customType: 'x', content: 'y', id: 'b0000000', ...place },
    ],
    ['a name', { type: 'session_info', id: 'b0000000', ...place, name: 'mine' }],
    ['a label', { type: 'label', id: 'b0000000', ...place, targetId: 'x', label: 'here' }],
    [
      'a compaction',
      { type: 'compaction', id: 'b0000000', ...place, summary: 's', firstKeptEntryId: 'x' },
    ],
  ])('keeps a session with %s', async (_, entry) => {
    await put('x', [header, entry]);
    expect((await world.prune('--empty'))['x']).toBe('keep: not selected');
  });

  it('removes one with nothing but settings and the state of extensions', async () => {
    const state = { type: 'custom', customType: 'x', data: {}, id: 'b0000000', ...place };
    const model = { type: 'model_change', id: 'b0000001', ...place, provider: 'a', modelId: 'b' };
    await put('x', [header, { ...level, timestamp: place.timestamp }, model, state]);
    expect((await world.prune('--empty'))['x']).toBe('remove: no user content');
  });
});

it('a parent that a kept session of v1 names is kept', async () => {
  await world.add('parent', 80);
  const old = { type: 'session', id: 'x', timestamp: '2026-01-01T00:00:00.000Z', cwd: '/p' };
  await put('x', [{ ...old, branchedFrom: world.path('parent') }, question]);
  expect(
    await world.prune('--keep-id', 'x', '--keep-last', '1', '--group-by', 'none'),
  ).toMatchObject({
    parent: 'keep: parent of a kept fork',
  });
});

/** What power cuts, full disks and careless tools do to one line of a file. */
const DAMAGES: readonly ((lines: string[], at: number) => void)[] = [
  (lines, at) => lines.splice(at, 1, (lines[at] ?? '').slice(0, -3)),
  (lines, at) => lines.splice(at, 2, (lines[at] ?? '') + (lines[at + 1] ?? '{"type":"usage"}')),
  (lines, at) => lines.splice(at, 1, (lines[at] ?? '').replace(/.{5}$/, '\0\0\0\0\0')),
  (lines, at) => lines.splice(at, 1, (lines[at] ?? '').replace(/[a-z]/, '\xff')),
  (lines, at) => lines.splice(at, 1, 'not JSON'),
];

it('no rule removes a session for damage', async () => {
  const rule = fc.constantFrom(
    ['--empty'],
    ['--max-messages', '1'],
    ['--named', 'a*'],
    ['--model', '*oak*'],
    ['--missing-cwd'],
    ['--older-than', '30d'],
    ['--newer-than', '30d'],
    ['--last', '2', '--older-than', '10d'],
    ['--keep-last', '2', '--group-by', 'none'],
    ['--keep-named'],
    ['--keep-labeled', '--older-than', '1d'],
    ['--keep-within', '40d', '--group-by', 'none'],
    ['--max-sessions', '2'],
    ['--max-total-size', '1kB'],
  );
  const session = fc.record({
    days: fc.integer({ min: 2, max: 90 }),
    name: fc.constantFrom(undefined, 'a name'),
    lines: fc.constantFrom(2, 3, 4),
  });
  const damage = fc.record({ kind: fc.nat(DAMAGES.length - 1), at: fc.nat() });
  await fc.assert(
    fc.asyncProperty(
      fc.array(session, { minLength: 3, maxLength: 5 }),
      damage,
      rule,
      async (all, how, rules) => {
        world = await PruneWorld.make();
        for (const [index, { days, name, lines }] of all.entries()) {
          const options = { cwd: `${world.dir}/gone`, ...(name !== undefined && { name }) };
          await world.add(`s${index}`, days, options);
          const whole = (await readFile(world.path(`s${index}`), 'utf8')).trimEnd().split('\n');
          await writeFile(world.path(`s${index}`), `${whole.slice(0, lines).join('\n')}\n`);
          await world.touch(`proj/s${index}.jsonl`, days);
        }
        const before = await world.prune(...rules, '--grace', '0min');
        const content = await readFile(world.path('s0'), 'utf8');
        const lines = content.trimEnd().split('\n');
        DAMAGES[how.kind]?.(lines, how.at % lines.length);
        await writeFile(
          world.path('s0'),
          `${lines.join('\n')}\n`,
          how.kind === 3 ? 'latin1' : 'utf8',
        );
        await world.touch('proj/s0.jsonl', all[0]?.days ?? 0);
        const after = await world.prune(...rules, '--grace', '0min');
        const removed = Object.keys(after).filter((id) => after[id]?.startsWith('remove'));
        expect(removed.filter((id) => !before[id]?.startsWith('remove'))).toEqual([]);
        expect(after['s0'] ?? 'keep').toMatch(/^keep/);
      },
    ),
    { numRuns: 15, seed: 17 },
  );
});

it.each([
  ['other', ['--store', 'store']],
  ['other/task', ['--store', 'store']],
  ['other/task', ['store/proj/old.jsonl', '--allow-empty']],
  ['fork.jsonl', ['store/proj/old.jsonl', '--allow-empty']],
])(
  'keeps a session while %s beside it cannot be read, and may hold forks: prune %j',
  async (name, targets) => {
    await world.add('old', 60);
    const unread = join(world.store, 'proj', name);
    await mkdir(dirname(unread), { recursive: true });
    // It leads to itself.
    await symlink(unread, unread);
    const { out } = await world.run([...targets, '--older-than', '30d']);
    expect(out).toContain(`${unread} cannot be read, and may hold forks of it`);
    expect(out).not.toMatch(/^remove/m);
  },
);
