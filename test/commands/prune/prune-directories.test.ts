import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeOld, makeTempDir, writeFiles } from '../../temp-dir.ts';

const [A, B, C] = ['a', 'b', 'c'].map((one) => `${one.repeat(8)}-1111-4111-8111-111111111111`);
const PI = '.pi/agent/sessions/--x--';
const CLAUDE = '.claude/projects/-w';

let home: string;

beforeEach(async () => {
  home = await makeTempDir();
});

async function add(files: Readonly<Record<string, readonly object[]>>): Promise<void> {
  await writeFiles(home, files);
  await makeOld(Object.keys(files).map((name) => join(home, name)));
}

/** The actions by the end of each path. */
function prune(...args: readonly string[]): Promise<Record<string, string>> {
  return pruneIn({}, ...args);
}

async function pruneIn(
  env: Readonly<Record<string, string>>,
  ...args: readonly string[]
): Promise<Record<string, string>> {
  const { out, err } = await runTest(['prune', '--json', ...args], { cwd: home, home, env });
  if (out === '') throw new Error(err);
  const { results } = JSON.parse(out) as {
    results: readonly { path: string; action: string; reasons: readonly string[] }[];
  };
  return Object.fromEntries(
    results.map(({ path, action, reasons }) => [
      path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('/') + 9),
      `${action}: ${reasons.join(', ')}`,
    ]),
  );
}

const pi = (id: string, cwd: string) =>
  sampleSession({ id, cwd, start: '2026-01-03T10:00:00.000Z' });

function claude(id: string | undefined, cwds: readonly string[]): object[] {
  const toUuid = (index: number) => `${id?.slice(0, 8)}-0000-4000-8000-00000000000${index}`;
  return cwds.map((cwd, index) => ({
    parentUuid: index === 0 ? null : toUuid(index),
    isSidechain: false,
    cwd,
    sessionId: id,
    type: 'user',
    message: { role: 'user', content: `prompt ${index}` },
    uuid: toUuid(index + 1),
    timestamp: `2026-01-03T10:00:0${index}.000Z`,
  }));
}

describe('a working directory whose name is not UTF-8', () => {
  it.each(['\uFFFD', '\uDCFF'])('is not judged, since many have that name: %j', async (byte) => {
    await add({
      [`${PI}/${A}.jsonl`]: pi('a', `${home}/pr${byte}j`),
      [`${PI}/${B}.jsonl`]: pi('b', home),
    });
    const reason = 'is not UTF-8';
    expect((await prune('--missing-cwd'))['aaaaaaaa']).toMatch(
      `keep: the name of its working directory ${reason}`,
    );
    const found = await prune('--project', `${home}/pr${byte}j`);
    expect(found['aaaaaaaa']).toBe(`keep: the name of its project ${reason}`);
  });
});

describe('a working directory on a disk that may not be mounted', () => {
  it('is not gone, if a directory above it is empty', async () => {
    await mkdir(join(home, 'disk'));
    await add({
      [`${PI}/${A}.jsonl`]: pi('a', join(home, 'disk/src/api')),
      [`${PI}/${B}.jsonl`]: pi('b', join(home, 'gone/src/api')),
    });
    expect(await prune('--missing-cwd', '--allow-empty')).toMatchObject({
      aaaaaaaa: `keep: its disk may not be mounted at ${join(home, 'disk')}`,
      bbbbbbbb: 'remove: its working directory is gone',
    });
  });

  it('is not gone where systems mount them', async () => {
    const names = ['/mnt/none', '/media/none/disk', '/run/media/none/disk', '/Volumes/none'];
    const files = names.map((name, at) => [`${PI}/${at}aaaaaaa.jsonl`, pi(`${at}a`, `${name}/x`)]);
    await add(Object.fromEntries(files) as Record<string, object[]>);
    for (const told of Object.values(await prune('--missing-cwd', '--allow-empty'))) {
      expect(told).toMatch(/^keep: its disk may not be mounted at \/(?:mnt|media|run|Volumes)/);
    }
  });
});

