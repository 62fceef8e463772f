import { appendFile, cp, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { applyPrune, type Decision, planPrune } from '../../../src/index.ts';
import { ReferrerSearch } from '../../../src/store/prune/reading/referrers.ts';
import { NOW } from '../../memory-terminal.ts';
import { snapshot } from '../../store/archive/archive-fixture.ts';
import { BRANCH, ClaudeCodeHome, TASKS, TOOLS } from './claude-code-home.ts';

const OWN = '-home-u-demo-project';
const PLAN = 'plans/calm-wandering-otter.md';
let world: ClaudeCodeHome;
let projects: string;

/** Runs coppice, which must have nothing to report: what it says is the message of the test otherwise. */
async function run(...args: string[]): Promise<void> {
  const { exitCode, out, err } = await world.run(...args);
  expect(exitCode, `${err}${out}`).toBe(0);
}
const prune = (...args: string[]) => run('prune', '--older-than', '30d', '--apply', ...args);
const listOutside = async (): Promise<readonly string[]> =>
  [...(await world.listBelow(TASKS)), ...(await world.listBelow(PLAN))].filter(
    (name) => !name.startsWith('projects/'),
  );

/** Makes a copy of the session with sidecars below `projects`. */
async function copyTo(name: string): Promise<void> {
  await cp(join(projects, OWN, `${TASKS}.jsonl`), join(projects, name));
  await world.age();
}

/** Adds sidecars of each kind that is shared, and names the plan in the session. */
async function addSidecars(): Promise<void> {
  const { config } = world;
  await mkdir(join(config, 'file-history', TASKS), { recursive: true });
  await writeFile(join(config, 'file-history', TASKS, '0123456789abcdef@v1'), 'before');
  await mkdir(join(config, 'todos'), { recursive: true });
  await writeFile(join(config, 'todos', `${TASKS}-agent-${TASKS}.json`), '[]');
  const path = join(projects, OWN, `${TASKS}.jsonl`);
  const text = (await readFile(path, 'utf8')).replaceAll(/"slug":"[^"]*",/g, '');
  await writeFile(path, text.replaceAll('"uuid":', '"slug":"calm-wandering-otter","uuid":'));
  await mkdir(join(config, 'plans'));
  await writeFile(join(config, PLAN), 'First one thing, then another.\n');
}

/** The content, the times and the modes of all files: those of directories change. */
async function readFiles(): Promise<Readonly<Record<string, string>>> {
  const all = Object.entries(await snapshot(world.config));
  return Object.fromEntries(all.filter(([, state]) => !state.endsWith(' directory')));
}

const IN_PROJECTS = [`-home-u-a/${TASKS}.jsonl`, `-home-u-z/${TASKS}.jsonl`];
const COPIES = [...IN_PROJECTS, `${OWN}/${TASKS}-copy.jsonl`];

beforeEach(async () => {
  world = await ClaudeCodeHome.make();
  projects = join(world.config, 'projects');
  await addSidecars();
  await mkdir(join(projects, '-home-u-a'));
  await mkdir(join(projects, '-home-u-z'));
  await world.age();
});

describe.each(COPIES)('a session and its copy %s that go in one run', (copy) => {
  beforeEach(() => copyTo(copy));

  it.each([['--delete'], ['--archive', 'old'], []])(
    'take along what both have: %s',
    async (...to) => {
      expect((await listOutside()).length).toBeGreaterThan(3);
      await prune(...to);
      expect(await readdir(projects, { recursive: true })).not.toContain(copy);
      expect(await listOutside()).toEqual([]);
    },
  );

  it('are restored with it', async () => {
    const before = await readFiles();
    await prune('--archive', 'old');
    await run('prune', '--archive', 'old', '--restore', 'all');
    expect(await readFiles()).toEqual(before);
  });

  it.each(['1/2', '2/2'])('are of one shard, and leave nothing behind: %s', async (shard) => {
    const before = await listOutside();
    await prune('--delete', '--shard', shard);
    const left = (await readdir(projects, { recursive: true })).filter((name) =>
      /\/aaaaaaaa-0000-4000-8000-000000000004[^/]*\.jsonl$/.test(name),
    );
    expect([0, 2]).toContain(left.length);
    expect(await listOutside()).toEqual(left.length === 0 ? [] : before);
  });

  it('leave it to the one that is kept', async () => {
    const before = await listOutside();
    await utimes(join(projects, copy), new Date(NOW), new Date(NOW));
    await prune('--delete');
    expect(await listOutside()).toEqual(before);
    await world.age();
    await prune('--delete', '--allow-empty');
    expect(copy.endsWith('-copy.jsonl') ? [] : await listOutside()).toEqual([]);
  });

  it('leave it to the one that was taken out of the plan', async () => {
    const before = await listOutside();
    const plan = join(world.home, 'plan.ndjson');
    await run('prune', '--older-than', '30d', '--delete', '--plan-out', plan);
    const lines = (await readFile(plan, 'utf8')).split('\n');
    const others = lines.filter((line) => !line.includes(`"path":"${join(projects, copy)}"`));
    expect(others).toHaveLength(lines.length - 1);
    await writeFile(plan, others.join('\n'));
    await run('prune', '--plan', plan, '--delete', '--apply');
    expect(await readdir(projects, { recursive: true })).toContain(copy);
    expect(await listOutside()).toEqual(before);
  });

  it.each([
    ['left out', () => undefined],
    ['said to be kept', (one: Decision) => ({ ...one, action: 'keep' }) as const],
  ])('leave it to the one whose removal a program has %s', async (_, change) => {
    const before = await listOutside();
    const plan = await planPrune([projects], { olderThan: '30d' }, { now: () => NOW });
    const isFirst = ({ candidate: { path } }: Decision): boolean =>
      plan.decisions.some(({ waitsFor }) => waitsFor?.some((one) => one.path === path));
    const decisions = plan.decisions.flatMap((one) => (isFirst(one) ? (change(one) ?? []) : one));
    const outcomes = await applyPrune({ ...plan, decisions }, { delete: true }, { now: () => NOW });
    expect(outcomes.filter(({ path }) => path.includes(TASKS))).toMatchObject([
      { action: 'skip', reasons: ['shares its sidecars with a kept copy'] },
    ]);
    expect(await listOutside()).toEqual(before);
    await applyPrune(plan, { delete: true }, { now: () => NOW });
    expect(await listOutside()).toEqual([]);
  });

  it('go with it by a plan', async () => {
    const plan = join(world.home, 'plan.ndjson');
    await run('prune', '--older-than', '30d', '--delete', '--plan-out', plan);
    await run('prune', '--plan', plan, '--delete', '--apply');
    expect(await readdir(projects, { recursive: true })).not.toContain(copy);
    expect(await listOutside()).toEqual([]);
  });

  it('are kept with it where it was written lately', async () => {
    const before = await listOutside();
    await utimes(join(world.config, 'tasks', TASKS, '1.json'), new Date(NOW), new Date(NOW));
    await prune('--delete');
    expect(await listOutside()).toEqual(before);
    expect((await world.listBelow(TASKS)).some((name) => name.endsWith('.jsonl'))).toBe(true);
  });
});

describe.each(IN_PROJECTS)('each of a session and its copy %s', (copy) => {
  it.each([0, 1])('is restored with what both have, member %i first', async (first) => {
    await copyTo(copy);
    const before = await readFiles();
    await prune('--archive', 'old');
    const members = (await readdir(join(world.home, 'old'))).filter((one) => one.includes(TASKS));
    expect(members).toHaveLength(2);
    const shared = Object.keys(before).filter(
      (name) => name === PLAN || (name.includes(TASKS) && !name.startsWith('projects/')),
    );
    for (const at of [first, 1 - first]) {
      const one = `one${at}`;
      await mkdir(join(world.home, one));
      await cp(
        join(world.home, 'old', members[at] ?? ''),
        join(world.home, one, members[at] ?? ''),
      );
      await run('prune', '--archive', one, '--restore', 'all');
      expect(await listOutside()).toEqual(expect.arrayContaining(shared));
    }
    await run('prune', '--archive', 'old', '--restore', 'all');
    expect(await readFiles()).toEqual(before);
  });
});

it.each(IN_PROJECTS)('a session and its copy %s get their prompts back', async (copy) => {
  await copyTo(copy);
  const prompts = `${JSON.stringify({ display: 'Hi', timestamp: 1, sessionId: TASKS })}\n`;
  const list = join(world.config, 'history.jsonl');
  await writeFile(list, prompts);
  await prune('--archive', 'old', '--history');
  expect(await readFile(list, 'utf8')).toBe('');
  await run('prune', '--archive', 'old', '--restore', 'all');
  expect(await readFile(list, 'utf8')).toBe(prompts);
});

describe('a session and its copy are of one shard', () => {
  /** Lists the shards that the decisions about some sessions are of. */
  const listFamilies = async (...names: readonly string[]): Promise<ReadonlySet<string>> => {
    await world.age();
    const rules = { olderThan: '30d', allowEmpty: true };
    const plan = await planPrune([projects], rules, { now: () => NOW });
    const paths = new Set(names.map((name) => join(projects, name)));
    const found = plan.decisions.filter(({ candidate: { path } }) => paths.has(path));
    expect(found.map(({ action }) => action)).toEqual(names.map(() => 'remove'));
    const owners = found.map(({ candidate, owner = candidate }) => owner);
    return new Set(owners.map(({ family, path }) => family ?? path));
  };

  it.each([TOOLS, BRANCH, 'ceee9acf-0ce0-4330-a90b-97b10e7ac5cf'])(
    'also where the copy names another session, such as %s',
    async (other) => {
      const [own, copy] = [`${OWN}/${TASKS}.jsonl`, `${OWN}/saved.jsonl`];
      const text = await readFile(join(projects, own), 'utf8');
      await writeFile(
        join(projects, copy),
        text.replace('"content":"', `"content":"See ${other}. `),
      );
      expect(await listFamilies(own, copy)).toHaveProperty('size', 1);
    },
  );

  it.each(['-home-u-a', '-home-u-z'])(
    'also where the copy is in the folder of another session, in %s',
    async (project) => {
      const folder = join(projects, project, TOOLS);
      await cp(join(projects, OWN, `${TOOLS}.jsonl`), `${folder}.jsonl`);
      await mkdir(folder);
      const copy = `${project}/${TOOLS}/${TASKS}.jsonl`;
      await cp(join(projects, OWN, `${TASKS}.jsonl`), join(projects, copy));
      const own = [`${OWN}/${TASKS}.jsonl`, `${project}/${TOOLS}.jsonl`];
      expect(await listFamilies(...own, copy)).toHaveProperty('size', 1);
    },
  );
});

describe.each(['ccr-tip', 'precompact', 'desktop-released'])('a note on a session: %s', (kind) => {
  const write = async (): Promise<void> => {
    const name = join(projects, OWN, `${TASKS}.${kind}.json`);
    await writeFile(name, JSON.stringify({ sessionId: TASKS, of: BRANCH }));
    await world.age();
  };

  it('goes with it, and keeps none of its sidecars', async () => {
    await write();
    await prune('--delete');
    expect([...(await world.listBelow(TASKS)), ...(await listOutside())]).toEqual([]);
  });

  it('comes back with it', async () => {
    await write();
    const before = await readFiles();
    await prune('--archive', 'old');
    expect(await world.listBelow(TASKS)).toEqual([]);
    await run('prune', '--archive', 'old', '--restore', 'all');
    expect(await readFiles()).toEqual(before);
  });

  it('is a sidecar without a session once that is gone', async () => {
    await write();
    await rm(join(projects, OWN, `${TASKS}.jsonl`));
    await run('prune', '--orphans', '--apply', '--delete');
    expect((await world.listBelow(TASKS)).filter((name) => name.includes(kind))).toEqual([]);
  });
});

describe('what /insights says about a session', () => {
  beforeEach(async () => {
    for (const name of ['facets', 'session-meta']) {
      await mkdir(join(world.config, 'usage-data', name), { recursive: true });
      await writeFile(join(world.config, 'usage-data', name, `${TASKS}.json`), '{}');
    }
    await world.age();
  });

  it('goes and comes back with it', async () => {
    const before = await readFiles();
    await prune('--archive', 'old');
    expect(await world.listBelow(TASKS)).toEqual([]);
    await run('prune', '--archive', 'old', '--restore', 'all');
    expect(await readFiles()).toEqual(before);
  });

  it('stays with a copy, and goes once no file of the session is left', async () => {
    const copy = `-home-u-a/${TASKS}.jsonl`;
    await copyTo(copy);
    await rm(join(projects, OWN, `${TASKS}.jsonl`));
    await run('prune', '--orphans', '--apply', '--delete');
    expect((await listOutside()).filter((name) => name.startsWith('usage-data'))).toHaveLength(2);
    await rm(join(projects, copy));
    await run('prune', '--orphans', '--apply', '--delete');
    expect((await listOutside()).filter((name) => name.startsWith('usage-data'))).toEqual([]);
  });
});

describe('the plan of a sub-agent', () => {
  const plans = () => readdir(join(world.config, 'plans'));

  beforeEach(async () => {
    await writeFile(join(world.config, PLAN.replace('.md', '-agent-a1b2c3.md')), 'Look first.\n');
    await world.age();
  });

  it('goes and comes back with the session', async () => {
    const before = await readFiles();
    await prune('--archive', 'old');
    expect(await plans()).toEqual([]);
    await run('prune', '--archive', 'old', '--restore', 'all');
    expect(await readFiles()).toEqual(before);
  });

  it('stays while anything else has the words', async () => {
    await writeFile(join(projects, '-home-u-a', 'notes.txt'), 'See calm-wandering-otter.\n');
    await prune('--delete');
    expect(await plans()).toHaveLength(2);
  });
});

it('what the client notes about all sessions of a project keeps no sidecars', async () => {
  await writeFile(join(projects, OWN, 'bridge-pointer.json'), JSON.stringify({ sessionId: TASKS }));
  await world.age();
  await prune('--delete');
  expect(await listOutside()).toEqual([]);
});

describe('a session and its copy that wait for each other', () => {
  /** Appends a prompt to the session. */
  const say = async (content: string): Promise<void> => {
    const line = {
      type: 'user',
      uuid: TASKS,
      parentUuid: null,
      sessionId: TASKS,
      timestamp: '2026-11-21T21:25:44.000Z',
      message: { role: 'user', content },
    };
    await appendFile(join(projects, OWN, `${TASKS}.jsonl`), `${JSON.stringify(line)}\n`);
  };

  /** Changes one of them since the plan, so that it is kept. */
  const pruneBut = async (kept: string): Promise<void> => {
    const now = (): number => NOW;
    const plan = await planPrune([projects], { olderThan: '30d' }, { now });
    expect(plan.decisions.filter(({ candidate }) => candidate.path.includes(TASKS))).toMatchObject([
      { action: 'remove' },
      { action: 'remove' },
    ]);
    await utimes(join(projects, kept), new Date(NOW), new Date(NOW));
    await applyPrune(plan, { delete: true }, { now });
    expect(await readdir(projects, { recursive: true })).toContain(kept);
  };

  it.each(COPIES)('are kept when each names files of the other: %s', async (copy) => {
    const output = join(projects, OWN, TASKS, 'tool-results', 'long.txt');
    await mkdir(join(projects, OWN, TASKS, 'tool-results'), { recursive: true });
    await writeFile(output, 'long');
    await say(output);
    await copyTo(copy);
    const before = await world.listBelow(TASKS);
    await pruneBut(copy);
    expect(await world.listBelow(TASKS)).toEqual(before);
  });

  it('are kept with their shared files when only one was continued since', async () => {
    const copy = `${OWN}/${TASKS}-copy.jsonl`;
    await copyTo(copy);
    await say('Go on');
    await world.age();
    const before = await listOutside();
    await pruneBut(copy);
    expect(await listOutside()).toEqual(before);
  });
});

it.each([`-home-u-z/${TASKS}.jsonl`, `${OWN}/${TASKS}.jsonl.bak`])(
  'a session is kept with what it shares with a copy %s that comes while others are read',
  async (copy) => {
    // When the sessions are searched for what they name, all files are known.
    const spy = vi.spyOn(ReferrerSearch.prototype, 'read').mockImplementation(async () => {
      await copyTo(copy);
      return false;
    });
    const options = { now: () => NOW };
    const { decisions } = await planPrune([projects], { olderThan: '30d' }, options);
    spy.mockRestore();
    const path = join(projects, OWN, `${TASKS}.jsonl`);
    expect(decisions.find(({ candidate }) => candidate.path === path)).toMatchObject({
      action: 'keep',
      reasons: ['another file of it appeared while prune was reading; the next run decides'],
    });
  },
);
