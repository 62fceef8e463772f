import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/session/jsonl/edit/json.ts';
import { getOwnPlace } from '../../../src/session/jsonl/files/process-place.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const ID = 'aaaaaaaa-0000-4000-8000-000000000001';
const OLD = '.claude/projects/-w-old-app';
const NEW = '.claude/projects/-w-new-app';

let home: string;

const node = (uuid: string, parentUuid: string | null, fields: JsonObject): JsonObject => ({
  parentUuid,
  uuid,
  sessionId: ID,
  timestamp: '2026-01-02T03:04:05.000Z',
  ...fields,
});

const said = (role: string, text: string): JsonObject => ({
  type: role,
  message: { role, content: [{ type: 'text', text }] },
});

function getLines(): readonly JsonObject[] {
  const output = join(home, OLD, ID, 'tool-results/b1.txt');
  return [
    node('u1', null, { cwd: '/w/old/app', ...said('user', 'Look at /w/old/app/a.ts') }),
    node('a1', 'u1', { cwd: '/w/old/app/sub', ...said('assistant', 'In /w/old/app') }),
    node('r1', 'a1', {
      cwd: '/w/old/apple',
      type: 'user',
      message: {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't', content: `Output is in ${output}` }],
      },
      toolUseResult: { stdout: 'pwd: /w/old/app', persistedOutputPath: output },
    }),
    node('f1', 'r1', {
      cwd: '/elsewhere',
      type: 'attachment',
      attachment: { type: 'file', filename: '/w/old/app/b.ts', content: '/w/old/app' },
    }),
    {
      type: 'file-history-snapshot',
      messageId: 'u1',
      snapshot: {
        trackedFileBackups: {
          'a.txt': { version: 1, realParentDir: '/w/old/app' },
          '/w/old/app/c.txt': { version: 1, realParentDir: '/other' },
        },
      },
    },
    {
      type: 'worktree-state',
      sessionId: ID,
      worktreeSession: {
        originalCwd: '/w/old/app',
        worktreePath: '/w/old/app/.claude/worktrees/x',
      },
    },
  ];
}

beforeEach(async () => {
  home = await makeTempDir();
  await writeFiles(home, {
    [`${OLD}/${ID}.jsonl`]: getLines()
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
    [`${OLD}/${ID}/tool-results/b1.txt`]: 'long',
    [`${OLD}/memory/notes.md`]: 'mine',
  });
  await utimes(join(home, OLD, `${ID}.jsonl`), 1.7e9, 1.7e9);
});

async function migrate(...args: readonly string[]) {
  const now = (): number => Date.parse('2127-01-01T00:00:00Z');
  const { out, err } = await runTest(['migrate', ...args, '--json'], { home, cwd: home, now });
  if (out === '') throw new Error(err);
  return (JSON.parse(out) as { results: readonly Readonly<Record<string, unknown>>[] }).results;
}

const MOVE = ['--cwd', '/w/old=/w/new'];