it.each(['/Users/none', '/home/none-of-us', '/workspaces', '/C:none'])(
  'a working directory below %s, which is not here, may be of another machine',
  async (place) => {
    const cwd = `${place}/src/api`;
    await add({ [`${PI}/${A}.jsonl`]: pi('a', cwd), [`${PI}/${B}.jsonl`]: pi('b', home) });
    const top = existsSync(dirname(place)) ? place : dirname(place);
    expect((await prune('--missing-cwd'))['aaaaaaaa']).toBe(
      `keep: it may belong to another machine: ${top} does not exist here`,
    );
    expect((await prune('--project', cwd, '--older-than', '1d'))['aaaaaaaa']).toMatch(/^remove/);
  },
);

describe('a session with several working directories', () => {
  it('of Claude Code is kept while one of them exists', async () => {
    await add({
      [`${CLAUDE}/${A}.jsonl`]: claude(A, [`${home}/gone`, home]),
      [`${CLAUDE}/${B}.jsonl`]: claude(B, [`${home}/gone`, `${home}/gone-too`]),
      [`${CLAUDE}/${C}.jsonl`]: claude(C, [home, `${home}/gone`]),
    });
    expect(await prune('--missing-cwd')).toMatchObject({
      aaaaaaaa: 'keep: not selected',
      bbbbbbbb: 'remove: its working directory is gone',
      cccccccc: 'keep: not selected',
    });
  });

  it('of Claude Code is kept while one that a line names otherwise than as `cwd` exists', async () => {
    const gone = `${home}/gone`;
    const worktree = { originalCwd: gone, preEnterOriginalCwd: gone, worktreePath: gone };
    const state = (named: object) => ({
      type: 'worktree-state',
      worktreeSession: { ...worktree, ...named },
    });
    const environment = (snapshot: object) => ({
      ...claude('', [gone])[0],
      type: 'attachment',
      message: undefined,
      attachment: { type: 'environment', snapshot: { workingDirectory: gone, ...snapshot } },
    });
    const bold = (text: string) => `\u001B[1m${text}\u001B[22m`;
    const [prompt] = claude('', [gone]);
    const answer = (text: string) => {
      const content = `<local-command-stdout>${text}</local-command-stdout>`;
      return { ...prompt, message: { role: 'user', content } };
    };
    const saved = `<local-command-stdout>Added ${home} as a working directory and saved to local settings</local-command-stdout>`;
    const lines: readonly object[] = [
      state({ originalCwd: home }),
      state({ preEnterOriginalCwd: home }),
      state({ worktreePath: home }),
      { type: 'relocated', relocatedCwd: home },
      environment({ workingDirectory: home }),
      environment({ additionalWorkingDirectories: [gone, home] }),
      answer(`Added ${bold(home)} as a working directory for this session`),
      { ...prompt, message: undefined, type: 'system', subtype: 'local_command', content: saved },
      answer(`Did not add ${bold(home)} as a working directory.`),
    ];
    const toId = (index: number): string => `${index}${A?.slice(1)}`;
    const sessions = lines.map((line, index) => {
      const sessionId = toId(index);
      return [
        `${CLAUDE}/${sessionId}.jsonl`,
        [
          { ...line, ...('uuid' in line && { uuid: `line of ${sessionId}` }), sessionId },
          ...claude(sessionId, [gone]),
        ],
      ] as const;
    });
    await add({ ...Object.fromEntries(sessions), [`${CLAUDE}/${B}.jsonl`]: claude(B, [home]) });
    const found = await prune('--missing-cwd');
    expect(lines.map((_, index) => found[toId(index).slice(0, 8)])).toEqual([
      ...Array.from({ length: 8 }, () => 'keep: not selected'),
      'remove: its working directory is gone',
    ]);
  });

  it.each(['turn_context', 'settings', 'writable_roots'])(
    'of Codex is kept while one of them exists: %s',
    async (how) => {
      const timestamp = '2026-01-03T10:00:00.000Z';
      const toPlace = (cwd: string) => {
        const policy = {
          type: 'workspace-write',
          writable_roots: [`${home}/.codex/memories`, cwd],
        };
        return how === 'writable_roots' ? { cwd: `${home}/gone`, sandbox_policy: policy } : { cwd };
      };
      const toLines = (id: string, cwd: string) => [
        {
          timestamp,
          type: 'session_meta',
          payload: { id, timestamp, cwd: `${home}/gone`, originator: 'x', cli_version: '0.100.0' },
        },
        {
          timestamp,
          type: 'event_msg',
          payload: { type: 'user_message', message: 'Hello.', images: [] },
        },
        {
          timestamp,
          type: 'response_item',
          payload: {
            type: 'message',
            role: 'user',
            content: [{ type: 'input_text', text: 'Hello.' }],
          },
        },
        how === 'settings'
          ? {
              timestamp,
              type: 'event_msg',
              payload: { type: 'thread_settings_applied', thread_settings: { cwd } },
            }
          : { timestamp, type: 'turn_context', payload: { ...toPlace(cwd), model: 'm' } },
        {
          timestamp,
          type: 'event_msg',
          payload: { type: 'thread_settings_applied', thread_settings: { cwd: `${home}/gone` } },
        },
      ];
      const toName = (id = '') =>
        `.codex/sessions/2026/01/03/rollout-2026-01-03T10-00-00-${id}.jsonl`;
      await mkdir(join(home, '.codex', 'memories'), { recursive: true });
      await add({
        [toName(A)]: toLines(A ?? '', home),
        [toName(B)]: toLines(B ?? '', `${home}/gone`),
      });
      const { out } = await runTest(
        ['prune', '--json', '--missing-cwd', '--allow-empty', '--include-pinned'],
        {
          cwd: home,
          home,
        },
      );
      const { results } = JSON.parse(out) as { results: readonly { id: string; action: string }[] };
      expect(new Map(results.map(({ id, action }) => [id, action]))).toEqual(
        new Map([
          [A, 'keep'],
          [B, 'remove'],
        ]),
      );
    },
  );
});

