import { chmod, cp, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { snapshot } from '../../store/archive/archive-fixture.ts';
import { asOrdinaryUser } from '../../ordinary-user.ts';
import { writeFiles } from '../../temp-dir.ts';
import { BRANCH, ClaudeCodeHome, type PruneAnswer, TASKS, TOOLS } from './claude-code-home.ts';

let world: ClaudeCodeHome;
let home: string;
let config: string;

describe('prune --orphans', () => {
  const sessionOf = (id: string) => join(config, 'projects', '-home-u-demo-project', `${id}.jsonl`);
  const orphans = async (...args: string[]): Promise<Record<string, string>> => {
    const { out } = await world.run('prune', '--orphans', '--json', ...args);
    const { results } = JSON.parse(out) as { results: readonly PruneAnswer[] };
    return Object.fromEntries(
      results.map(({ id, action, reasons }) => [id, `${action}: ${reasons.join(', ')}`]),
    );
  };
  const FLAT = 'a81fcad1-1f5a-4cc6-8ba2-561108b069de';
  const GONE = 'remove: its session is gone';

  beforeEach(async () => {
    world = await ClaudeCodeHome.make();
    ({ home, config } = world);
    for (const id of [TASKS, BRANCH]) await rm(sessionOf(id));
    await world.age();
  });

  it('removes sidecars of sessions that are gone, and nothing else', async () => {
    const before = await snapshot(config);
    expect(await orphans()).toEqual({ [BRANCH]: GONE, [FLAT]: GONE, [TASKS]: GONE });
    expect(await snapshot(config)).toEqual(before);
    await orphans('--apply', '--delete');
    expect(await orphans()).toEqual({});
    const after = await snapshot(config);
    const gone = Object.keys(before).filter((name) => !(name in after));
    expect(gone.length).toBeGreaterThan(8);
    const isTheirs = (name: string): boolean =>
      [BRANCH, TASKS, 'agent-1a66a72e'].some((id) => name.includes(id));
    expect(gone.filter((name) => !isTheirs(name))).toEqual([]);
    for (const id of [BRANCH, TASKS]) expect(await world.listBelow(id)).toEqual([]);
  });

  it('reports what it did also when it is stopped in the middle', async () => {
    const abort = new AbortController();
    const startProgress = (label: string) => ({
      advance: () => {
        if (label === 'Removing') abort.abort();
      },
      stop: () => undefined,
    });
    const args = ['prune', '--orphans', '--apply', '--delete', '--jobs', '1'];
    const { out } = await runTest(args, { cwd: home, home, startProgress, signal: abort.signal });
    expect(out.match(/^remove /gm)).toHaveLength(1);
    expect(out).not.toMatch(/^skip /m);
    expect(out).toContain(' Stopped: 2 not reached.');
  });

  it.each(['AAAAAAAA-1111-4111-8111-111111111111', 'work'])(
    'keeps sub-agents that name a session whose id is %s',
    async (id) => {
      const text = (isSidechain: boolean) =>
        `{"parentUuid":null,"isSidechain":${isSidechain},"cwd":"/w","sessionId":"${id}","type":"user",` +
        '"message":{"role":"user","content":"hi"},"uuid":"u1","timestamp":"2026-01-03T10:00:00.000Z"}\n';
      const place = '.claude/projects/-home-u-demo-project';
      const agent = `${place}/agent-0123abcd.jsonl`;
      await writeFiles(home, { [`${place}/${id}.jsonl`]: text(false), [agent]: text(true) });
      await world.age();
      await orphans('--apply', '--delete');
      expect(await readdir(join(home, place))).toContain('agent-0123abcd.jsonl');
    },
  );

  it('keeps a session that somebody has given the name of a sub-agent', async () => {
    const place = '.claude/projects/-home-u-demo-project';
    const lines = [{ type: 'user', isSidechain: false, sessionId: TASKS }];
    await writeFiles(home, { [`${place}/agent-0123abcd.jsonl`]: lines });
    await world.age();
    await orphans('--apply', '--delete');
    expect(await readdir(join(home, place))).toContain('agent-0123abcd.jsonl');
  });

  it.each([
    ['has lines in it', [TASKS, TOOLS], true],
    ['has none in it', [TASKS, TASKS], false],
  ])('keeps a sub-agent of 2.0.56 if a session that is there %s', async (_, ids, isKept) => {
    const place = '.claude/projects/-home-u-demo-project';
    const lines = ids.map((sessionId) => ({ type: 'user', isSidechain: true, sessionId }));
    await writeFiles(home, { [`${place}/agent-0123abcd.jsonl`]: lines });
    await world.age();
    await orphans('--apply', '--delete');
    const names = await readdir(join(home, place));
    expect(names.includes('agent-0123abcd.jsonl')).toBe(isKept);
  });

  it.each([
    ['pi', '.pi/agent/sessions/--w--/migrated.jsonl'],
    ['Codex', '.codex/sessions/2026/01/01/rollout-x.jsonl'],
    ['Neovate', '.neovate/projects/w/aaaaaaaa.jsonl'],
  ])(
    'keeps those that a file of %s names, also if only one store is to be cleared up',
    async (_, name) => {
      const image = join(config, 'image-cache', TASKS, '1.png');
      await writeFiles(home, { [name]: [{ type: 'message', content: image }] });
      for (const args of [[], ['--store', join(config, 'projects')]]) {
        expect(Object.keys(await orphans(...args))).toEqual([FLAT, BRANCH].toSorted());
      }
    },
  );

  it('keeps those that a copy in UTF-16 names', async () => {
    const text = `\uFEFF{"type":"user","sessionId":"${TASKS}"}\n`;
    const copy = join(config, 'projects', '-home-u-demo-project', 'before-update.jsonl');
    await writeFile(copy, Buffer.from(text, 'utf16le'));
    await world.age();
    expect(await orphans()).not.toHaveProperty([TASKS]);
  });

  it('keeps those of a session that is open, was used just now, or is behind a link', async () => {
    await world.note(process.pid, { sessionId: TASKS });
    const recent = (NOW - 1000) / 1000;
    await utimes(join(config, 'file-history', BRANCH), recent, recent);
    expect(await orphans('--apply')).toMatchObject({
      [TASKS]: 'keep: is open in its agent',
      [BRANCH]: 'keep: changed 1 s ago, within --grace 1d',
    });
    await cp(sessionOf(TOOLS), join(home, 'elsewhere', `${TASKS}.jsonl`));
    await symlink(join(home, 'elsewhere'), join(config, 'projects', 'linked'));
    expect(await orphans()).not.toHaveProperty([TASKS]);
  });

  it.each([
    ['compressed', `.claude/projects/-home-u-demo-project/${TASKS}.jsonl.zst`],
    ['a backup', `.claude/projects/-home-u-demo-project/${TASKS}.jsonl.bak`],
    ['in a hidden directory', `.claude/projects/-home-u-demo-project/.old/1/${TASKS}.jsonl`],
    ['another project', `.claude/projects/other/copy of ${TASKS.toUpperCase()}.json`],
    ['the folder of another session', `.claude/projects/other/${TOOLS}/${TASKS}.jsonl.gz`],
    ['another store', `work/projects/-home-u-demo-project/${TASKS}.jsonl`],
    ['the trash', `.local/share/Trash/files/${TASKS}.2.jsonl`],
    ['a project in the trash', `.local/share/Trash/files/-home-u-demo-project/${TASKS}.jsonl`],
    ['under another name', '.claude/projects/other/mine.jsonl'],
  ])('keeps those of a session of which a file is left: %s', async (_, name) => {
    const line = { type: 'user', sessionId: TASKS, message: { role: 'user', content: 'Hello' } };
    await writeFiles(home, { [name]: `${JSON.stringify(line)}\n` });
    const env = { CLAUDE_CONFIG_DIR: join(home, 'work') };
    const argv = ['prune', '--orphans', '--json', '--store', join(config, 'projects')];
    const { out } = await runTest(argv, { home, cwd: home, env, now: () => NOW });
    expect(out).not.toContain(TASKS);
    expect(out).toContain(BRANCH);
  });

  const LINE = {
    parentUuid: null,
    isSidechain: false,
    cwd: '/x',
    sessionId: TASKS,
    version: '2.1.332',
    type: 'user',
    message: { role: 'user', content: 'Hello' },
    uuid: 'd1111111-1111-4111-a111-111111111111',
    timestamp: '2025-03-01T10:00:00.000Z',
  };
  const line = (value: object = LINE): string => `${JSON.stringify(value)}\n`;
  const long = { type: 'user', message: { role: 'user', content: 'x'.repeat(3_000_000) } };
  const nested = { ...LINE, sessionId: undefined, toolUseResult: { sessionId: BRANCH } };
  it.each([
    ['in a folder of its own', `projects/other/${TASKS}/${TASKS}.jsonl`, line()],
    ['in the folder of its sidecars', `projects/-home-u-demo-project/${TASKS}/mine.jsonl`, line()],
    ['compressed there', `projects/other/${TASKS}/${TASKS}.jsonl.gz`, 'packed'],
    ['in a tar there', `projects/other/${TASKS}/backup.tar`, `mine.jsonl\0\0${line()}`],
    ['in UTF-16 there', `projects/other/${TASKS}/mine.jsonl`, Buffer.from(line(), 'utf16le')],
    ['in a project with its id', `projects/${TASKS}/mine.jsonl`, line()],
    ['behind a long line', 'projects/other/mine.jsonl', line({ ...long, sessionId: TASKS })],
    ['as Python writes it', 'projects/other/mine.jsonl', line().replaceAll('":', '": ')],
    ['with escapes', 'projects/other/mine.jsonl', line().replaceAll('-', '\\u002d')],
    ['behind an id within', 'projects/other/mine.jsonl', line({ ...nested, sessionId: TASKS })],
    ['without an extension', `projects/other/${TASKS}`, line()],
    ['with another extension', `projects/other/${TASKS}.txt`, line()],
    ['of its rejected lines', `projects/other/${TASKS}.jsonl.rejected.orig`, line()],
    ['in the trash of prune', '../.local/share/Trash/files/mine.jsonl.0123456789ab', line()],
    ['in that of another program', '../.local/share/Trash/files/mine.jsonl_1', line()],
    ['deep in the trash', `../.local/share/Trash/files/c/projects/p/${TASKS}.jsonl`, line()],
  ])('keeps those of a session that may be left: %s', async (_, name, content) => {
    await writeFiles(config, { [name]: content });
    await world.age();
    expect(await orphans()).not.toHaveProperty([TASKS]);
  });

  it('keeps those of a session behind a link, and all if a link leads nowhere', async () => {
    await writeFiles(home, { 'elsewhere/x.jsonl': line() });
    const link = join(config, 'projects', '-home-u-demo-project', 'work.jsonl');
    await symlink(join(home, 'elsewhere', 'x.jsonl'), link);
    expect(await orphans()).not.toHaveProperty([TASKS]);
    await rm(join(home, 'elsewhere'), { recursive: true });
    const { exitCode, err } = await world.run('prune', '--orphans', '--apply');
    expect(exitCode).toBe(3);
    expect(err).toContain(
      'is a link that leads nowhere, or cannot be read: sessions may be behind it',
    );
  });

  it('does not take sidecars, be they in the trash, for a session', async () => {
    await writeFiles(home, {
      [`.local/share/Trash/files/${TASKS}.0123456789ab`]: '',
      [`.local/share/Trash/files/${TASKS}.txt.0123456789ab`]: '',
      [`.local/share/Trash/files/${TASKS}-agent-${TASKS}.json.0123456789ab`]: '',
      [`.local/share/Trash/files/agent-01234567.jsonl.0123456789ab`]: line(),
      [`.local/share/Trash/files/${TASKS}.jsonl.rejected.0123456789ab`]: line(),
      [`.claude/projects/-home-u-demo-project/${TASKS}.jsonl.rejected`]: '',
      [`.claude/projects/-home-u-demo-project/${TASKS}/tool-results/${TASKS}.jsonl`]: '',
    });
    await world.age();
    expect(await orphans()).toHaveProperty([TASKS], GONE);
  });

  it('moves them to the trash', async () => {
    const { exitCode, out } = await world.run('prune', '--orphans', '--apply');
    expect(exitCode).toBe(0);
    expect(out).toContain('Removed 3 of 3 sidecar groups');
    const names = await readdir(join(home, '.local', 'share', 'Trash', 'files'));
    expect(names.some((name) => name.startsWith(TASKS))).toBe(true);
  });

  it('names a file that it could not remove', async () => {
    for (const name of ['', ...(await readdir(home, { recursive: true }))]) {
      await chmod(join(home, name), 0o777);
    }
    const held = join(config, 'tasks', TASKS);
    await chmod(held, 0o555);
    const args = ['prune', '--orphans', '--apply', '--delete', '--json'];
    const { exitCode, out } = await asOrdinaryUser(() => world.run(...args));
    await chmod(held, 0o755);
    expect(exitCode).toBe(3);
    type Answer = PruneAnswer & { readonly path: string };
    const { results } = JSON.parse(out) as { results: readonly Answer[] };
    const failed = results.find(({ action }) => action === 'fail');
    expect(failed?.path).toBe(held);
    expect(failed?.reasons).toEqual([expect.stringContaining(`${held}/`)]);
  });

  it('removes none while sessions may be where it cannot look', async () => {
    const before = await snapshot(config);
    const project = join(config, 'projects', '-home-u-demo-project');
    await rename(project, join(home, 'disk'));
    await symlink(join(home, 'not-mounted'), project);
    const broken = await world.run('prune', '--orphans', '--apply', '--delete');
    expect(broken).toMatchObject({ exitCode: 3 });
    expect(broken.err).toContain('is a link that leads nowhere: sessions may be behind it');
    await rm(project);
    await rm(join(config, 'projects', '-home-u-old-project'), { recursive: true });
    await writeFile(join(config, 'projects', 'other.jsonl'), '{}');
    const empty = await world.run('prune', '--orphans', '--apply', '--delete');
    expect(empty).toMatchObject({ exitCode: 3 });
    expect(empty.err).toContain('holds no session of claude-code');
    const after = await snapshot(config);
    for (const name of Object.keys(before).filter((one) => /^(?:tasks|file-history)/.test(one))) {
      expect(after[name]).toBe(before[name]);
    }
  });

  it('removes none while a session may be in a part of the trash where it cannot look', async () => {
    const trash = join(home, '.local/share/Trash');
    await writeFiles(trash, { 'files/other/x.txt': '', [`files/zz/${TASKS}.jsonl`]: line() });
    const shared = ['.local', '.local/share', '.local/share/Trash', '.local/share/Trash/files'];
    for (const name of ['', ...shared]) await chmod(join(home, name), 0o755);
    const run = (): ReturnType<typeof world.run> =>
      asOrdinaryUser(() => world.run('prune', '--orphans'));
    for (const name of ['other', 'zz']) await chmod(join(trash, 'files', name), 0o755);
    await chmod(join(trash, 'files', 'zz', `${TASKS}.jsonl`), 0o644);
    for (const name of ['other', 'zz']) {
      await chmod(join(trash, 'files', name), 0);
      const { exitCode, err } = await run();
      await chmod(join(trash, 'files', name), 0o755);
      expect(exitCode).toBe(3);
      expect(err).toContain(`files/${name}: cannot read: permission denied`);
    }
    // macOS lets no program look at any of it that no one has allowed to.
    await chmod(join(trash, 'files'), 0);
    expect(await run()).toMatchObject({ exitCode: 0, err: '' });
    await chmod(join(trash, 'files'), 0o755);
  });

  it('removes nothing beside a directory of projects that is that of no agent', async () => {
    const own = join(home, 'src/projects/webapp');
    await cp(sessionOf(TOOLS), join(own, `${TOOLS}.jsonl`), { recursive: true });
    await writeFiles(home, { [`src/uploads/${TASKS}/contract.pdf`]: 'x' });
    const args = ['--store', join(home, 'src/projects'), '--grace', '0min'];
    const { exitCode, err } = await world.run('prune', '--orphans', ...args);
    expect(exitCode).toBe(3);
    expect(err).toContain('holds no session of claude-code where that keeps them');
    await rename(own, join(home, 'src/projects/-home-u-webapp'));
    expect(await orphans(...args)).toEqual({ [TASKS]: GONE });
  });

  it('is refused together with what selects sessions, and where no sidecar names its own', async () => {
    for (const args of [
      ['--older-than', '30d'],
      ['--archive', 'old'],
      ['--keep-last', '1'],
      ['--project', '/home/u'],
      [TOOLS],
      ['--store', join(config, 'projects', '-home-u-demo-project')],
    ]) {
      expect((await world.run('prune', '--orphans', ...args)).exitCode).toBe(2);
    }
  });
});