describe('migrate of a Claude Code session', () => {
  it('has one version, and says so', async () => {
    expect(await migrate(ID)).toMatchObject([
      { action: 'unchanged', reasons: ['has only one version'] },
    ]);
  });

  it('states no version before or after, as its lines and the list have none', async () => {
    const none = { fromVersion: null, toVersion: null };
    expect(await migrate(ID)).toMatchObject([none]);
    expect(await migrate(...MOVE)).toMatchObject([{ action: 'relocate', ...none }]);
    const toPi = { action: 'migrate', fromVersion: null, toVersion: 3 };
    expect(await migrate('--to', 'pi')).toMatchObject([toPi]);
  });

  it('moves a session with its project, and changes nothing that was said', async () => {
    const before = getLines();
    const [preview] = await migrate(...MOVE);
    const newPath = join(home, NEW, `${ID}.jsonl`);
    expect(preview).toMatchObject({ action: 'relocate', newPath });
    expect(await readdir(join(home, '.claude/projects'))).toEqual(['-w-old-app']);

    expect(await migrate(...MOVE, '--apply')).toEqual([preview]);
    const after = (await readFile(newPath, 'utf8')).trimEnd().split('\n');
    const lines = after.map((line) => JSON.parse(line) as JsonObject);
    const [u1, a1, r1, f1, snapshot, worktree] = lines;
    expect(u1).toEqual({ ...before[0], cwd: '/w/new/app' });
    expect(a1).toEqual({ ...before[1], cwd: '/w/new/app/sub' });
    // A directory whose name only begins alike, and what tools printed.
    expect(r1).toEqual({
      ...before[2],
      cwd: '/w/new/apple',
      toolUseResult: {
        stdout: 'pwd: /w/old/app',
        persistedOutputPath: join(home, NEW, ID, 'tool-results/b1.txt'),
      },
    });
    expect(f1).toMatchObject({
      cwd: '/elsewhere',
      attachment: { filename: '/w/new/app/b.ts', content: '/w/old/app' },
    });
    expect(snapshot).toMatchObject({
      snapshot: {
        trackedFileBackups: {
          'a.txt': { realParentDir: '/w/new/app' },
          '/w/new/app/c.txt': { realParentDir: '/other' },
        },
      },
    });
    expect(worktree).toMatchObject({
      worktreeSession: {
        originalCwd: '/w/new/app',
        worktreePath: '/w/new/app/.claude/worktrees/x',
      },
    });
    expect(preview).toMatchObject({ problems: [{ line: 3, code: 'path-in-text' }] });
    expect((await stat(newPath)).mtimeMs).toBe(1.7e12);
    expect(await readFile(join(home, NEW, ID, 'tool-results/b1.txt'), 'utf8')).toBe('long');
    expect(await readdir(join(home, '.claude/projects'))).toEqual(['-w-new-app']);
    expect(await readFile(join(home, NEW, 'memory/notes.md'), 'utf8')).toBe('mine');
    expect(await migrate(...MOVE)).toEqual([]);
  });

  it('keeps the state of a file that is noted at its old path and at its new one, and every other byte', async () => {
    const toLine = (path: string): string =>
      `{"type":"file-history-snapshot","messageId":"u1","snapshot":{"trackedFileBackups": ` +
      `{"/w/old/app/c.txt":{"v":1e2}, "/w/new/app/c.txt":{"v":1.0},"${path}":{"v":2}}}}\n`;
    const file = join(home, OLD, `${ID}.jsonl`);
    await appendFile(file, toLine('/w/old/app/d.txt'));
    await utimes(file, 1.7e9, 1.7e9);
    await migrate(...MOVE, '--apply');
    const after = await readFile(join(home, NEW, `${ID}.jsonl`), 'utf8');
    expect(after).toContain(toLine('/w/new/app/d.txt'));
  });

  it('moves paths that a line spells with escapes, as json.dumps of Python does, and reports them', async () => {
    const file = join(home, OLD, `${ID}.jsonl`);
    const spelled = (await readFile(file, 'utf8')).replaceAll('/w/old', String.raw`\/w\/\u006fld`);
    await writeFile(file, spelled.replaceAll('tool-results/', String.raw`tool-results\/`));
    await utimes(file, 1.7e9, 1.7e9);
    const [result] = await migrate(...MOVE, '--apply');
    expect(result).toMatchObject({ problems: [{ line: 3, code: 'path-in-text' }] });
    const after = await readFile(join(home, NEW, `${ID}.jsonl`), 'utf8');
    const [u1, a1, r1] = after.split('\n').map((line) => JSON.parse(line || '{}') as JsonObject);
    expect([u1, a1, r1].map((line) => line?.['cwd'])).toEqual([
      '/w/new/app',
      '/w/new/app/sub',
      '/w/new/apple',
    ]);
    expect(after).toContain(String.raw`Look at \/w\/\u006fld/app/a.ts`);
    expect(after.match(/\\u006fld/g)).toHaveLength(4);
    expect(await migrate(...MOVE, '--apply')).toEqual([]);
  });

  it('moves the directories in the notes about sub-agents', async () => {
    const line = { ...node('s1', null, said('user', 'Go.')), isSidechain: true, agentId: 'a1' };
    const note = (directory: string): string =>
      `{"agentType": "x","cwd":"${directory}","worktreePath":"${directory}/.claude/worktrees/w"}`;
    await writeFiles(home, {
      [`${OLD}/${ID}/subagents/agent-a1.jsonl`]: `${JSON.stringify(line)}\n`,
      [`${OLD}/${ID}/subagents/agent-a1.meta.json`]: note('/w/old/app'),
    });
    await migrate(...MOVE, '--apply');
    const moved = join(home, NEW, ID, 'subagents/agent-a1.meta.json');
    expect(await readFile(moved, 'utf8')).toBe(note('/w/new/app'));
  });

  it('moves the files of sub-agents and their working directories, old ones beside the session too', async () => {
    const line = { ...node('s1', null, said('user', 'Go.')), isSidechain: true, agentId: 'a1' };
    const agent = `${JSON.stringify({ ...line, cwd: '/w/old/app' })}\n`;
    const other = agent.replace(ID, ID.replace('1', '2'));
    await writeFiles(home, {
      [`${OLD}/${ID}/subagents/agent-a1.jsonl`]: agent,
      [`${OLD}/agent-0a1b2c3d.jsonl`]: agent,
      [`${OLD}/agent-0a1b2c3e.jsonl`]: other,
    });
    await migrate(...MOVE, '--apply');
    for (const name of [`${ID}/subagents/agent-a1.jsonl`, 'agent-0a1b2c3d.jsonl']) {
      const moved = await readFile(join(home, NEW, name), 'utf8');
      expect(JSON.parse(moved)).toMatchObject({ cwd: '/w/new/app' });
    }
    expect(await readdir(join(home, OLD))).toEqual(['agent-0a1b2c3e.jsonl', 'memory']);
  });

  it('removes what a killed run has left beside sub-agents', async () => {
    const line = { ...node('s1', null, said('user', 'Go.')), isSidechain: true, agentId: 'a1' };
    const killed = `.agent-a1.jsonl.4194999@${getOwnPlace()}.0123456789ab.coppice-tmp`;
    await writeFiles(home, {
      [`${OLD}/${ID}/subagents/agent-a1.jsonl`]: `${JSON.stringify(line)}\n`,
      [`${OLD}/${ID}/subagents/${killed}`]: '',
    });
    await migrate(...MOVE, '--apply');
    expect(await readdir(join(home, NEW, ID, 'subagents'))).toEqual(['agent-a1.jsonl']);
  });

  it('keeps what belongs to a project where a session is left that has moved in another home', async () => {
    const line = (uuid: string) => {
      return `${JSON.stringify(node(uuid, null, { cwd: '/w/old/app', ...said('user', 'Hi.') }))}\n`;
    };
    const other = 'work/projects/-w-old-app';
    const second = `${other}/${ID.replace('1', '2')}.jsonl`;
    await writeFiles(home, {
      [`${other}/${ID}.jsonl`]: line('u1'),
      [second]: line('u1'),
      [`${other}/memory/notes.md`]: 'mine',
    });
    const files = [`${OLD}/${ID}.jsonl`, second].map((name) => join(home, name));
    await migrate(...files, ...MOVE, '--apply');
    expect(await readdir(join(home, other))).toEqual([`${ID}.jsonl`, 'memory']);
    expect(await readdir(join(home, NEW))).toContain(`${ID}.jsonl`);
  });

  it('moves a session whose first line names another directory than the one that it is kept by', async () => {
    const line = (cwd: string) => {
      return `${JSON.stringify(node(cwd, null, { cwd, ...said('user', 'Hi.') }))}\n`;
    };
    await writeFiles(home, {
      [`${OLD}/below.jsonl`]: line('/w/old/app/src'),
      [`${OLD}/elsewhere.jsonl`]: line('/elsewhere') + line('/w/old/app'),
      [`${OLD}/alike.jsonl`]: line('/w/old-app') + line('/w/old/app'),
    });
    await migrate(...MOVE, '--apply');
    expect(await readdir(join(home, OLD))).toEqual(['alike.jsonl', 'memory']);
    const moved = await readFile(join(home, NEW, 'elsewhere.jsonl'), 'utf8');
    expect(moved).toBe(
      (line('/elsewhere') + line('/w/old/app')).replace('"cwd":"/w/old/app"', '"cwd":"/w/new/app"'),
    );
  });

  it('keeps what belongs to a project where a session is left, or the new one has its own', async () => {
    const left = ID.replace(/1$/, '2');
    const [first = {}] = getLines();
    await writeFiles(home, { [`${OLD}/${left}.jsonl`]: `${JSON.stringify(first)}\n` });
    const kept = [{ code: 'path-in-text' }, { code: 'folder-kept' }];
    expect(await migrate(ID, ...MOVE, '--apply')).toMatchObject([{ problems: kept }]);
    expect(await readdir(join(home, OLD, 'memory'))).toEqual(['notes.md']);

    await writeFiles(home, { [`${NEW}/memory/own.md`]: 'theirs' });
    const [second] = await migrate(left, ...MOVE, '--apply');
    expect(second).toMatchObject({ problems: [{ code: 'folder-kept' }] });
    expect(await readdir(join(home, NEW, 'memory'))).toEqual(['own.md']);
    expect(await readdir(join(home, OLD))).toEqual(['memory']);
  });

  it('moves what belongs to a project also where an earlier run has moved its sessions', async () => {
    await migrate(...MOVE, '--apply');
    await writeFiles(home, { [`${OLD}/memory/late.md`]: 'mine' });
    await rm(join(home, NEW, 'memory'), { recursive: true });
    await mkdir(join(home, NEW, 'memory'));
    const preview = await runTest(['migrate', ...MOVE], { home, cwd: home });
    expect(preview.err).toContain('would move ~/.claude/projects/-w-old-app/memory to ');
    const quiet = await runTest(['migrate', ...MOVE, '--quiet'], { home, cwd: home });
    expect(quiet.err).toBe('');
    const done = await runTest(['migrate', ...MOVE, '--apply'], { home, cwd: home });
    expect(done.err).toContain('moved ~/.claude/projects/-w-old-app/memory to ');
    expect(await readdir(join(home, NEW, 'memory'))).toEqual(['late.md']);
  });

  it('reports lists that name the old directory, and changes none', async () => {
    const prompt = { display: 'Go on.', project: '/w/old/app/sub', sessionId: ID };
    const lists = {
      '.claude/history.jsonl': `${JSON.stringify(prompt)}\n`,
      '.claude.json': JSON.stringify({ projects: { '/w/old/app': {} } }, null, 2),
      '.claude/jobs/0c0991ce/state.json': JSON.stringify({ sessionId: ID, cwd: '/w/old/app' }),
      '.claude/jobs/1c0991ce/state.json': JSON.stringify({ sessionId: 'x', cwd: '/w/other' }),
    };
    await writeFiles(home, lists);
    const [result] = await migrate(...MOVE, '--apply');
    expect(result).toMatchObject({
      problems: [
        { code: 'path-in-text' },
        ...['history.jsonl', 'jobs/0c0991ce/state.json', '.claude.json'].map((name) => ({
          line: 1,
          code: 'list-kept',
          message: `${name} names the old directory, too; coppice does not change it`,
        })),
      ],
    });
    for (const [name, text] of Object.entries(lists)) {
      expect(await readFile(join(home, name), 'utf8')).toBe(text);
    }
  });

  it('reports a list that cannot be read, which may name it', async () => {
    await mkdir(join(home, '.claude.json'));
    const [result] = await migrate(...MOVE);
    expect(result?.['problems']).toContainEqual({
      line: 1,
      code: 'list-kept',
      message: expect.stringMatching(
        /^\.claude\.json may name the old directory, too: .*directory/,
      ),
    });
  });

  it('leaves sessions of other projects alone', async () => {
    expect(await migrate('--cwd', '/w/old/ap=/w/new', '--apply')).toEqual([]);
    expect(await readdir(join(home, OLD))).toContain(`${ID}.jsonl`);
  });
});