const neovate = (sessionId: string) => [
  {
    parentUuid: null,
    uuid: 'u1',
    role: 'user',
    content: 'Hello.',
    type: 'message',
    timestamp: '2026-01-03T10:00:00.000Z',
    sessionId,
  },
];

describe('a session of Neovate, whose directory is known by a short name only', () => {
  const store = (directory: string) =>
    `.neovate/projects/${directory
      .replaceAll(/[^A-Za-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '')
      .toLowerCase()}`;
  it('is kept where it may be of another one that exists', async () => {
    await mkdir(join(home, 'a/b'), { recursive: true });
    const place = store(`${home}/a-b`);
    await add({
      [`${place}/11111111.jsonl`]: neovate('11111111'),
      [`${place}/22222222.jsonl`]: neovate('22222222'),
    });
    await writeFiles(home, {
      '.neovate/data.json': JSON.stringify({ projects: { [`${home}/a-b`]: {} } }),
    });
    expect((await prune('--missing-cwd'))['11111111']).toBe('keep: not selected');
    const reason = `keep: its working directory may be ${home}/a/b`;
    expect((await prune('--project', `${home}/a-b`))['11111111']).toBe(reason);
    expect((await prune('--project', home, '--allow-empty'))['11111111']).toBe(
      `remove: in ${home}`,
    );
  });

  it('is of a project of its own directory where nothing names that', async () => {
    const names = ['alpha', 'beta', 'gamma'].map(
      (name, index) => `.neovate/projects/${name}/${index}1111111.jsonl`,
    );
    await add(Object.fromEntries(names.map((name) => [name, neovate(name.slice(-14, -6))])));
    const found = await prune('--keep-last', '1', '--allow-empty');
    expect(Object.values(found)).toEqual(['keep: last 1', 'keep: last 1', 'keep: last 1']);
  });

  it('is removed where no directory of that name exists', async () => {
    const place = store(`${home}/a-b`);
    await add({ [`${place}/11111111.jsonl`]: neovate('11111111') });
    await writeFiles(home, {
      '.neovate/data.json': JSON.stringify({ projects: { [`${home}/a-b`]: {} } }),
    });
    const found = await prune('--missing-cwd', '--allow-empty');
    expect(found['11111111']).toBe('remove: its working directory is gone');
  });
});

