import { appendFile, mkdir, readFile, rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';
import { BRANCH, ClaudeCodeHome, type PruneAnswer } from './claude-code-home.ts';
import { PruneWorld } from './prune-world.ts';

const DAY = 86_400_000;
const NOT_SHOWN = 'its agent has a name for it that it does not show';

describe('a fact that Claude Code keeps in a second place', () => {
  let claude: ClaudeCodeHome;
  let project: string;

  beforeEach(async () => {
    claude = await ClaudeCodeHome.make();
    project = join(claude.config, 'projects', '-home-u-demo-project');
  });

  /** The reasons of the session that is a branch, where it is kept. */
  async function keeps(...args: string[]): Promise<string | undefined> {
    const { out } = await claude.run('prune', ...args, '--include-parents', '--json');
    const { results } = JSON.parse(out) as { results: readonly PruneAnswer[] };
    const found = results.find(({ id }) => id === BRANCH);
    return found?.action === 'remove' ? 'remove' : found?.reasons.join(', ');
  }

  it('is whether it is archived, until something is said in it later', async () => {
    const note = (archived: unknown, at: string) =>
      writeFile(join(project, BRANCH, 'archived.json'), JSON.stringify({ archived, at }));
    const [archived, active] = [
      ['--state', 'archived', '--grace', '0s'],
      ['--state', 'active', '--grace', '0s', '--allow-empty'],
    ];
    await claude.age();
    expect(await keeps(...active)).toBe('remove');
    await note(true, '2127-01-01T00:00:00+01:00');
    await claude.age();
    expect(await keeps(...archived)).toBe('remove');
    expect(await keeps(...active)).toBe('not selected');
    await note(true, '2020-01-01T00:00:00Z');
    await claude.age();
    const doubt = 'its agent has it as archived in one place, and as active in another';
    expect(await keeps(...archived)).toContain(doubt);
    expect(await keeps(...active)).toContain(doubt);
    await note(false, '2127-01-01T00:00:00Z');
    await claude.age();
    expect(await keeps(...active)).toBe('remove');
  });

  it('is a name as young as its own file', async () => {
    const lines = (await readFile(join(project, `${BRANCH}.jsonl`), 'utf8')).split('\n');
    const texts = lines.filter((line) => !/"type":"(?:custom-title|tag)"/.test(line));
    await writeFile(join(project, `${BRANCH}.jsonl`), texts.join('\n'));
    await claude.age();
    expect(await keeps('--older-than', '1h', '--grace', '0s')).toBe('remove');
    const seconds = NOW / 1000 - 60;
    await utimes(join(project, BRANCH, 'custom-title.json'), seconds, seconds);
    expect(await keeps('--older-than', '1h', '--grace', '0s')).toBe('not surely older than 1h');
  });

  it('is a name that differs from the last one in the lines', async () => {
    const title = { type: 'custom-title', customTitle: 'tmp-x', sessionId: BRANCH };
    await appendFile(join(project, `${BRANCH}.jsonl`), `${JSON.stringify(title)}\n`);
    await claude.age();
    expect(await keeps('--named', 'tmp*')).toBe(NOT_SHOWN);
    expect(await keeps('--named', 'my branch*')).toBe(NOT_SHOWN);
    const { out } = await claude.run('list', BRANCH, '--json');
    expect(out).toContain('"name":"tmp-x"');
    await writeFile(join(project, BRANCH, 'custom-title.json'), '{"customTitle":"tmp-x"}');
    await claude.age();
    expect(await keeps('--named', 'tmp*')).toBe('remove');
  });

  it('is a working directory that its project is named after', async () => {
    const moved = join(claude.home, 'moved');
    await mkdir(moved);
    const name = moved.replaceAll(/[^A-Za-z0-9]/g, '-');
    const lines = await readFile(join(project, `${BRANCH}.jsonl`), 'utf8');
    const gone = join(claude.home, 'gone');
    await writeFile(
      join(project, `${BRANCH}.jsonl`),
      lines.replaceAll('/home/u/demo-project', gone),
    );
    await claude.age();
    expect(await keeps('--missing-cwd')).toBe('remove');
    await rename(project, join(claude.config, 'projects', name));
    expect(await keeps('--missing-cwd')).toBe('not selected');
    expect(await keeps('--project', gone)).toBe(`its working directory may be ${moved}`);
  });

  it('is the start of a fork, of which the first lines have the times of its parent', async () => {
    expect(await keeps('--started-before', '2026-11-21T21:16:30Z')).toBe('not selected');
    expect(await keeps('--started-before', '2026-11-21T21:16:31Z')).toBe('remove');
  });

  it('is the last line of a sub-agent in a file of its own', async () => {
    const timestamp = new Date(NOW - DAY).toISOString();
    const line = { type: 'user', uuid: 'x', isSidechain: true, agentId: 'a5da2e7', timestamp };
    const log = join(project, BRANCH, 'subagents', 'agent-a5da2e7.jsonl');
    await mkdir(join(project, BRANCH, 'subagents'));
    await writeFile(log, `${JSON.stringify({ ...line, timestamp: '2026-01-01' })}\n`);
    await claude.age();
    expect(await keeps('--older-than', '30h', '--grace', '0s')).toBe('remove');
    await appendFile(log, `${JSON.stringify(line)}\n{"type":`);
    await claude.age();
    expect(await keeps('--older-than', '30h', '--grace', '0s')).toBe('not older than 30h');
    await writeFile(log, 'x'.repeat(100));
    await claude.age();
    expect(await keeps('--older-than', '30h', '--grace', '0s')).toBe('remove');
  });

  it('is the project of a fork, of which the first lines are of another', async () => {
    const lines = (await readFile(join(project, `${BRANCH}.jsonl`), 'utf8')).trim().split('\n');
    const moved = lines.map((line) =>
      line.includes('"forkedFrom"') ? line : line.replaceAll('/home/u/demo-project', '/home/u/new'),
    );
    const folder = join(claude.config, 'projects', '-home-u-new');
    await rename(project, folder);
    await writeFile(join(folder, `${BRANCH}.jsonl`), `${moved.join('\n')}\n`);
    await claude.age();
    expect(await keeps('--project', '/home/u/demo-project')).toBe('not selected');
    expect(await keeps('--project', '/home/u/new')).toBe('remove');
  });

  it('is the parent of a fork, by its lines, where somebody has renamed its file', async () => {
    const parent = 'ceee9acf-0ce0-4330-a90b-97b10e7ac5cf';
    const other = '0a1b2c3d-0000-4000-8000-000000000002';
    const lines = await readFile(join(project, `${BRANCH}.jsonl`), 'utf8');
    await writeFile(join(project, `${other}.jsonl`), lines.replaceAll(BRANCH, other));
    await rename(join(project, `${parent}.jsonl`), join(project, 'work.jsonl'));
    await claude.age();
    const { out } = await claude.run('prune', '--keep-id', BRANCH, '--larger-than', '1B', '--json');
    const { results } = JSON.parse(out) as { results: readonly PruneAnswer[] };
    const actions = Object.fromEntries(results.map(({ id, action }) => [id, action]));
    expect(actions).toMatchObject({ work: 'keep', [BRANCH]: 'keep', [other]: 'remove' });
  });

  it('is the working directory of a sub-agent', async () => {
    const lines = await readFile(join(project, `${BRANCH}.jsonl`), 'utf8');
    const gone = join(claude.home, 'gone');
    await writeFile(
      join(project, `${BRANCH}.jsonl`),
      lines.replaceAll('/home/u/demo-project', gone),
    );
    const line = { type: 'user', uuid: 'x', isSidechain: true, agentId: 'a5da2e7' };
    await writeFiles(join(project, BRANCH, 'subagents'), {
      'agent-a5da2e7.jsonl': [{ ...line, cwd: claude.home, timestamp: '2026-01-01T00:00:00Z' }],
    });
    await claude.age();
    expect(await keeps('--missing-cwd')).toBe('not selected');
  });

  it('is a directory of a sub-agent that is not in the last lines of its log', async () => {
    const file = join(project, `${BRANCH}.jsonl`);
    const gone = join(claude.home, 'gone');
    const lines = (await readFile(file, 'utf8')).replaceAll('/home/u/demo-project', gone);
    await writeFile(file, lines);
    const line = { type: 'user', isSidechain: true, agentId: 'a5da2e7', timestamp: '2026-01-01' };
    const output = { ...line, uuid: 'y', cwd: gone, toolUseResult: 'x'.repeat(70_000) };
    const write = async (cwd: string): Promise<void> => {
      const log = [{ ...line, uuid: 'x', cwd }, output];
      await writeFiles(join(project, BRANCH, 'subagents'), { 'agent-a5da2e7.jsonl': log });
      await claude.age();
    };
    await write(gone);
    expect(await keeps('--missing-cwd')).toBe('remove');
    await write(claude.home);
    expect(await keeps('--missing-cwd')).toBe('not selected');
  });

  it('is the directory that the session was moved to', async () => {
    const moved = { type: 'relocated', relocatedCwd: '/home/u/new', sessionId: BRANCH };
    await appendFile(join(project, `${BRANCH}.jsonl`), `${JSON.stringify(moved)}\n`);
    await claude.age();
    expect(await keeps('--project', '/home/u/demo-project')).toBe('not selected');
    expect(await keeps('--project', '/home/u/new')).toBe('remove');
  });

  it('is a prompt that was typed while the agent worked', async () => {
    const id = '0a1b2c3d-0000-4000-8000-000000000001';
    const timestamp = '2026-03-02T09:30:00.000Z';
    const at = { sessionId: id, timestamp, cwd: '/home/u/demo-project' };
    const content = [{ type: 'text', text: 'Yes.' }];
    const attachment = { type: 'queued_command', prompt: 'And this?' };
    const message = { role: 'user', content: 'Hi' };
    const first = { type: 'user', uuid: 'a', parentUuid: null, ...at, message };
    const answer = { role: 'assistant', id: 'm', model: 'oak', content };
    const second = { type: 'assistant', uuid: 'b', parentUuid: 'a', ...at, message: answer };
    const queued = { type: 'attachment', uuid: 'c', parentUuid: 'b', ...at, attachment };
    // The second has a line of its own twice, and is not counted in the short way.
    for (const more of [[], [second]]) {
      await writeFiles(project, { [`${id}.jsonl`]: [first, second, ...more, queued] });
      await claude.age();
      const { out } = await claude.run('prune', '--max-messages', '2', '--json');
      const { results } = JSON.parse(out) as { results: readonly PruneAnswer[] };
      expect(results.find((one) => one.id === id)?.action).toBe('keep');
    }
  });

  it('is a file that says that the session is archived', async () => {
    await writeFile(join(project, BRANCH, 'archived.json'), '{"archived":true}');
    await claude.age();
    expect(await keeps('--larger-than', '1B')).toBe('remove');
  });
});

it('forks of a parent that is gone are of one lineage, however they name it', async () => {
  const world = await PruneWorld.make();
  await world.add('young', 2, { parentSession: '/old/2026-01-01T00-00-00-000Z_gone.jsonl' });
  await world.add('by-id', 60, { parentSession: 'gone' });
  await world.add('moved', 60, { parentSession: '/new/2026-01-01T00-00-00-000Z_gone.jsonl' });
  await world.add('other', 60, { parentSession: '/new/2026-01-01T00-00-00-000Z_else.jsonl' });
  expect(await world.prune('--older-than', '30d')).toMatchObject({
    'by-id': expect.stringContaining('keep') as unknown,
    moved: expect.stringContaining('keep') as unknown,
    other: expect.stringContaining('remove') as unknown,
  });
});

describe('a fact that oh-my-pi keeps in a second place', () => {
  let world: PruneWorld;

  beforeEach(async () => {
    world = await PruneWorld.make();
    await world.add('other', 2);
  });

  async function put(lines: readonly object[], folder = 'proj'): Promise<void> {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    await writeFiles(world.store, { [`${folder}/x.jsonl`]: text });
    await world.touch(`${folder}/x.jsonl`, 50);
  }

  it('is a name that differs from that of pi', async () => {
    const [header = {}, question = {}] = sampleSession({ id: 'x', text: 'weeks of work' });
    const timestamp = new Date(NOW - 50 * DAY).toISOString();
    const info = { type: 'session_info', id: 'aaaaaaaa', parentId: null, timestamp };
    const title = { type: 'title', v: 1, title: 'Precious', pad: ' ' };
    await put([title, header, question, { ...info, name: 'tmp' }]);
    expect((await world.prune('--named', 'tmp*'))['x']).toBe(`keep: ${NOT_SHOWN}`);
    await put([title, header, question, { ...info, name: '' }]);
    expect((await world.prune('--named', 'Prec*'))['x']).toBe(`keep: ${NOT_SHOWN}`);
    await put([{ ...title, title: 'tmp' }, header, question, { ...info, name: 'tmp' }]);
    expect((await world.prune('--named', 'tmp*'))['x']).toBe('remove: named tmp*');
  });

  it('is a directory that the user added', async () => {
    const cwd = join(world.dir, 'gone');
    const [header = {}, question = {}] = sampleSession({ id: 'x', text: 'work', cwd });
    await put([header, question]);
    expect((await world.prune('--missing-cwd'))['x']).toMatch('remove');
    await put([{ ...header, additionalDirectories: [world.dir] }, question]);
    expect((await world.prune('--missing-cwd'))['x']).toBe('keep: not selected');
  });

  it('is the working directory of a sub-agent in the folder of a session', async () => {
    const cwd = join(world.dir, 'gone');
    await put(sampleSession({ id: 'x', text: 'work', cwd }));
    const decide = async (directory: string): Promise<string | undefined> => {
      const part = sampleSession({ id: 'part', text: 'work', cwd: directory });
      await writeFiles(world.store, { 'proj/x/0-Task.jsonl': part });
      for (const name of ['proj/x/0-Task.jsonl', 'proj/x']) await world.touch(name, 50);
      return (await world.prune('--missing-cwd'))['x'];
    };
    expect(await decide(cwd)).toMatch('remove');
    expect(await decide(world.dir)).toBe('keep: not selected');
  });

  it('is a working directory that its project is named after', async () => {
    const cwd = join(world.dir, 'gone');
    const [header = {}, question = {}] = sampleSession({ id: 'x', text: 'work', cwd });
    const folder = `--${world.dir.replace(/^[/\\]/, '').replaceAll(/[/\\:]/g, '-')}--`;
    await put([header, question], folder);
    expect((await world.prune('--missing-cwd'))['x']).toBe('keep: not selected');
    await put([{ ...header, additionalDirectories: [world.dir] }, question], folder);
    const answer = (await world.prune('--project', cwd))['x'];
    expect(answer).toBe(`keep: its working directory may be ${world.dir}`);
  });
});
