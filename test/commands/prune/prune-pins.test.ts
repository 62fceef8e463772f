import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';
import { BRANCH, ClaudeCodeHome, type PruneAnswer } from './claude-code-home.ts';
import { PruneWorld } from './prune-world.ts';

const ALL = [
  '--larger-than',
  '1B',
  '--grace',
  '0s',
  '--allow-empty',
  '--include-parents',
  '--json',
];
const PINNED = 'keep: is pinned (--include-pinned)';
const AT_WORK = 'keep: is a background session that has not ended (--include-pinned)';
const QUEUED = 'keep: is a background session with a queued prompt (--include-pinned)';
const WAKES = 'keep: is a background session that continues by itself (--include-pinned)';
const OTHER_NAME = 'keep: its agent has a name for it that it does not show';
/** A session of that home without a name. */
const NAMELESS = 'aaaaaaaa-0000-4000-8000-000000000001';
const OTHER_ID = '00000000-0000-4000-8000-000000000000';

function toAnswer(out: string, id: string): string {
  const { results } = JSON.parse(out) as { readonly results: readonly PruneAnswer[] };
  const found = results.find((one) => one.id === id);
  return found?.action === 'remove' ? 'remove' : `${found?.action}: ${found?.reasons.join(', ')}`;
}

describe('the list of pinned sessions of oh-my-pi', () => {
  it('keeps those in it', async () => {
    const world = await PruneWorld.make();
    const session = sampleSession({ id: 'x', text: 'work' });
    const later = sampleSession({ id: 'y', text: 'work' });
    const home = join(world.dir, 'agent');
    await writeFiles(home, { 'sessions/-p/x.jsonl': session, 'sessions/-p/y.jsonl': later });
    for (const name of ['x', 'y']) {
      await utimes(join(home, `sessions/-p/${name}.jsonl`), NOW / 1000 - 60, NOW / 1000 - 60);
    }
    const decide = async (pins: string, ...args: string[]): Promise<string> => {
      await writeFile(join(home, 'session-pins.json'), pins);
      const { out } = await world.run(['--store', join(home, 'sessions'), ...ALL, ...args]);
      return toAnswer(out, 'x');
    };
    expect(await decide('["y"]')).toBe('remove');
    expect(await decide('["x"]')).toBe(PINNED);
    expect(await decide('["x"]', '--include-pinned')).toBe('remove');
    for (const text of ['["x', '{"x":true}', '[1]']) {
      expect(await decide(text)).toContain('could not be read, and may pin it');
    }
  });
});

describe('a list of pinned sessions that cannot be read', () => {
  const DOUBT = 'session-pins.json could not be read, and may pin it';

  async function makeStore(): Promise<PruneWorld> {
    const world = await PruneWorld.make();
    await writeFiles(world.dir, {
      'agent/sessions/-p/x.jsonl': sampleSession({ id: 'x', text: 'work' }),
    });
    await utimes(join(world.dir, 'agent/sessions/-p/x.jsonl'), NOW / 1000 - 60, NOW / 1000 - 60);
    return world;
  }

  async function decide(world: PruneWorld): Promise<string> {
    const { out, exitCode } = await world.run([
      '--store',
      join(world.dir, 'agent/sessions'),
      ...ALL,
    ]);
    return `${exitCode} ${toAnswer(out, 'x')}`;
  }

  it('keeps a session where an id has a damaged byte', async () => {
    const world = await makeStore();
    await writeFile(join(world.dir, 'agent/session-pins.json'), Buffer.from('["x\xFF"]', 'latin1'));
    expect(await decide(world)).toContain(DOUBT);
  });

  it('keeps a session where the list is a link that leads nowhere', async () => {
    const world = await makeStore();
    expect(await decide(world)).toBe('0 remove');
    await symlink('/nowhere/pins.json', join(world.dir, 'agent/session-pins.json'));
    expect(await decide(world)).toMatch(new RegExp(`^3 .*${DOUBT}`));
  });
});

