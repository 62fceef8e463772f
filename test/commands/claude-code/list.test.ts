import { chmod, cp, mkdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { asOrdinaryUser } from '../../ordinary-user.ts';
import { makeTempDir } from '../../temp-dir.ts';

const HOME = fileURLToPath(new URL('../../fixtures/claude-code/home', import.meta.url));
const PROJECT = '.claude/projects/-home-u-demo-project';
const TOOLS = 'aaaaaaaa-0000-4000-8000-000000000001';
const DAY_MS = 86_400_000;

type Result = Readonly<Record<string, unknown>> & {
  readonly id: string;
  readonly usage?: { readonly totalTokens: number };
};

async function makeHome(): Promise<string> {
  const home = await makeTempDir();
  await cp(HOME, home, { recursive: true });
  return home;
}

async function list(home: string, ...argv: readonly string[]): Promise<readonly Result[]> {
  const { out, err } = await runTest(['list', '--json', ...argv], { cwd: home, home });
  if (out === '') throw new Error(err);
  return (JSON.parse(out) as { results: readonly Result[] }).results;
}

describe('list of Claude Code', () => {
  it('answers as the client, and shows what it hides', async () => {
    const sessions = await list(await makeHome());
    const shown = sessions.map(({ id, name, cwd, source }) => [id.slice(0, 8), name, cwd, source]);
    expect(shown).toEqual([
      ['aaaaaaaa', null, '/home/u/demo-project', 'exec'],
      ['aaaaaaaa', null, '/home/u/demo-project', 'exec'],
      ['bbbbbbbb', null, '/home/u/old-project', 'interactive'],
      ['62070c02', 'my branch name', '/home/u/demo-project', 'interactive'],
      ['9ea00f87', 'my branch name', '/home/u/demo-project', 'interactive'],
      ['ceee9acf', 'My renamed session', '/home/u/demo-project', 'interactive'],
    ]);
    expect(sessions.at(-1)).toMatchObject({
      formatVersion: null,
      gitBranch: 'main',
      entrypoint: 'cli',
      firstMessage: 'tui first prompt <<tools>>',
    });
  });

  it('shows sub-agents below their session, and counts none', async () => {
    const home = await makeHome();
    const session = (await list(home, '--usage')).find(({ id }) => id === TOOLS);
    expect(session).toMatchObject({
      subagents: [
        { type: 'Explore', description: 'One', callId: 'toolu_tui0051', messageCount: 3 },
        { type: 'Explore', description: 'Two', callId: 'toolu_tui0052' },
      ],
      subagentUsage: { totalTokens: 660 },
      usage: { totalTokens: 1980 },
    });
    const { out } = await runTest(['list', TOOLS], { cwd: home, home });
    expect(out).toMatch(/first prompt.*\n.* · One .*\n.* · Two .*\n1 session, /);
  });

  it('shows the counts and the source of a sub-agent, and not those of its session', async () => {
    const home = await makeHome();
    const columns = ['--columns', 'session,entries,branches,compactions,source'];
    const { out } = await runTest(['list', TOOLS, ...columns], { cwd: home, home });
    expect(out).toMatch(/first prompt <<tools>> +148 +2 +1 +exec\n/);
    expect(out).toMatch(/· One +18 +1 +0 +subagent\n/);
    const agents = await list(home, '--source', 'subagent');
    expect(agents[0]).toMatchObject({ entryCount: 18, leafCount: 1, compactionCount: 0 });
    const session = (await list(home)).find(({ id }) => id === TOOLS);
    expect(session).toMatchObject({ subagents: [{ entryCount: 18 }, { entryCount: 18 }] });
  });

  it('lists sub-agents by themselves where they are asked for, with what each used', async () => {
    const home = await makeHome();
    const agents = await list(home, '--source', 'subagent', '--usage');
    const shown = agents.map(({ id, source, firstMessage, usage }) => {
      return [id, source, firstMessage, usage?.totalTokens];
    });
    expect(shown).toEqual([
      ['a59e8ec3933faa7b8', 'subagent', 'One', 330],
      ['a5da2e706786b7693', 'subagent', 'Two', 330],
      ['19387b56', 'subagent', expect.any(String), 330],
    ]);
    const [first] = agents;
    expect(first).toMatchObject({ cwd: '/home/u/demo-project', parentSessionPath: null });
    const totals = await list(home, '--source', 'subagent', '--by', 'agent');
    expect(totals).toMatchObject([{ sessions: 3, tokens: { totalTokens: 990 } }]);
    const paths = await runTest(['list', '--source', 'subagent', '--paths'], { cwd: home, home });
    expect(paths.out.trim().split('\n')).toEqual(agents.map(({ path }) => path));
    expect(await list(home, '--source', 'exec')).toHaveLength(2);
  });

  it('names a directory of sub-agents that cannot be read, and lists the rest', async () => {
    const home = await makeHome();
    const directory = join(home, PROJECT, TOOLS, 'subagents');
    await chmod(home, 0o755);
    await chmod(directory, 0);
    for (const asked of [[], ['--source', 'subagent']]) {
      const run = await asOrdinaryUser(() => runTest(['list', ...asked], { cwd: home, home }));
      expect(run).toMatchObject({ exitCode: 3, err: expect.stringContaining('permission denied') });
      expect(run.err).toContain(`${TOOLS}/subagents: cannot read`);
      expect(run.out).toMatch(/\d sessions?, /);
    }
    const out = ['export', TOOLS, '--out', 'out.md'];
    const run = await asOrdinaryUser(() => runTest(out, { cwd: home, home }));
    expect(run).toMatchObject({ exitCode: 3, err: expect.stringContaining('permission denied') });
    await chmod(directory, 0o700);
  });

  it('reads nothing that a link among the sub-agents leads to, nor does export', async () => {
    const home = await makeHome();
    const directory = join(home, PROJECT, TOOLS, 'subagents');
    const before = await list(home, '--source', 'subagent', '--usage');
    const line = { type: 'user', isSidechain: true, agentId: 'a1', cwd: '/w', uuid: 'u' };
    const message = { role: 'user', content: 'private words' };
    await mkdir(join(home, 'elsewhere'));
    await writeFile(
      join(home, 'elsewhere', 'agent-b.jsonl'),
      `${JSON.stringify({ ...line, message, timestamp: '2026-01-01T00:00:00Z' })}\n`,
    );
    await symlink(join(home, 'elsewhere', 'agent-b.jsonl'), join(directory, 'agent-a.jsonl'));
    await symlink(join(home, 'elsewhere'), join(directory, 'more'));
    expect(await list(home, '--source', 'subagent', '--usage')).toEqual(before);
    const { out } = await runTest(['export', TOOLS, '--as', 'md'], { cwd: home, home });
    expect(out).toContain('first prompt');
    expect(out).not.toContain('private words');
  });

  it('finds what an old release copied on resume by the ids that the copies share', async () => {
    const home = await makeHome();
    const begin = (at: string, ...rest: readonly object[]) =>
      [
        { type: 'user', uuid: crypto.randomUUID(), parentUuid: null, message: { content: 'Hi' } },
        { type: 'assistant', uuid: crypto.randomUUID(), message: { id: 'msg_1', model: 'm' } },
        ...rest,
      ].map((line) => JSON.stringify({ ...line, timestamp: `2026-11-2${at}T10:00:00.000Z` }));
    const boundary = { type: 'system', subtype: 'compact_boundary', uuid: 'b1', parentUuid: null };
    const write = (name: string, lines: readonly string[]) =>
      writeFile(join(home, PROJECT, `${name}.jsonl`), `${lines.join('\n')}\n`);
    await write('b-resumed', begin('1'));
    await write('a-resumed-again', begin('2', boundary));
    await write('c-first', begin('0'));
    // A fork of later releases begins at the boundary.
    const [, , cut = '', ...others] = begin('2', boundary, {
      type: 'user',
      uuid: 'own',
      parentUuid: 'b1',
      message: { content: 'More' },
    });
    await write('d-fork', [cut, ...others.map((line) => line.replace('22T10', '23T10'))]);
    const own = (await list(home)).filter(({ id }) => /^[a-d]-/.test(id));
    const parents = own.map(({ id, parentSessionPath }) => [
      id,
      typeof parentSessionPath === 'string' ? basename(parentSessionPath) : null,
    ]);
    expect(Object.fromEntries(parents)).toEqual({
      'c-first': null,
      'b-resumed': 'c-first.jsonl',
      'a-resumed-again': 'b-resumed.jsonl',
      'd-fork': 'a-resumed-again.jsonl',
    });
  });

  it('names no session as the parent of the one that it was forked from', async () => {
    const home = await makeHome();
    const project = join(home, PROJECT);
    const [fork, parent] = [
      '9ea00f87-f67b-45df-9923-ae7bf95e99d0',
      'ceee9acf-0ce0-4330-a90b-97b10e7ac5cf',
    ];
    // Their first lines are the same: which began first, their times do not say.
    await utimes(join(project, `${fork}.jsonl`), 1, 1);
    const parents = (await list(home)).map(({ id, parentSessionPath }) => [id, parentSessionPath]);
    expect(Object.fromEntries(parents)).toMatchObject({
      [fork]: join(project, `${parent}.jsonl`),
      [parent]: null,
    });
  });

  it('counts what a fork, a resumed session or another line repeats once', async () => {
    const home = await makeHome();
    const line = (id: string, requestId: string | undefined, output: number) => ({
      type: 'assistant',
      uuid: crypto.randomUUID(),
      parentUuid: null,
      timestamp: '2026-11-20T10:00:00.000Z',
      ...(requestId !== undefined && { requestId }),
      message: { id, model: 'm', content: [], usage: { input_tokens: 1, output_tokens: output } },
    });
    const write = (name: string, lines: readonly object[]) =>
      writeFile(
        join(home, PROJECT, name),
        `${lines.map((one) => JSON.stringify(one)).join('\n')}\n`,
      );
    // The first lines of an answer may have less than the last.
    await write('a.jsonl', [line('x', 'r1', 1), line('x', 'r1', 9), line('x', 'r2', 9)]);
    await write('b.jsonl', [line('x', undefined, 9), line('y', 'r3', 9)]);
    const results = await list(home, '--usage', join(PROJECT, 'a.jsonl'), join(PROJECT, 'b.jsonl'));
    const usages = results.map(({ usage, inheritedUsage }) => [usage, inheritedUsage]);
    expect(usages).toMatchObject([
      [{ totalTokens: 20 }, { totalTokens: 0 }],
      [{ totalTokens: 20 }, { totalTokens: 10 }],
    ]);
  });

  it('knows from when the client may delete a session', async () => {
    const home = await makeHome();
    await writeFile(join(home, '.claude/settings.json'), '{"cleanupPeriodDays":10}');
    for (const { path } of await list(home)) {
      await utimes(String(path), NOW / 1000, (NOW - 4 * DAY_MS) / 1000);
    }
    const path = join(home, PROJECT, `${TOOLS}.jsonl`);
    await utimes(path, NOW / 1000, (NOW - 9 * DAY_MS) / 1000);
    const expires = new Date(NOW + DAY_MS).toISOString();
    expect(await list(home, '--expiring', '2d')).toMatchObject([{ id: TOOLS, expires }]);
  });

  it.each([
    ['claude-desktop', 'cli'],
    ['cli', 'claude-desktop'],
    ['local-agent', 'local-agent'],
  ])('takes none for expiring that %s has begun and %s continued', async (first, last) => {
    const home = await makeHome();
    const path = join(home, PROJECT, `${TOOLS}.jsonl`);
    const lines = (await readFile(path, 'utf8')).replaceAll(
      /"entrypoint":"[^"]*"/g,
      '"entrypoint":"cli"',
    );
    const begun = lines.replace('"entrypoint":"cli"', `"entrypoint":"${first}"`);
    const at = begun.lastIndexOf('"entrypoint":"');
    await writeFile(path, begun.slice(0, at) + begun.slice(at).replace(/:"[^"]*"/, `:"${last}"`));
    const found = (await list(home)).filter((one) => 'expires' in one && one['expires']);
    expect(found.map(({ id }) => id)).not.toContain(TOOLS);
    expect(found.length).toBeGreaterThan(0);
  });

  it.each([
    ['a text', (path: string) => writeFile(path, '{"cleanupPeriodDays":"10"}')],
    ['below 0', (path: string) => writeFile(path, '{"cleanupPeriodDays":-1}')],
    ['0', (path: string) => writeFile(path, '{"cleanupPeriodDays":0}')],
    ['no whole number', (path: string) => writeFile(path, '{"cleanupPeriodDays":7.5}')],
    ['no longer exists', (path: string) => symlink('/mnt/gone/settings.json', path)],
  ])('takes no session for expiring where the setting is %s', async (_, write) => {
    const home = await makeHome();
    const settings = join(home, '.claude/settings.json');
    await rm(settings, { force: true });
    await write(settings);
    expect((await list(home)).filter((one) => 'expires' in one && one['expires'])).toEqual([]);
  });

  it('lists no empty file, and keeps a title that may be that of another session', async () => {
    const home = await makeHome();
    const stray = join(home, PROJECT, '11111111-0000-4000-8000-000000000000.jsonl');
    const title = join(home, PROJECT, '22222222-0000-4000-8000-000000000000.jsonl');
    await mkdir(join(home, PROJECT), { recursive: true });
    await writeFile(stray, '');
    await writeFile(title, '{"type":"summary","summary":"Old title","leafUuid":"elsewhere"}\n');
    const run = (...argv: readonly string[]) => runTest(argv, { cwd: home, home });
    expect((await run('list')).exitCode).toBe(0);
    expect((await list(home)).map(({ path }) => path)).not.toContain(stray);
    const { out } = await run('prune', '--empty', '--allow-empty', '--json');
    const kept = (JSON.parse(out) as { results: readonly Result[] }).results;
    expect(kept.filter(({ action }) => action === 'remove')).toEqual([]);
  });
});

describe('the log of a sub-agent', () => {
  it.each([
    ['list'],
    ['list', '--info'],
    ['export'],
    ['validate'],
    ['compact'],
    ['fork', '--whole'],
  ])('is none of the sessions that %j %j takes, and says so', async (...command) => {
    const home = await makeHome();
    const log = `${PROJECT}/${TOOLS}/subagents/agent-a59e8ec3933faa7b8.jsonl`;
    const { exitCode, out, err } = await runTest([...command, log], { cwd: home, home });
    expect([2, 3]).toContain(exitCode);
    expect(out + err).toContain('is the log of a sub-agent, and part of a session');
  });
});