describe('a fork of a fork', () => {
  const answer = (id: string | undefined, at: number, from?: string) => ({
    parentUuid: `10000000-0000-4000-8000-00000000000${at - 1}`,
    isSidechain: false,
    cwd: home,
    sessionId: id,
    type: 'assistant',
    message: {
      id: `m${at}`,
      type: 'message',
      role: 'assistant',
      model: 'x',
      content: [{ type: 'text', text: 'hi' }],
      stop_reason: 'end_turn',
    },
    uuid: `10000000-0000-4000-8000-00000000000${at}`,
    timestamp: `2026-01-03T10:00:0${at}.000Z`,
    ...(from !== undefined && { requestSessionId: from }),
  });

  it('of Claude Code keeps all that its lines were copied from', async () => {
    const title = { type: 'custom-title', customTitle: 'kept', sessionId: C };
    await add({
      [`${CLAUDE}/${A}.jsonl`]: [...claude(A, [home]), answer(A, 2)],
      [`${CLAUDE}/${B}.jsonl`]: [...claude(B, [home]), answer(B, 2, A), answer(B, 3)],
      [`${CLAUDE}/${C}.jsonl`]: [...claude(C, [home]), answer(C, 2, A), answer(C, 3, B), title],
    });
    const kept = 'keep: parent of a kept fork';
    expect(await prune('--older-than', '30d', '--keep-named')).toEqual({
      aaaaaaaa: kept,
      bbbbbbbb: kept,
      cccccccc: 'keep: named',
    });
    const { out } = await runTest(['list', '--json'], { cwd: home, home });
    const { results } = JSON.parse(out) as { results: { id: string; parentSessionPath: string }[] };
    const parent = results.find(({ id }) => id === C)?.parentSessionPath;
    expect(parent).toBe(join(home, CLAUDE, `${B}.jsonl`));
  });
});

describe('--keep-labeled', () => {
  const tag = (sessionId: string | undefined, text: string) => ({
    type: 'tag',
    tag: text,
    sessionId,
  });

  it('keeps what has a tag, and what cannot have a label', async () => {
    await add({
      [`${CLAUDE}/${A}.jsonl`]: [...claude(A, [home]), tag(A, 'mine')],
      [`${CLAUDE}/${B}.jsonl`]: [...claude(B, [home]), tag(B, 'mine'), tag(B, '')],
      [`.neovate/projects/x/11111111.jsonl`]: neovate('11111111'),
    });
    expect(await prune('--keep-labeled')).toEqual({
      aaaaaaaa: 'keep: labeled',
      bbbbbbbb: 'remove: no rule keeps it',
      '11111111': 'keep: its agent has no labels',
    });
    const { exitCode, err } = await runTest(['prune', '--keep-labeled', '--agent', 'neovate'], {
      cwd: home,
      home,
    });
    expect([exitCode, err]).toEqual([
      2,
      expect.stringContaining('none of these agents has labels'),
    ]);
  });
});

describe('a session of oh-my-pi, whose project and its directory were moved', () => {
  it.each([
    ['its home', '', '-src-new'],
    ['a directory for temporary files', 'temporary', '-tmp-src-new'],
  ])('is listed in a directory below %s, which is not gone', async (_where, below, name) => {
    await mkdir(join(home, below, 'src/new'), { recursive: true });
    const store = '.omp/agent/sessions';
    await add({
      [`${store}/${name}/${A}.jsonl`]: pi('a', `${home}/gone/src/old`),
      [`${store}/-gone-src-old/${B}.jsonl`]: pi('b', `${home}/gone/src/old`),
    });
    const env = { TMPDIR: join(home, 'temporary') };
    const found = await pruneIn(env, '--store', store, '--missing-cwd', '--allow-empty');
    expect(found).toMatchObject({
      aaaaaaaa: 'keep: not selected',
      bbbbbbbb: 'remove: its working directory is gone',
    });
  });
});
