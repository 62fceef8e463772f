import { chmod, mkdir, readFile, symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { selectionOptions } from '../../../src/commands/shared/options.ts';
import { runTest, type TestWorld } from '../../memory-terminal.ts';
import { asOrdinaryUser, shareNewFiles } from '../../ordinary-user.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

shareNewFiles();

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, {
    'store/--a--/one.jsonl': sampleSession({ id: 'abcd-one', cwd: '/a', name: 'First plan' }),
    'store/--a-b--/two.jsonl': sampleSession({
      id: 'abcd-two',
      cwd: '/a/b',
      start: '2026-06-01T00:00:00.000Z',
      model: 'elm-2',
    }),
    'store/--ab--/three.jsonl': sampleSession({
      id: 'efgh-three',
      cwd: '/ab',
      start: '2026-12-01T00:00:00.000Z',
      text: 'x'.repeat(5000),
    }),
    'store/notes.jsonl': '{"some":"other"}\n',
    'store/readme.md': '# no session\n',
  });
});

/** A session of version 1. */
const oldSession = (cwd: string): object[] => {
  const timestamp = '2025-11-01T10:00:00.000Z';
  const message = { role: 'user', content: 'Hi', timestamp: 1 };
  return [
    { type: 'session', id: 'old', timestamp, cwd },
    { type: 'message', timestamp, message },
  ];
};

/** The ids of the sessions that a command line selects, latest activity first. */
async function select(args: readonly string[], world: TestWorld = {}): Promise<string[]> {
  const { out, err, exitCode } = await runTest(['list', '--json', ...args], { cwd: dir, ...world });
  if (exitCode !== 0) throw new Error(err);
  const { results } = JSON.parse(out) as { results: { id: string }[] };
  return results.map(({ id }) => id);
}

const inStore = (...args: string[]): Promise<string[]> => select(['--store', 'store', ...args]);

