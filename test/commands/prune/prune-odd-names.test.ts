import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const UUID = '10000000-0000-4000-8000-000000000001';
const THREAD = '01a1fffd-5433-7a63-ade5-edd101592fdf';
const timestamp = '2026-01-03T10:00:00.000Z';

let home: string;

beforeEach(async () => {
  home = await makeTempDir();
});

const pi = (...more: object[]) => ({
  '.pi/agent/sessions/--w--/x.jsonl': [...sampleSession({ id: 'x' }), ...more],
});
const piEntry = (more: object): object => {
  return { id: 'b0000000', parentId: null, timestamp, ...more };
};
const claude = (...more: object[]) => ({
  [`.claude/projects/-w/${UUID}.jsonl`]: [
    {
      parentUuid: null,
      uuid: UUID,
      sessionId: UUID,
      timestamp,
      type: 'user',
      message: { role: 'user', content: 'hi' },
    },
    ...more,
  ],
});
const neovate = (...more: object[]) => ({
  '.neovate/projects/w/aaaaaaaa.jsonl': [
    ...more,
    {
      parentUuid: null,
      uuid: UUID,
      sessionId: 'aaaaaaaa',
      timestamp,
      type: 'message',
      role: 'user',
      content: 'hi',
    },
  ],
});
const codex = (...more: object[]) => ({
  [`.codex/sessions/2026/01/03/rollout-2026-01-03T10-00-00-${THREAD}.jsonl`]: [
    {
      timestamp,
      type: 'session_meta',
      payload: {
        id: THREAD,
        timestamp,
        cwd: '/w',
        originator: 'codex_cli_rs',
        cli_version: '0.130.0',
        source: 'cli',
      },
    },
    { timestamp, type: 'event_msg', payload: { type: 'user_message', message: 'hi' } },
    ...more.map((payload) => ({ timestamp, type: 'event_msg', payload })),
  ],
});

type Files = Readonly<Record<string, object[] | string>>;

async function prune(files: Files, ...rules: string[]): Promise<string | undefined> {
  for (const [name, content] of Object.entries(files)) {
    if (typeof content !== 'string') await writeFiles(home, { [name]: content });
    else {
      await mkdir(dirname(join(home, name)), { recursive: true });
      await writeFile(join(home, name), content);
    }
  }
  const args = ['prune', ...rules, '--include-pinned', '--allow-empty', '--grace', '0', '--json'];
  const { out } = await runTest(args, { cwd: home, home });
  const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
  return results[0]?.action;
}

const NAMES: readonly (readonly [string, (name: unknown) => Files])[] = [
  ['an entry of pi', (name) => pi(piEntry({ type: 'session_info', name }))],
  ['a title of Claude Code', (name) => claude({ type: 'custom-title', customTitle: name })],
  ['a title by a model', (name) => claude({ type: 'ai-title', aiTitle: name, sessionId: UUID })],
  [
    'a file of Claude Code',
    (name) => ({
      ...claude(),
      [`.claude/projects/-w/${UUID}/custom-title.json`]: JSON.stringify({ customTitle: name }),
    }),
  ],
  ['a title of Neovate', (name) => neovate({ type: 'custom-title', customTitle: name })],
  ['settings of Neovate', (name) => neovate({ type: 'config', config: { summary: name } })],
  ['an event of Codex', (name) => codex({ type: 'thread_name_updated', thread_name: name })],
  [
    'a list of Codex',
    (name) => ({
      ...codex(),
      '.codex/session_index.jsonl': `${JSON.stringify({ id: THREAD, thread_name: name })}\n`,
    }),
  ],
  [
    'the app of Codex',
    (name) => ({
      ...codex(),
      '.codex/.codex-global-state.json': JSON.stringify({
        'thread-titles': { titles: { [THREAD]: name } },
      }),
    }),
  ],
];

it.each(NAMES)('--keep-named keeps a session whose name is not a text: %s', async (_, toFiles) => {
  const answers = [];
  for (const name of [{ text: 'a name' }, ['a name'], 5, true, 'a name', null, '']) {
    answers.push(await prune(toFiles(name), '--keep-named'));
  }
  const kept = Array.from({ length: 5 }, () => 'keep');
  expect(answers).toEqual([...kept, 'remove', 'remove']);
});

