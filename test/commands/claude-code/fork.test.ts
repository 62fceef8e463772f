import { appendFile, cp, mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { runTest, type TestRun } from '../../memory-terminal.ts';
import { answer, say } from '../../session/agents/claude-code/asked-lines.ts';
import { toNode, toText } from '../../session/agents/claude-code/healthy-session.ts';
import { makeTempDir } from '../../temp-dir.ts';

const CORPUS = join(import.meta.dirname, '../../fixtures/claude-code');
const ID = 'aaaaaaaa-0000-4000-8000-000000000001';
const NEW = '0199a3f1-0000-7000-8000-000000000001';
const OTHER = '0199a3f1-0000-7000-8000-000000000002';
const uuid = (at: number): string => `00000001-0000-4000-8000-00000000000${at}`;

let home: string;
let file: string;

beforeEach(async () => {
  home = await makeTempDir();
  file = join(home, `.claude/projects/-home-u-demo/${ID}.jsonl`);
});

async function store(name: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await cp(join(CORPUS, `${name}.jsonl`), file);
  await utimes(file, 1.7e9, 1.7e9);
}

const coppice = (...argv: readonly string[]): Promise<TestRun> =>
  runTest(argv, { home, cwd: home, now: () => Date.parse('2127-01-01T00:00:00Z') });

async function fork(...args: readonly string[]) {
  const { out, err } = await coppice('fork', ID, ...args, '--json');
  if (out === '') throw new Error(err);
  return (JSON.parse(out) as { results: readonly Readonly<Record<string, unknown>>[] }).results;
}

const parse = (text: string): readonly JsonObject[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JsonObject);

it('is listed as a fork of its source in another project, and not the other way around', async () => {
  await store('made-branch');
  const lines = parse(await readFile(file, 'utf8'));
  // Two prompts before the first answer: the fork is used before its source.
  const [first = {}] = lines;
  const second = { ...first, uuid: uuid(9), parentUuid: first['uuid'] ?? null };
  await writeFile(file, [first, second].map((line) => `${JSON.stringify(line)}\n`).join(''));
  await fork('--at', uuid(1), '--cwd', '/w/new', '--id', NEW);
  const listed = await coppice('list', '--json');
  const { results } = JSON.parse(listed.out) as { results: readonly JsonObject[] };
  const parents = results.map(({ id, parentSessionPath }) => [id, parentSessionPath]);
  expect(Object.fromEntries(parents)).toEqual({ [ID]: null, [NEW]: file });
});

it('knows the lines about owners and origins of 2.1.332, and gives a fork none of the origins', async () => {
  await store('made-branch');
  const aside = ['session-owner', 'memory-mode', 'derived-from', 'resume-head-vouch'];
  const lines = aside.map((type) => JSON.stringify({ type, sessionId: ID }));
  await writeFile(file, `${await readFile(file, 'utf8')}${lines.join('\n')}\n`);
  await utimes(file, 1.7e9, 1.7e9);
  const rules = ['--max-messages', '99', '--allow-empty'];
  const { results } = JSON.parse((await coppice('prune', ...rules, '--json')).out) as {
    results: readonly JsonObject[];
  };
  expect(results).toMatchObject([{ action: 'remove' }]);
  await fork('--whole', '--id', NEW);
  const copied = await readFile(join(dirname(file), `${NEW}.jsonl`), 'utf8');
  expect(copied).not.toMatch(/derived-from|resume-head-vouch/);
});

describe('fork of a Claude Code session', () => {
  it('writes the path as the client does: ids kept, the new session, and where it came from', async () => {
    await store('made-branch');
    const [result] = await fork('--id', NEW, '--name', 'Try\nagain');
    const path = join(dirname(file), `${NEW}.jsonl`);
    expect(result).toMatchObject({ path, id: NEW, entries: 7, leafId: uuid(8) });
    const lines = parse(await readFile(path, 'utf8'));
    expect(lines.filter(({ uuid: id }) => id).map(({ forkedFrom }) => forkedFrom)).toContainEqual({
      sessionId: ID,
      messageUuid: uuid(8),
    });
    expect(new Set(lines.map(({ sessionId }) => sessionId))).toEqual(new Set([NEW]));
    expect(lines.slice(-3)).toEqual([
      { type: 'custom-title', customTitle: 'Try again', sessionId: NEW },
      { type: 'agent-name', agentName: 'Try again', sessionId: NEW },
      { type: 'last-prompt', leafUuid: uuid(8), sessionId: NEW },
    ]);
  });

  it('never cuts between a call and what came back', async () => {
    await store('made-parallel-results-as-siblings');
    const [result] = await fork('--at', uuid(3), '--id', NEW);
    expect(result).toMatchObject({ entries: 7 });
    const text = await readFile(join(dirname(file), `${NEW}.jsonl`), 'utf8');
    expect(text).toContain('out1');
    expect(text).toContain('out2');
    expect(text).not.toContain('"done"');
  });

  /** Lines about a session that any release may add behind the conversation. */
  async function storeWith(...asides: readonly JsonObject[]): Promise<void> {
    await store('made-branch');
    const lines = asides.map((one) => `${JSON.stringify({ ...one, sessionId: ID })}\n`);
    await appendFile(file, lines.join(''));
    await utimes(file, 1.7e9, 1.7e9);
  }
  const replacements = [{ kind: 'tool-result', toolUseId: 't', replacement: 'short' }];
  const relocated = { type: 'relocated', relocatedCwd: '/home/u/moved' };

  it('carries what the model is sent and how the session is kept, as the client does', async () => {
    const suppression = { type: 'history-suppression', cause: 'user' };
    const memory = { type: 'memory-mode', mode: 'off' };
    const [one, two] = [replacements, [{ ...replacements[0], toolUseId: 'u' }]];
    await storeWith(
      { type: 'content-replacement', replacements: one },
      memory,
      relocated,
      suppression,
      { type: 'content-replacement', replacements: two },
    );
    for (const options of [
      ['--id', NEW],
      ['--id', OTHER, '--whole'],
    ]) {
      const [result] = await fork(...options);
      const lines = parse(await readFile(String(result?.['path']), 'utf8'));
      const [, sessionId] = options;
      for (const line of [memory, relocated, suppression])
        expect(lines).toContainEqual({ ...line, sessionId });
      const replaced = lines.filter(({ type }) => type === 'content-replacement');
      expect(replaced.map((line) => line['replacements'])).toEqual([one, two]);
    }
  });

  it('works in the directory of --cwd, wherever the source was moved to', async () => {
    await storeWith(relocated);
    for (const options of [
      ['--id', NEW],
      ['--id', OTHER, '--whole'],
    ]) {
      const [result] = await fork('--cwd', '/home/u/other', ...options);
      const { out } = await coppice('list', String(result?.['path']), '--json');
      const { results } = JSON.parse(out) as { readonly results: readonly JsonObject[] };
      expect(results[0]).toMatchObject({ cwd: '/home/u/other' });
    }
  });

  it('carries nothing that is true of the source alone, such as where it goes on', async () => {
    await store('made-branch');
    const text = await readFile(file, 'utf8');
    const daemon = text.replaceAll('"isSidechain":', '"sessionKind":"daemon","isSidechain":');
    expect(daemon).not.toBe(text);
    const asides = ['continued-in', 'bridge-session', 'ended-by-model', 'resume-head-vouch'].map(
      (type) => JSON.stringify({ type, sessionId: ID }),
    );
    await writeFile(file, `${daemon.trimEnd()}\n${asides.join('\n')}\n`);
    await utimes(file, 1.7e9, 1.7e9);
    for (const options of [
      ['--id', NEW],
      ['--id', OTHER, '--whole'],
    ]) {
      const [result] = await fork(...options);
      const lines = parse(await readFile(String(result?.['path']), 'utf8'));
      const types = lines.map(({ type }) => type);
      expect(types).not.toContain('continued-in');
      expect(types).not.toContain('bridge-session');
      expect(types).not.toContain('ended-by-model');
      expect(types).not.toContain('resume-head-vouch');
      expect(lines.some((line) => 'sessionKind' in line)).toBe(false);
    }
  });

  it('leaves copies of requests, costs and the states of files behind', async () => {
    await store('recorded-tui-rename-rewind');
    await fork('--whole', '--id', NEW);
    const types = parse(await readFile(join(dirname(file), `${NEW}.jsonl`), 'utf8')).map(
      ({ type }) => type,
    );
    expect(types).toContain('last-prompt');
    for (const type of ['api-request', 'cost-state', 'queue-operation', 'file-history-snapshot']) {
      expect(types).not.toContain(type);
    }
  });

  it('puts a fork for another directory where the client looks for it', async () => {
    await store('made-branch');
    const cwd = join(home, 'a.b_ü');
    const [result] = await fork('--cwd', cwd, '--id', NEW);
    const folder = cwd.replaceAll(/[^A-Za-z0-9]/g, '-');
    const path = join(home, '.claude/projects', folder, `${NEW}.jsonl`);
    expect(result).toMatchObject({ path });
    const nodes = parse(await readFile(path, 'utf8')).filter(({ uuid: id }) => id);
    expect(new Set(nodes.map((node) => node['cwd']))).toEqual(new Set([cwd]));
  });

  it('lists each message that it can go back before, also the one that the client reads on a line of two', async () => {
    await store('made-glued-lines');
    const points = await fork('--points');
    // Nothing comes before the first, q1.
    expect(points).toMatchObject([{ text: 'q2' }, { text: 'q3' }]);
    const { out } = await coppice('list', ID, '--entries', '--json');
    const { results } = JSON.parse(out) as { results: readonly JsonObject[] };
    expect(results.map(({ id }) => id)).toEqual([1, 2, 3, 5, 6].map(uuid));
    expect(await fork('--before', uuid(3), '--dry-run')).toMatchObject([{ text: 'q2' }]);
  });

  it('goes back before a message, and makes a session of each branch', async () => {
    await store('made-branch');
    expect(await fork('--before', uuid(7), '--dry-run')).toMatchObject([
      { text: 'branch q2b', entries: 3 },
    ]);
    const each = await fork('--each-leaf');
    expect(each.map(({ leafId }) => leafId)).toEqual([uuid(6), uuid(8)]);
    await store('made-parallel-results-as-siblings');
    expect(await fork('--each-leaf', '--dry-run')).toHaveLength(1);
    await store('made-two-compactions');
    expect(await fork('--each-leaf', '--dry-run')).toHaveLength(1);
  });

  it('lists the prompts that one can go back before', async () => {
    await store('made-branch');
    const points = await fork('--points');
    // Nothing comes before the first, q1.
    expect(points.map(({ text, onPath }) => [text, onPath])).toEqual([
      ['q2', false],
      ['q3', false],
      ['branch q2b', true],
    ]);
  });

  it.each([
    ['another kind of id', ['--id', 'mine'], '--id mine: expected a UUID in lower case'],
    ['nothing before the first message', ['--before', uuid(1)], 'nothing comes before'],
  ])('refuses %s', async (_, args, expected) => {
    await store('made-branch');
    const { exitCode, err } = await coppice('fork', ID, ...args);
    expect(exitCode).toBe(2);
    expect(err).toContain(expected);
  });

  it('refuses what is an entry of a sub-agent', async () => {
    await store('made-sidechain-inline');
    const lines = parse(await readFile(file, 'utf8'));
    const id = lines.flatMap((line) => (line['isSidechain'] === true ? line['uuid'] : []))[0];
    const { exitCode, err } = await coppice('fork', ID, '--at', typeof id === 'string' ? id : '');
    expect(exitCode).toBe(2);
    expect(err).toContain('is an entry of a sub-agent');
  });
});

describe('fork --in-place of a Claude Code session', () => {
  it('names a session in the file beside it, too, which the client lists where the lines are long', async () => {
    await store('made-branch');
    const note = join(dirname(file), ID, 'custom-title.json');
    await mkdir(dirname(note));
    await writeFile(note, '{"customTitle":"Old","x":1.0}');
    const name = ['--in-place', '--name', 'New one'];
    expect(await fork(...name)).toMatchObject([{ action: 'label', reasons: ['named New one'] }]);
    expect(await readFile(note, 'utf8')).toContain('Old');
    await fork(...name, '--apply');
    expect(await readFile(note, 'utf8')).toBe('{"customTitle":"New one","x":1.0}');
    const named = await readFile(file, 'utf8');
    await utimes(file, 1.7e9, 1.7e9);
    expect(await fork(...name, '--apply')).toMatchObject([{ action: 'unchanged' }]);

    await writeFile(note, '{"customTitle":"Old"}');
    expect(await fork(...name, '--apply')).toMatchObject([{ action: 'label' }]);
    expect(await readFile(note, 'utf8')).toBe('{"customTitle":"New one"}');
    expect(await readFile(file, 'utf8')).toBe(named);
  });

  it('appends the line by which a person chooses the leaf', async () => {
    await store('made-branch');
    const before = await readFile(file, 'utf8');
    const [result] = await fork('--in-place', '--at', uuid(6), '--name', 'Back', '--apply');
    expect(result).toMatchObject({ action: 'move', targetId: uuid(6) });
    const after = await readFile(file, 'utf8');
    expect(after.startsWith(before)).toBe(true);
    expect(parse(after.slice(before.length))).toEqual([
      { type: 'custom-title', customTitle: 'Back', sessionId: ID },
      { type: 'agent-name', agentName: 'Back', sessionId: ID },
      { type: 'last-prompt', leafUuid: uuid(6), explicit: true, sessionId: ID },
    ]);
    await utimes(file, 1.7e9, 1.7e9);
    expect(await fork('--in-place', '--at', uuid(6))).toMatchObject([{ action: 'unchanged' }]);
  });

  it('changes nothing a second time, when more than a message stands at the end', async () => {
    await store('recorded-tui-summarize-from');
    const reply = 'e949c488-e948-4e06-94d6-37747a4205b6';
    expect(await fork('--in-place', '--at', reply, '--apply')).toMatchObject([{ action: 'move' }]);
    await utimes(file, 1.7e9, 1.7e9);
    expect(await fork('--in-place', '--at', reply)).toMatchObject([{ action: 'unchanged' }]);
  });

  // Releases before 2.1.80 attached prompts to lines of progress, which no release knows as a leaf.
  it('names the entry above a line that the client steps over', async () => {
    const progress = { type: 'progress', data: { type: 'hook_progress' }, toolUseID: 'x' };
    await mkdir(dirname(file), { recursive: true });
    await writeFile(
      file,
      toText([
        say('n1', null, 1),
        answer('n2', 'n1', 2),
        toNode('n3', 'n2', 3, progress),
        say('n4', 'n3', 4),
        answer('n5', 'n4', 5),
      ]),
    );
    await utimes(file, 1.7e9, 1.7e9);
    const before = await fork('--in-place', '--before', 'n4', '--apply');
    expect(before).toMatchObject([{ action: 'move', targetId: 'n2', text: 'n4' }]);
    await utimes(file, 1.7e9, 1.7e9);
    expect(await fork('--in-place', '--at', 'n3')).toMatchObject([{ action: 'unchanged' }]);
  });

  it('goes back before the first message: the conversation is empty', async () => {
    await store('made-branch');
    const [result] = await fork('--in-place', '--before', uuid(1), '--apply');
    expect(result).toMatchObject({ action: 'move', targetId: null, text: 'q1' });
    expect(parse(await readFile(file, 'utf8')).at(-1)).toEqual({
      type: 'last-prompt',
      leafUuid: null,
      explicit: true,
      sessionId: ID,
    });
  });

  it.each([
    ['made-preserved-segment', uuid(2), 'Claude Code does not load that part'],
    ['made-branch', 'gone', 'has no entry'],
  ])('refuses an entry that the client does not find: %s', async (name, entry, expected) => {
    await store(name);
    const before = await readFile(file, 'utf8');
    const [result] = await fork('--in-place', '--at', entry, '--apply');
    expect(result).toMatchObject({
      action: 'fail',
      reasons: [expect.stringContaining(expected) as string],
    });
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('refuses labels, which Claude Code has none of', async () => {
    await store('made-branch');
    const { exitCode, err } = await coppice('fork', ID, '--in-place', '--label', `${uuid(2)}=x`);
    expect(exitCode).toBe(2);
    expect(err).toContain('Claude Code keeps no labels');
  });
});