describe('targets', () => {
  it('are files, directories, globs, ids and unique prefixes', async () => {
    expect(await select(['store/--a--/one.jsonl'])).toEqual(['abcd-one']);
    expect(await select(['store/--a-b--', 'store/--ab--'])).toEqual(['efgh-three', 'abcd-two']);
    expect(await select(['store/*/t*.jsonl'])).toEqual(['efgh-three', 'abcd-two']);
    expect(await inStore('abcd-two')).toEqual(['abcd-two']);
    expect(await inStore('efgh')).toEqual(['efgh-three']);
  });

  it('count once, however often they are named', async () => {
    expect(await inStore('efgh', 'store/--ab--', 'store/--ab--/three.jsonl')).toEqual([
      'efgh-three',
    ]);
  });

  it('name a file also behind a directory, a glob or an id that it is in', async () => {
    await writeFiles(dir, { 'store/--a--/junk.jsonl': 'junk' });
    await symlink(join(dir, 'store/--ab--/three.jsonl'), join(dir, 'store/--a--/link.jsonl'));
    const run = (...args: string[]) => runTest(args, { cwd: dir, home: dir });
    for (const other of ['store/--a--', 'store/*/*.jsonl', 'store']) {
      for (const command of ['list', 'validate', 'export']) {
        const more = command === 'export' ? ['--out', 'out'] : [];
        const named = await run(command, other, 'store/--a--/junk.jsonl', ...more);
        expect(named.exitCode).toBe(3);
        expect(named.out + named.err).toMatch(/junk\.jsonl.*is not a session file/s);
      }
    }
    const rename = async (...targets: string[]) => {
      const argv = ['fork', '--in-place', '--name', 'New', '--json', '--grace', '0min', ...targets];
      const { results } = JSON.parse((await run(...argv)).out) as {
        results: { path: string; action: string }[];
      };
      return results.find(({ path }) => path.endsWith('link.jsonl'))?.action;
    };
    expect(await rename('store/--a--')).toBe('skip');
    expect(await rename('store/--a--', 'store/--a--/link.jsonl')).toBe('label');
  });

  it('are on standard input the same as on the command line, in commands that ask for them twice', async () => {
    const both = async (args: readonly string[]) => {
      const world = { cwd: dir, home: dir };
      const run = (out: string, target: string, input?: string) =>
        runTest([...args, '--out', out, target], { ...world, ...(input && { input }) });
      const named = await run('as-words', 'store');
      const read = await run('as-input', '-', 'store\n');
      const { err, exitCode } = read;
      expect({ err, exitCode }).toEqual({ err: named.err, exitCode: named.exitCode });
      expect(read.out).toBe(named.out.replaceAll('as-words', 'as-input'));
    };
    const archive = ['export', '--as', 'archive', '--format', 'json', '--named', 'First*'];
    await both([...archive, '--ignore', 'store/readme.md']);
    await writeFiles(dir, {
      'store/--a--/same.jsonl': oldSession('/a'),
      'store/--ab--/same.jsonl': oldSession('/ab'),
    });
    await both(['migrate', '--json', '--apply']);
  });

  it('come from standard input, one per line or with NUL between them', async () => {
    const lines = 'store/--a--/one.jsonl\r\nstore/--ab--\n';
    expect(await select(['-'], { input: lines })).toEqual(['efgh-three', 'abcd-one']);
    expect(await select(['-', '-0'], { input: 'store/--a--/one.jsonl\0' })).toEqual(['abcd-one']);
    expect(await select(['-'], { input: `\ufeff${lines}` })).toEqual(['efgh-three', 'abcd-one']);
  });

  it('may be files with names that look like patterns', async () => {
    await writeFiles(dir, { 'odd/[x]*.jsonl': sampleSession({ id: 'odd-one' }) });
    expect(await select(['odd/[x]*.jsonl'])).toEqual(['odd-one']);
  });

  it('are told apart by agent and project where an id fits several', async () => {
    const neovate = {
      type: 'message',
      uuid: 'u1',
      parentUuid: null,
      role: 'user',
      content: 'Hello.',
      timestamp: '2026-01-02T09:30:00.000Z',
      sessionId: 'abcd-one',
    };
    await writeFiles(dir, {
      'twins/p/abcd-one.jsonl': [neovate],
      'twins/--a--/a.jsonl': sampleSession({ id: 'abcd-one', cwd: '/home/dev/a' }),
      'twins/--b--/b.jsonl': sampleSession({ id: 'abcd-two', cwd: '/home/dev/b' }),
    });
    const run = (...args: string[]) =>
      runTest(['list', '--store', 'twins', '--paths', ...args], { cwd: dir });
    const one = join(dir, 'twins/p/abcd-one.jsonl');
    const [a, b] = [join(dir, 'twins/--a--/a.jsonl'), join(dir, 'twins/--b--/b.jsonl')];
    expect((await run('abcd-one', '--agent', 'pi')).out).toBe(`${a}\n`);
    expect((await run('abcd-one', '--agent', 'neovate')).out).toBe(`${one}\n`);
    expect((await run('abcd', '--project', '/home/dev/b')).out).toBe(`${b}\n`);
    expect((await run('abcd-one')).err).toBe(
      `coppice: abcd-one: matches 2 sessions; type more of the id, or add --agent, --project or --store:\n  pi abcd-one: ${a}\n  neovate abcd-one: ${one}\n`,
    );
    expect(await run('abcd-two', '--agent', 'neovate')).toEqual({
      exitCode: 2,
      out: '',
      err: `coppice: abcd-two: --agent neovate selects no session with this id, only:\n  pi abcd-two: ${b}\n`,
    });
  });

  it.each([
    [
      ['abcd'],
      /matches 2 sessions; type more of the id, or add --agent, --project or --store:\n  pi abcd-one: \/.*one\.jsonl\n  pi abcd-two: \/.*two\.jsonl/,
    ],
    [['ijkl'], 'no session has this id'],
    [['efg'], 'needs at least 4 characters'],
    [['gone/x.jsonl'], 'gone/x.jsonl: no such file or directory'],
    [['gone.jsonl'], 'gone.jsonl: no such file or directory'],
    [['gone.jsonl '], "'gone.jsonl ': no such file or directory"],
    [[' '], "' ': no such file or directory"],
    [['store/*.none'], 'matches no session files'],
    [['-'], 'standard input is empty'],
  ])('are refused when they name nothing: %j', async (targets, message) => {
    const run = await runTest(['list', '--store', 'store', ...targets], { cwd: dir });
    expect(run).toMatchObject({ exitCode: 2, out: '' });
    expect(run.err).toMatch(message);
  });

  it('separated by NUL are refused without --null, which is named', async () => {
    const input = 'store/a.jsonl\0store/b.jsonl\0';
    const run = await runTest(['list', '--store', 'store', '-'], { cwd: dir, input });
    const err = 'coppice: -: standard input has NUL between targets; add --null\n';
    expect(run).toMatchObject({ exitCode: 2, out: '', err });
  });

  it('are looked for by name among what cannot be read, as the id in it is not known', async () => {
    await writeFiles(dir, { 'store/--b--/2026_ijkl-1.jsonl': '{"torn' });
    const none = 'no session that can be read has this id; it may be in:';
    const ask = (id: string) => runTest(['list', '--store', 'store', id], { cwd: dir });
    const torn = `${dir}/store/--b--/2026_ijkl-1.jsonl: is not a session file of a known agent`;
    expect((await ask('ijkl')).err).toBe(`coppice: ijkl: ${none}\n  ${torn}\n`);
    expect((await ask('mnop')).err).toContain('no session has this id');
    await chmod(dir, 0o755);
    await chmod(join(dir, 'store', '--ab--'), 0o000);
    const { exitCode, err } = await asOrdinaryUser(() => ask('efgh'));
    await chmod(join(dir, 'store', '--ab--'), 0o700);
    const hidden = `${dir}/store/--ab--: cannot read the directory: permission denied`;
    expect([exitCode, err]).toEqual([2, `coppice: efgh: ${none}\n  ${hidden}\n`]);
  });

  it('that hold no session at all are refused', async () => {
    await mkdir(join(dir, 'empty'));
    const run = await runTest(['list', 'empty'], { cwd: dir });
    expect(run).toMatchObject({ exitCode: 2, err: 'coppice: empty: matches no session files\n' });
  });

  it('that hold sessions only below names that are left out are refused with a hint', async () => {
    await writeFiles(dir, { 'home/.pi/a.jsonl': sampleSession({ id: 'hidden' }) });
    const hint = 'names that begin with a dot are left out: name such a directory itself';
    expect(await runTest(['list', 'home'], { cwd: dir })).toMatchObject({
      exitCode: 2,
      err: `coppice: home: matches no session files; ${hint}\n`,
    });
    expect(await runTest(['list', 'home/.pi'], { cwd: dir })).toMatchObject({ exitCode: 0 });
  });
});