describe('sessions of oh-my-pi in a data directory by XDG', () => {
  it.each([
    ['share/omp', '.omp/agent'],
    ['share/omp/profiles/work', '.omp/profiles/work/agent'],
  ])('in %s are kept where %s pins them', async (data, agent) => {
    const world = await PruneWorld.make();
    const session = sampleSession({ id: 'x', text: 'work' });
    await writeFiles(world.dir, { [`${data}/sessions/-p/x.jsonl`]: session });
    const path = join(world.dir, data, 'sessions/-p/x.jsonl');
    await utimes(path, NOW / 1000 - 60, NOW / 1000 - 60);
    const decide = async (pins: string, ...args: string[]): Promise<string> => {
      await writeFiles(world.dir, { [`${agent}/session-pins.json`]: pins });
      const store = join(world.dir, data, 'sessions');
      const { out } = await world.run(['--store', store, ...ALL, ...args], { home: world.dir });
      return toAnswer(out, 'x');
    };
    expect(await decide('["y"]')).toBe('remove');
    expect(await decide('["x"]')).toBe(PINNED);
    expect(await decide('["x"]', '--include-pinned')).toBe('remove');
    expect(await decide('["x')).toContain('could not be read, and may pin it');
  });
});

describe('sessions of oh-my-pi in a directory that its user has named', () => {
  it.each(['mine', 'mine/sessions', 'mine/sessions/-p'])('such as %s', async (directory) => {
    const world = await PruneWorld.make();
    const session = sampleSession({ id: 'x', text: 'work' });
    await writeFiles(world.dir, { [`${directory}/x.jsonl`]: session });
    await utimes(join(world.dir, directory, 'x.jsonl'), NOW / 1000 - 60, NOW / 1000 - 60);
    const decide = async (pins: string, ...args: string[]): Promise<string> => {
      await writeFiles(world.dir, { '.omp/agent/session-pins.json': pins });
      const store = join(world.dir, directory);
      const { out } = await world.run(['--store', store, ...ALL, ...args], { home: world.dir });
      return toAnswer(out, 'x');
    };
    expect(await decide('["y"]')).toBe('remove');
    expect(await decide('["x"]')).toBe(PINNED);
    expect(await decide('["x"]', '--include-pinned')).toBe('remove');
    expect(await decide('["x')).toContain('could not be read, and may pin it');
  });
});

describe('sessions of oh-my-pi whose list is elsewhere', () => {
  const XDG = 'share/omp/sessions';
  it.each([
    ['beside where its store leads', 'own/agent/sessions', 'own/agent', {}, '.pi/agent/sessions'],
    ['where a store of any name leads', 'own/sessions', 'own', {}, 'linked'],
    ['in PI_CONFIG_DIR', XDG, '.own/agent', { PI_CONFIG_DIR: '.own' }],
    [
      'in a profile in PI_CONFIG_DIR',
      'share/omp/profiles/work/sessions',
      '.own/profiles/work/agent',
      { PI_CONFIG_DIR: '.own' },
    ],
    ['in PI_CODING_AGENT_DIR', 'mine', 'own', { PI_CODING_AGENT_DIR: 'own' }],
    ['in any profile', 'mine', '.omp/profiles/work/agent', {}],
    ['not beside a directory that is called agent', 'mine/agent/sessions', '.omp/agent', {}],
    ['beside sessions of no project', 'mine/agent/sessions', 'mine/agent', {}, undefined, '.'],
  ])(
    'are kept, such as %s',
    async (_where, at, agent, env: Record<string, string>, link?: string, project = '-p') => {
      const world = await PruneWorld.make();
      const session = sampleSession({ id: 'x', text: 'work' });
      await writeFiles(world.dir, { [`${at}/${project}/x.jsonl`]: session, '.omp/profiles/x': '' });
      await utimes(join(world.dir, at, project, 'x.jsonl'), NOW / 1000 - 60, NOW / 1000 - 60);
      const store = join(world.dir, link ?? at);
      await mkdir(dirname(store), { recursive: true });
      if (link !== undefined) await symlink(join(world.dir, at), store);
      const decide = async (pins: string): Promise<string> => {
        await writeFiles(world.dir, { [`${agent}/session-pins.json`]: pins });
        const { out } = await world.run(['--store', store, ...ALL], { home: world.dir, env });
        return toAnswer(out, 'x');
      };
      expect(await decide('["y"]')).toBe('remove');
      expect(await decide('["x"]')).toBe(PINNED);
    },
  );
});