it('counts what new sessions of pi take, and frees nothing while the old ones are kept', async () => {
  const path = join(home, OLD, `${ID}.jsonl`);
  const { size } = await stat(path);
  const argv = ['migrate', '--to', 'pi', '--grace', '0s', '--apply'];
  const { out } = await runTest([...argv, '--dry-run'], { home });
  expect(out).toContain('Would migrate 1 of 1 session. Nothing was changed.');
  const { summary, results } = JSON.parse((await runTest([...argv, '--json'], { home })).out) as {
    summary: JsonObject;
    results: readonly JsonObject[];
  };
  expect((await stat(path)).size).toBe(size);
  expect(summary['bytesReclaimed']).toBe(-Number(results[0]?.['bytesAfter']));
  const again = await runTest(argv, { home });
  expect(again.out).toBe('Migrated 0 of 2 sessions. 2 need no conversion.\n');
});

it('makes one session of two copies, in the preview and when it is done, whichever is read first', async () => {
  const text = await readFile(join(home, OLD, `${ID}.jsonl`), 'utf8');
  await writeFiles(home, { [`.claude/projects/-w-copy/${ID}.jsonl`]: text });
  const to = ['--to', 'pi', '--agent', 'claude-code'];
  const getActions = (results: Awaited<ReturnType<typeof migrate>>) =>
    results.map(
      ({ path, action, reasons }) => `${String(action)} ${String(path)} ${String(reasons)}`,
    );
  const preview = getActions(await migrate(...to));
  expect(preview.toSorted()).toEqual([
    expect.stringMatching(/^migrate /),
    expect.stringMatching(/^skip .* is a copy of /),
  ]);
  expect(getActions(await migrate(...to, '--apply'))).toEqual(preview);
});

it('says that a session was migrated only where the one of pi holds all of it', async () => {
  const to = ['--to', 'pi', '--apply', '--agent', 'claude-code'];
  const [{ newPath } = {}] = await migrate(...to);
  const reasons = [`was migrated to ${String(newPath)}`];
  await writeFile(String(newPath), '{}\n', { flag: 'a' });
  expect(await migrate(...to)).toMatchObject([{ action: 'unchanged', reasons }]);

  const more = node('u9', 'f1', { cwd: '/w/old/app', ...said('user', 'And now?') });
  const copy = `.claude/projects/-w-copy/${ID}.jsonl`;
  const text = await readFile(join(home, OLD, `${ID}.jsonl`), 'utf8');
  await writeFiles(home, { [copy]: `${text}${JSON.stringify(more)}\n` });
  expect(await migrate(...to)).toMatchObject([
    {
      path: join(home, copy),
      action: 'skip',
      reasons: [expect.stringContaining('is there already')],
    },
    { action: 'unchanged', reasons },
  ]);
});