describe('selectors', () => {
  it.each<[string[], string[]]>([
    [
      ['--project', '/a'],
      ['abcd-two', 'abcd-one'],
    ],
    [['--project', '/a/b'], ['abcd-two']],
    [['--agent', 'neovate'], []],
    [
      ['--older-than', '2026-06-15'],
      ['abcd-two', 'abcd-one'],
    ],
    [['--newer-than', '1202mo'], ['efgh-three']],
    [['--started-before', '2026-04-01'], ['abcd-one']],
    [['--started-after', '2026-04-01', '--started-before', '2026-07-01'], ['abcd-two']],
    [['--larger-than', '2kB'], ['efgh-three']],
    [
      ['--smaller-than', '2kB'],
      ['abcd-two', 'abcd-one'],
    ],
    [['--named', 'first*'], ['abcd-one']],
    [['--model', '*elm*'], ['abcd-two']],
    [
      ['--model', 'acme/oak-1'],
      ['efgh-three', 'abcd-one'],
    ],
    [['--format-version', '1'], []],
    [
      ['--last', '2'],
      ['efgh-three', 'abcd-two'],
    ],
    [['--last', '1', '--project', '/a'], ['abcd-two']],
  ])('%j', async (args, expected) => {
    expect(await inStore(...args)).toEqual(expected);
  });

  it('shard into parts that are disjoint and complete', async () => {
    const parts = await Promise.all([1, 2, 3].map((part) => inStore('--shard', `${part}/3`)));
    expect(parts.flat().toSorted()).toEqual(['abcd-one', 'abcd-two', 'efgh-three']);
  });

  it.each([
    [['--older-than', '3m'], '3min or 3mo'],
    [['--larger-than', 'huge'], 'expected a size'],
    [['--shard', '0/3'], 'expected <i>/<n>'],
    [['--shard', '4/3'], 'expected <i>/<n>'],
  ])('refuse what they cannot read: %j', async (args, message) => {
    const run = await runTest(['list', '--store', 'store', ...args], { cwd: dir });
    expect(run.exitCode).toBe(2);
    expect(run.err).toContain(message);
  });
});