describe('notes on background sessions of Claude Code', () => {
  it.each([
    ['the other directory', '.claude'],
    ['its own', 'work'],
  ])('count in %s of two that share their sessions by a link', async (_, noted) => {
    const claude = await ClaudeCodeHome.make();
    const own = join(claude.home, 'work');
    await rename(claude.config, own);
    await mkdir(claude.config);
    await symlink(join(own, 'projects'), join(claude.config, 'projects'));
    const decide = async (): Promise<string> => {
      const { home } = claude;
      const env = { CLAUDE_CONFIG_DIR: own };
      return toAnswer((await runTest(['prune', ...ALL], { cwd: home, home, env })).out, BRANCH);
    };
    expect(await decide()).toBe('remove');
    await writeFiles(claude.home, { [`${noted}/jobs/pins.json`]: `["${BRANCH.slice(0, 8)}"]` });
    expect(await decide()).toBe(PINNED);
  });
});

describe('notes of Claude Code behind a link that leads nowhere', () => {
  const job = BRANCH.slice(0, 8);

  it.each([
    'jobs',
    'jobs/pins.json',
    `jobs/${job}`,
    `jobs/${job}/state.json`,
    `jobs/${job}/pinned`,
    'sessions',
  ])('keep every session, such as %s', async (name) => {
    const claude = await ClaudeCodeHome.make();
    expect(toAnswer((await claude.run('prune', ...ALL)).out, BRANCH)).toBe('remove');
    const path = join(claude.config, name);
    await rm(path, { recursive: true, force: true });
    await mkdir(dirname(path), { recursive: true });
    await symlink('/nowhere', path);
    const { out, exitCode } = await claude.run('prune', ...ALL);
    expect(toAnswer(out, BRANCH)).toMatch(/^keep: /);
    expect(exitCode).toBe(3);
  });
});