it.each([
  ['pi', (label: unknown) => pi(piEntry({ type: 'label', targetId: 'a0000000', label }))],
  ['Claude Code', (tag: unknown) => claude({ type: 'tag', tag, sessionId: UUID })],
])('--keep-labeled keeps a session of %s whose label is not a text', async (_, toFiles) => {
  const answers = [];
  for (const label of [{ text: 'a' }, ['a'], 5, true, 'a', null, '']) {
    answers.push(await prune(toFiles(label), '--keep-labeled'));
  }
  const kept = Array.from({ length: 5 }, () => 'keep');
  expect(answers).toEqual([...kept, 'remove', 'remove']);
});

it('--empty does not select a session with a setting of Neovate that is not known, whatever it says', async () => {
  const path = '.neovate/projects/w/aaaaaaaa.jsonl';
  const answers = [];
  for (const more of [1, true, 'x', ['x'], { a: 1 }, null]) {
    answers.push(await prune({ [path]: [{ type: 'config', config: { more } }] }, '--empty'));
  }
  const kept = Array.from({ length: 5 }, () => 'keep');
  expect(answers).toEqual([...kept, 'remove']);
});

/** A directory that is gone, in one that is not empty. */
const gone = (): string => join(home, 'gone');

const DIRECTORIES: readonly (readonly [string, (roots: unknown) => Files])[] = [
  [
    'the header of oh-my-pi',
    (additionalDirectories) => {
      const [header, ...rest] = sampleSession({ id: 'x', cwd: gone() });
      return {
        '.pi/agent/sessions/x/x.jsonl': [{ ...header, additionalDirectories }, ...rest],
      };
    },
  ],
  [
    'a later line of Claude Code',
    (cwd) => {
      const [[name, lines] = ['', []]] = Object.entries(claude());
      const first = { ...lines[0], cwd: gone() };
      const other = { ...first, parentUuid: UUID, uuid: UUID.replace('1', '2'), cwd };
      return { [name.replace('-w', gone().replaceAll(/[^a-z\d]/gi, '-'))]: [first, other] };
    },
  ],
  [
    'a turn of Codex',
    (writable) => {
      const [[name, lines] = ['', []]] = Object.entries(codex());
      const turn = { cwd: gone(), sandbox_policy: { type: 'a', writable_roots: writable } };
      const text = JSON.stringify([...lines, { timestamp, type: 'turn_context', payload: turn }]);
      return { [name]: JSON.parse(text.replace('"/w"', JSON.stringify(gone()))) as object[] };
    },
  ],
];

it.each(DIRECTORIES)(
  '--missing-cwd keeps a session with a directory that is not a text: %s',
  async (_, toFiles) => {
    const answers = [];
    for (const roots of [[{ path: '/' }], { path: '/' }, [['/'], 5], 5, '/', gone(), null]) {
      answers.push(await prune(toFiles(roots), '--missing-cwd'));
    }
    const kept = Array.from({ length: 5 }, () => 'keep');
    expect(answers).toEqual([...kept, 'remove', 'remove']);
  },
);

it.each([
  ['an object', (path: string) => ({ id: 'y', path })],
  ['a list', (path: string) => [path]],
  ['an object in an object', (path: string) => ({ from: { path } })],
])('keeps a session of pi that a kept fork names in %s', async (_, toParent) => {
  const path = join(home, '.pi/agent/sessions/--w--/a.jsonl');
  const [header, ...rest] = sampleSession({ id: 'fork' });
  const fork = { ...header, parentSession: toParent(path) };
  await writeFiles(home, { '.pi/agent/sessions/--w--/fork.jsonl': [fork, ...rest] });
  const source = { '.pi/agent/sessions/--w--/a.jsonl': sampleSession({ id: 'source' }) };
  expect(await prune(source, '--keep-id', 'fork', '--larger-than', '1B')).toBe('keep');
});