describe('stores', () => {
  it("are pi's own by default: settings, environment, agent directory", async () => {
    await writeFiles(dir, {
      'home/.pi/agent/sessions/--x--/s.jsonl': sampleSession({ id: 'by-default' }),
      'agent/sessions/--x--/s.jsonl': sampleSession({ id: 'by-agent-dir' }),
      'flat/s.jsonl': sampleSession({ id: 'by-session-dir' }),
    });
    const home = join(dir, 'home');
    const ask = (env: Record<string, string>) => select([], { home, env });
    expect(await ask({})).toEqual(['by-default']);
    expect(await ask({ PI_CODING_AGENT_DIR: join(dir, 'agent') })).toEqual(['by-agent-dir']);
    expect(await ask({ PI_CODING_AGENT_SESSION_DIR: join(dir, 'flat') })).toEqual([
      'by-session-dir',
    ]);
    await writeFiles(dir, { 'home/.pi/agent/settings.json': '{"sessionDir":"~/../flat"}' });
    expect(await ask({})).toEqual(['by-session-dir']);
  });

  it('that do not exist are named', async () => {
    const run = await runTest(['list'], { cwd: dir, home: join(dir, 'nobody') });
    expect(run).toMatchObject({ exitCode: 2, out: '' });
    expect(run.err).toContain(join(dir, 'nobody/.pi/agent/sessions'));
    const named = await runTest(['list', '--store', 'gone'], { cwd: dir });
    expect(named).toMatchObject({ exitCode: 2 });
  });

  it('with settings that are broken are not guessed', async () => {
    await writeFiles(dir, { 'home/.pi/agent/settings.json': '{"sessionDir":' });
    const run = await runTest(['list'], { cwd: dir, home: join(dir, 'home') });
    expect(run.exitCode).toBe(2);
    expect(run.err).toContain('settings.json: is not valid JSON');
  });

  it('are searched through symbolic links, each real file once', async () => {
    await writeFiles(dir, { 'elsewhere/s.jsonl': sampleSession({ id: 'linked-one' }) });
    await symlink(join(dir, 'elsewhere'), join(dir, 'store', '--link--'));
    await symlink(join(dir, 'store', '--a--'), join(dir, 'store', '--again--'));
    await symlink('..', join(dir, 'store', '--a--', 'up'));
    await symlink('nowhere', join(dir, 'store', 'dead.jsonl'));
    expect((await inStore()).toSorted()).toEqual([
      'abcd-one',
      'abcd-two',
      'efgh-three',
      'linked-one',
    ]);
  });

  it('name a directory that cannot be read, and list the rest', async () => {
    await chmod(dir, 0o755);
    await chmod(join(dir, 'store', '--ab--'), 0o000);
    const list = ['list', '--store', 'store', '--json'];
    const run = await asOrdinaryUser(() => runTest(list, { cwd: dir }));
    await chmod(join(dir, 'store', '--ab--'), 0o700);
    expect(run.exitCode).toBe(3);
    expect(run.err).toContain(`${dir}/store/--ab--: cannot read the directory: permission denied`);
    expect(JSON.parse(run.out)).toMatchObject({ summary: { sessions: 2, problems: 1 } });
  });
});

describe('the page on selectors', () => {
  it('names every one of them', async () => {
    const page = await readFile(new URL('../../../docs/list.md', import.meta.url), 'utf8');
    const missing = Object.keys(selectionOptions).filter((name) => !page.includes(`\`--${name}`));
    // How targets are separated selects nothing.
    expect(missing).toEqual(['null']);
  });
});

describe('a selector about what no agent of the sessions has', () => {
  const line = {
    type: 'user',
    uuid: 'u',
    parentUuid: null,
    sessionId: 'c',
    cwd: '/a',
    timestamp: '2026-03-01T00:00:00.000Z',
    message: { role: 'user', content: 'Hi' },
  };

  it.each([
    ['--expiring', '7d'],
    ['--source', 'exec'],
    ['--state', 'archived'],
  ])('is refused: %s %s', async (option, value) => {
    for (const command of ['list', 'prune']) {
      const { exitCode, out, err } = await runTest([command, '--store', 'store', option, value], {
        cwd: dir,
      });
      expect([command, exitCode, out]).toEqual([command, 2, '']);
      expect(err).toContain(option);
      expect(err).toContain('none of these agents');
    }
  });

  it('is refused for versions of a format without any', async () => {
    await writeFiles(dir, { 'other/c.jsonl': toJsonl([line]) });
    await expect(select(['--store', 'other', '--format-version', '3'])).rejects.toThrow(
      '--format-version: none of these agents has versions of its format',
    );
  });

  it('is refused for a named agent without it, and not for another', async () => {
    const inOne = (agent: string) => inStore('--agent', agent, '--state', 'archived');
    await expect(inOne('pi')).rejects.toThrow('--state archived: none of these agents');
    expect(await inOne('codex')).toEqual([]);
  });

  it('selects none where one has it', async () => {
    await writeFiles(dir, { 'store/c.jsonl': toJsonl([line]) });
    expect(await inStore('--expiring', '7d')).toEqual([]);
  });
});

describe('an age', () => {
  it('is that of the last line for list as for prune', async () => {
    const named = { type: 'session_info', id: 'n', parentId: null, name: 'Late' };
    const timestamp = '2026-06-20T00:00:00.000Z';
    const lines = sampleSession({ id: 'renamed', start: '2026-01-01T00:00:00.000Z' });
    await writeFiles(dir, { 'other/r.jsonl': [...lines, { ...named, timestamp }] });
    const list = (...args: readonly string[]) => select(['--store', 'other', ...args]);
    expect(await list('--newer-than', '2026-06-10')).toEqual(['renamed']);
    expect(await list('--older-than', '2026-06-10')).toEqual([]);
    await utimes(join(dir, 'other/r.jsonl'), 0, 0);
    expect(await list('--older-than', '2026-06-10')).toEqual([]);
    const prune = ['prune', '--store', 'other', '--older-than', '2026-06-10', '--json'];
    const { out } = await runTest(prune, { cwd: dir });
    expect(JSON.parse(out)).toMatchObject({ results: [{ action: 'keep' }] });
  });
});