describe('background sessions of Claude Code', () => {
  const job = BRANCH.slice(0, 8);

  function write(claude: ClaudeCodeHome, name: string, content: unknown): void {
    const path = join(claude.config, 'jobs', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }

  async function decide(claude: ClaudeCodeHome, ...args: string[]): Promise<string> {
    return toAnswer((await claude.run('prune', ...ALL, ...args)).out, BRANCH);
  }

  it.each<[string, Readonly<Record<string, unknown>>, string]>([
    ['is pinned', { 'pins.json': [job] }, PINNED],
    ['has ended', { 'pins.json': [], [`${job}/state.json`]: { state: 'done' } }, 'remove'],
    ['has failed', { [`${job}/state.json`]: { state: 'failed' } }, 'remove'],
    ['was stopped', { [`${job}/state.json`]: { state: 'stopped' } }, 'remove'],
    ['is at work', { [`${job}/state.json`]: { state: 'working' } }, AT_WORK],
    ['waits for an answer', { [`${job}/state.json`]: { state: 'blocked' } }, AT_WORK],
    [
      'has got another id, and is pinned',
      {
        'pins.json': ['01234567'],
        '01234567/state.json': { state: 'done', sessionId: BRANCH },
      },
      PINNED,
    ],
    [
      'was resumed',
      { '01234567/state.json': { state: 'working', sessionId: OTHER_ID, resumeSessionId: BRANCH } },
      AT_WORK,
    ],
    [
      'was resumed in another, and has ended itself',
      {
        '01234567/state.json': { state: 'working', resumeSessionId: BRANCH },
        [`${job}/state.json`]: { state: 'done', sessionId: BRANCH },
      },
      AT_WORK,
    ],
    [
      'is at work on a reply',
      { [`${job}/state.json`]: { state: 'done', tempo: 'active' } },
      AT_WORK,
    ],
    ['rests', { [`${job}/state.json`]: { state: 'done', tempo: 'idle' } }, 'remove'],
    [
      'has a prompt that waits',
      { [`${job}/state.json`]: { state: 'failed', queuedPrompt: 'go on' } },
      QUEUED,
    ],
    [
      'has a prompt of another form that waits',
      { [`${job}/state.json`]: { state: 'done', queuedPrompt: { text: 'go on' } } },
      QUEUED,
    ],
    [
      'wakes in another form',
      { [`${job}/state.json`]: { state: 'done', inFlight: { kinds: [{ kind: 'session_cron' }] } } },
      WAKES,
    ],
    [
      'has nothing to do',
      {
        [`${job}/state.json`]: { state: 'done', queuedPrompt: null, selfWake: false, inFlight: {} },
      },
      'remove',
    ],
    [
      'is to run a prompt again',
      { [`${job}/state.json`]: { state: 'stopped', replayOwed: true } },
      QUEUED,
    ],
    [
      'wakes at set times',
      { [`${job}/state.json`]: { state: 'done', inFlight: { kinds: ['session_cron'] } } },
      WAKES,
    ],
    ['has a mark of old', { [`${job}/pinned`]: '' }, PINNED],
    ['has a mark from before the list', { 'pins.json': [], [`${job}/pinned`]: '' }, 'remove'],
    ['is another', { '01234567/state.json': { state: 'working', sessionId: OTHER_ID } }, 'remove'],
    ['is of no form that is known', { 'spare/state.json': '{', 'x.json': '{' }, 'remove'],
  ])('of which one %s', async (_, files, expected) => {
    const claude = await ClaudeCodeHome.make();
    for (const [name, content] of Object.entries(files)) write(claude, name, content);
    expect(await decide(claude)).toBe(expected);
    expect(await decide(claude, '--include-pinned')).toBe('remove');
  });

  it.each([
    ['pins.json', '["9ea'],
    ['pins.json', { [job]: true }],
    [`${job}/state.json`, '{"state":'],
    [`${job}/state.json`, ['done']],
    ['01234567/state.json', '{"state":"working","resumeSess'],
    ['01234567/state.json', { state: 'working', resumeSessionId: [BRANCH] }],
  ])('keep a session where %s is %j', async (name, content) => {
    const claude = await ClaudeCodeHome.make();
    write(claude, name, content);
    const doubt = `${join(claude.config, 'jobs', name)} could not be read, and may pin it`;
    expect(await decide(claude)).toContain(doubt);
    expect(await decide(claude, '--include-pinned')).toContain(doubt);
  });

  it.each([
    ['user', 'nightly', 'keep: named'],
    ['user', ' ', 'remove'],
    ['user', undefined, 'remove'],
    ['collision', 'nightly (2)', 'keep: named'],
    [undefined, 'nightly', 'keep: named'],
    ['auto', 'nightly', 'remove'],
  ])('have a name that by the %s is %j', async (nameSource, name, expected) => {
    const claude = await ClaudeCodeHome.make();
    write(claude, `${NAMELESS.slice(0, 8)}/state.json`, { state: 'done', name, nameSource });
    const { out } = await claude.run('prune', ...ALL, '--keep-named');
    expect(toAnswer(out, NAMELESS)).toBe(expected);
  });

  it.each([
    ['has another name there', 'nightly', OTHER_NAME],
    ['has the same name there', 'my branch name', 'remove'],
  ])('of which one that is selected by its name %s', async (_, name, expected) => {
    const claude = await ClaudeCodeHome.make();
    write(claude, `${job}/state.json`, { state: 'done', name, nameSource: 'user' });
    expect(await decide(claude, '--named', 'my*')).toBe(expected);
    expect(await decide(claude)).toBe('remove');
  });

  it('keep one that has two names there, of which one is selected', async () => {
    const claude = await ClaudeCodeHome.make();
    const note = { state: 'done', nameSource: 'user', sessionId: NAMELESS };
    write(claude, '01234567/state.json', { ...note, name: 'nightly' });
    write(claude, '76543210/state.json', { ...note, name: 'release' });
    for (const glob of ['nightly', 'release']) {
      const { out } = await claude.run('prune', ...ALL, '--named', glob);
      expect(toAnswer(out, NAMELESS)).toBe(OTHER_NAME);
    }
  });

  it.each([
    ['pinned', 'pins.json', [NAMELESS.slice(0, 8)]],
    ['named', 'aaaaaaaa/state.json', { state: 'done', nameSource: 'user', name: 'nightly' }],
  ])('keep one that is %s since the plan', async (_, name, content) => {
    const claude = await ClaudeCodeHome.make();
    const { out } = await runTest(['prune', ...ALL, '--apply', '--delete'], {
      cwd: claude.home,
      home: claude.home,
      startProgress: (label) => {
        if (label === 'Removing') write(claude, name, content);
        return { advance: () => undefined, stop: () => undefined };
      },
    });
    expect(toAnswer(out, NAMELESS)).toMatch('skip: changed');
    const path = join(claude.config, 'projects', '-home-u-demo-project', `${NAMELESS}.jsonl`);
    expect(existsSync(path)).toBe(true);
  });
});
