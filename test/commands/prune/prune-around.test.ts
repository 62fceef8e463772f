import { existsSync, mkdirSync, renameSync } from 'node:fs';
import {
  appendFile,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { planPrune } from '../../../src/library/functions/prune.ts';
import { NOW, runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeOld, makeTempDir, writeFiles } from '../../temp-dir.ts';

const DAY = 24 * 60 * 60 * 1000;
const [SOURCE, FORK] = ['a', 'b'].map((one) => `${one.repeat(8)}-1111-4111-8111-111111111111`);
const OLDER = ['--older-than', '30d', '--allow-empty'];

let home: string;

beforeEach(async () => {
  home = await makeTempDir();
});

/** A session of pi, last active so many days ago. */
async function addPi(name: string, days: number, parentSession?: string): Promise<string> {
  const start = new Date(NOW - days * DAY).toISOString();
  const parent = parentSession === undefined ? {} : { parentSession };
  return add(name, days, sampleSession({ id: name.replace(/.*\//, ''), start, ...parent }));
}

async function addClaude(name: string, days: number, forkedFrom?: object): Promise<string> {
  const line = {
    parentUuid: null,
    isSidechain: false,
    cwd: '/w',
    sessionId: name.replace(/.*\//, ''),
    forkedFrom,
    type: 'user',
    message: { role: 'user', content: 'prompt' },
    // Sessions with one line of the same id have it from each other.
    uuid: `prompt of ${name}`,
    timestamp: new Date(NOW - days * DAY).toISOString(),
  };
  return add(name, days, [line]);
}

async function addNeovate(name: string, days: number, forkedFrom?: object): Promise<string> {
  const line = {
    parentUuid: null,
    uuid: '10000000-0000-4000-8000-000000000001',
    role: 'user',
    content: 'prompt',
    type: 'message',
    timestamp: new Date(NOW - days * DAY).toISOString(),
    sessionId: name.replace(/.*\//, ''),
    forkedFrom,
  };
  return add(name, days, [line]);
}

async function add(name: string, days: number, lines: readonly object[]): Promise<string> {
  await writeFiles(home, { [`${name}.jsonl`]: lines });
  const path = join(home, `${name}.jsonl`);
  await utimes(path, (NOW - days * DAY) / 1000, (NOW - days * DAY) / 1000);
  return path;
}

/** The answer about each target: its action and the reasons. */
async function prune(...args: readonly string[]): Promise<readonly string[]> {
  const { out, err } = await runTest(['prune', '--json', ...args], { cwd: home, home });
  if (out === '') throw new Error(err);
  const { results } = JSON.parse(out) as {
    results: readonly { action?: string; reasons: readonly string[] }[];
  };
  const told = results.filter(({ action }) => action !== undefined);
  return told.map(({ action, reasons }) => `${action}: ${reasons.join(', ')}`);
}

/** A session in one project of a store, and a young fork of it in another; returns the first project. */
const FORKS = {
  pi: async (store: string) => {
    const source = await addPi(`${store}/sessions/--a--/source`, 90);
    await addPi(`${store}/sessions/--b--/fork`, 5, source);
    return dirname(source);
  },
  'Claude Code': async (store: string) => {
    const source = await addClaude(`${store}/projects/-a/${SOURCE}`, 90);
    await addClaude(`${store}/projects/-b/${FORK}`, 5, {
      sessionId: SOURCE,
      messageUuid: '10000000-0000-4000-8000-000000000001',
    });
    return dirname(source);
  },
  Neovate: async (store: string) => {
    const source = await addNeovate(`${store}/.neovate/projects/a/aaaaaaaa`, 90);
    await addNeovate(`${store}/.neovate/projects/b/bbbbbbbb`, 5, {
      sessionId: 'aaaaaaaa',
      messageUuid: '10000000-0000-4000-8000-000000000001',
    });
    return dirname(source);
  },
};

describe.each(Object.entries(FORKS))(
  'prune of one project of %s, a store of its own, keeps what forks in other projects need',
  (_, make) => {
    it('in a copy of a store', async () => {
      expect(await prune('--store', await make('backup'), ...OLDER)).toEqual([
        'keep: not older than 30d, as forks of it are newer',
      ]);
    });

    it('behind a link', async () => {
      const project = await make('backup');
      await symlink(join(home, 'backup'), join(home, 'link'));
      const named = project.replace('backup', 'link');
      expect(await prune('--store', named, ...OLDER)).toEqual([
        'keep: not older than 30d, as forks of it are newer',
      ]);
    });

    it('in a target', async () => {
      expect(await prune(await make('backup'), ...OLDER)).toEqual([
        'keep: not older than 30d, as forks of it are newer',
      ]);
    });

    it('in a directory that cannot be read', async () => {
      const project = await make('backup');
      const store = dirname(project);
      const others = (await readdir(store)).filter((name) => name !== basename(project));
      const [other = ''] = others.map((name) => join(store, name));
      await rm(other, { recursive: true });
      // It leads to itself.
      await symlink(other, other);
      const reason = `keep: ${other} cannot be read, and may hold forks of it`;
      for (const where of [['--store', store], ['--store', project], [project]]) {
        expect(await prune(...where, ...OLDER)).toEqual([reason]);
      }
    });

    it.each([
      ['', false],
      [' beside one with the name that it seems to have', true],
    ])('in a directory whose name is not UTF-8%s', async (_kind, isBeside) => {
      // Elsewhere, names are text.
      if (process.platform !== 'linux') return;
      const project = await make('backup');
      const store = dirname(project);
      const other = (await readdir(store)).find((name) => name !== basename(project)) ?? '';
      const odd = Buffer.concat([Buffer.from(join(store, other)), Buffer.from([0xff])]);
      await rename(join(store, other), odd);
      if (isBeside) await mkdir(odd.toString());
      const reason = `keep: ${odd.toString()} cannot be read, and may hold forks of it`;
      expect(await prune('--store', store, ...OLDER)).toEqual([reason]);
      // It could not be cleared away.
      await rename(odd, join(store, other));
    });

    it('while they move to another one, after their old place was listed', async () => {
      const project = await make('backup');
      const store = dirname(project);
      const other = (await readdir(store)).find((name) => name !== basename(project)) ?? '';
      const [from, to] = [join(store, other), join(store, '-0')];
      const onFound = () => existsSync(from) && renameSync(from, to);
      const args = ['prune', '--store', store, ...OLDER, '--json', '--delete', '--apply'];
      const { out, exitCode } = await runTest(args, { cwd: home, home, onFound });
      expect(exitCode).toBe(0);
      expect(out).toContain('"not older than 30d, as forks of it are newer"');
      expect((await readdir(store)).toSorted()).toEqual(['-0', basename(project)].toSorted());
    });

    it('in the library', async () => {
      const project = await make('backup');
      const rules = { olderThan: '30d', allowEmpty: true };
      const { decisions } = await planPrune([project], rules, { now: () => NOW });
      expect(decisions.map(({ action }) => action)).toEqual(['keep']);
    });
  },
);

it.each([
  ['--older-than', OLDER],
  ['--keep-last', ['--keep-last', '1', '--older-than', '30d']],
])(
  'prune %s keeps what a session names that moves to another project while prune reads',
  async (_, rules) => {
    const source = await addClaude(`.claude/projects/-a/${SOURCE}`, 90);
    const output = `.claude/projects/-a/${SOURCE}/tool-results/one.txt`;
    await writeFiles(home, { [output]: 'long' });
    await makeOld([join(home, output)]);
    await addClaude('.claude/projects/-a/cccccccc-1111-4111-8111-111111111111', 6);
    const path = await addClaude(`.claude/projects/-b/${FORK}`, 5);
    const line = { type: 'summary', summary: join(home, output), leafUuid: 'x' };
    await appendFile(path, `${JSON.stringify(line)}\n`);
    await utimes(path, NOW / 1000 - 5 * 86_400, NOW / 1000 - 5 * 86_400);
    const [from, to] = [dirname(path), join(home, '.claude/projects/-0')];
    const onFound = () => existsSync(from) && renameSync(from, to);
    const args = ['prune', ...rules, '--json', '--delete', '--apply'];
    const { out } = await runTest(args, { cwd: home, home, onFound });
    expect(out).toContain('"a kept session refers to its files"');
    expect(existsSync(source)).toBe(true);
  },
);

it.each([
  ['Claude Code', addClaude, '.claude/projects/-', [SOURCE, FORK]],
  ['Neovate', addNeovate, '.neovate/projects/', ['aaaaaaaa', 'bbbbbbbb']],
])(
  'a fork of %s has its lines from each session of the id that it names, in whatever project',
  async (_, put, store, [source = '', fork]) => {
    await put(`${store}a/${source}`, 100);
    // Such as the copy of a project that moved: it went on there, and its fork is in the first place.
    await put(`${store}b/${source}`, 90);
    await put(`${store}a/${fork}`, 5, {
      sessionId: source,
      messageUuid: '10000000-0000-4000-8000-000000000001',
    });
    expect(await prune(...OLDER)).toEqual([
      'keep: not older than 30d',
      'keep: not older than 30d, as forks of it are newer',
      'keep: not older than 30d, as forks of it are newer',
    ]);
    await put(`${store}c/${source}x`, 90);
    expect(await prune(...OLDER)).toContain('remove: older than 30d');
  },
);

describe('prune is not held up by a directory that cannot be read', () => {
  const REMOVED = ['remove: older than 30d'];
  /** A link that leads to itself. */
  const block = (name: string) => symlink(basename(name), join(home, name));

  it.each([
    ['projects of a user', () => addClaude(`projects/saved/${SOURCE}`, 90), 'projects/app'],
    ['projects of a user, with Neovate', () => addNeovate('projects/s/aaaaaaaa', 90), 'projects/b'],
    ['a directory of pi in the home directory', () => addPi('--a--/one', 90), 'data'],
  ])('beside a session among %s', async (_, make, place) => {
    const directory = dirname(await make());
    await block(place);
    expect(await prune('--store', directory, ...OLDER)).toEqual(REMOVED);
  });

  it('in the store of another agent', async () => {
    await addPi('.pi/agent/sessions/--a--/one', 90);
    await mkdir(join(home, '.claude/projects'), { recursive: true });
    await block('.claude/projects/-w');
    expect(await prune(...OLDER)).toEqual(REMOVED);
  });

  it('in the folder of another session', async () => {
    await addClaude(`.claude/projects/-a/${SOURCE}`, 5);
    await addClaude(`.claude/projects/-a/${FORK}`, 90);
    await mkdir(join(home, `.claude/projects/-a/${SOURCE}`));
    await block(`.claude/projects/-a/${SOURCE}/tool-results`);
    expect(await prune(...OLDER)).toEqual([expect.stringContaining('is a link'), ...REMOVED]);
  });
});

it.runIf(process.platform === 'linux')(
  'keeps all beside a directory that cannot be read, where a variable names the store from here, too',
  async () => {
    const names = [SOURCE, FORK].map((id) => `work/projects/-a/${id}`);
    for (const name of names) await addClaude(name, 90);
    mkdirSync(Buffer.from(`${home}/work/projects/-\xff`, 'latin1'));
    const env = { CLAUDE_CONFIG_DIR: 'work' };
    const { out } = await runTest(['prune', '--json', ...OLDER], { cwd: home, home, env });
    const { results } = JSON.parse(out) as {
      results: readonly { action?: string; path: string }[];
    };
    const told = results.filter(({ action }) => action !== undefined);
    expect(told.map(({ action, path }) => `${action} ${path}`)).toEqual(
      names.map((name) => `keep ${home}/${name}.jsonl`),
    );
  },
);

it.each([
  ['a', 'a/--b--'],
  ['a/--b--', 'a'],
])('empties neither of two stores of which one is in the other: %s, %s', async (...stores) => {
  await addPi('a/--a--/one', 90);
  await addPi('a/--a--/two', 80);
  await addPi('a/--b--/inner', 95);
  const args = ['--older-than', '30d', ...stores.flatMap((store) => ['--store', store])];
  const last = 'keep: the last session of its store (--allow-empty)';
  expect(await prune(...args)).toEqual([last, 'remove: older than 30d', last]);
});

describe('a plan', () => {
  it('removes nothing where a store cannot be read any more', async () => {
    await addPi('a/--a--/source', 90);
    await mkdir(join(home, 'a/--b--'));
    await prune('--store', 'a', ...OLDER, '--plan-out', 'plan');
    await rmdir(join(home, 'a/--b--'));
    await symlink('--b--', join(home, 'a/--b--'));
    expect(await prune('--plan', 'plan', '--delete', '--apply')).toEqual([
      `keep: ${join(home, 'a/--b--')} cannot be read, and may hold forks of it`,
    ]);
  });

  it('keeps a session whose working directory is there again', async () => {
    const [gone, back] = [join(home, 'gone'), join(home, 'back')];
    for (const cwd of [gone, back]) {
      const name = `a/--a--/${basename(cwd)}`;
      await add(name, 90, sampleSession({ id: basename(cwd), start: '2025-01-01T00:00:00Z', cwd }));
    }
    await prune('--store', 'a', '--missing-cwd', '--allow-empty', '--plan-out', 'plan');
    await mkdir(back);
    expect((await prune('--plan', 'plan', '--delete', '--apply')).toSorted()).toEqual([
      'remove: its working directory is gone',
      'skip: its working directory is there again',
    ]);
    expect(existsSync(join(home, 'a/--a--/gone.jsonl'))).toBe(false);
    expect(existsSync(join(home, 'a/--a--/back.jsonl'))).toBe(true);
  });

  it('needs no store that is gone and held nothing of it', async () => {
    const source = await addPi('a/--a--/source', 90);
    await mkdir(join(home, 'b'));
    await prune('--store', 'a', '--store', 'b', ...OLDER, '--plan-out', 'plan');
    await rmdir(join(home, 'b'));
    expect(await prune('--plan', 'plan', '--delete', '--apply')).toEqual([
      'remove: older than 30d',
    ]);
    expect(await readdir(dirname(source))).toEqual([]);
  });

  it.each([
    ['is gone', 'is gone, and held sessions'],
    // As the place where a disk is not mounted any more.
    ['is empty', 'has no sessions, and held some'],
  ])('is refused where a store %s that held sessions of which it names none', async (what, why) => {
    const source = await addPi('a/--a--/source', 90);
    await addPi('b/--b--/fork', 90, source);
    await addPi('b/--b--/other', 5);
    await prune('--store', 'a', '--store', 'b', ...OLDER, '--plan-out', 'plan');
    const lines = (await readFile(join(home, 'plan'), 'utf8')).split('\n');
    const isFork = (line: string): boolean => line.includes('/fork.jsonl');
    await writeFile(join(home, 'plan'), lines.filter((line) => !isFork(line)).join('\n'));
    await rename(join(home, 'b'), join(home, 'unmounted'));
    if (what === 'is empty') await mkdir(join(home, 'b'));
    const args = ['prune', '--plan', 'plan', '--delete', '--apply'];
    const { err, exitCode } = await runTest(args, { cwd: home, home });
    expect(err).toContain(`/b ${why} when the plan was made`);
    expect(exitCode).toBe(2);
    expect(await readdir(dirname(source))).toEqual(['source.jsonl']);
  });

  it('reads stores again that had nothing to remove', async () => {
    const source = await addPi('a/--a--/source', 90);
    await addPi('a/--a--/other', 90);
    await mkdir(join(home, 'b'));
    const stores = ['--store', 'a', '--store', 'b'];
    await prune(...stores, 'source', ...OLDER, '--plan-out', 'plan');
    await addPi('b/fork', 5, source);
    expect(await prune('--plan', 'plan', '--delete', '--apply')).toContain(
      'keep: parent of a kept fork',
    );
    expect(await readdir(dirname(source))).toContain('source.jsonl');
  });
});

describe.each([
  ['Claude Code', () => addClaude(`.claude/projects/-a/${SOURCE}`, 90), '.claude/projects'],
  ['Claude Code, in a copy', () => addClaude(`copy/projects/-a/${SOURCE}`, 90), 'copy/projects'],
  ['Neovate', () => addNeovate('.neovate/projects/a/aaaaaaaa', 90), '.neovate/projects'],
])('a session of %s that is reached past a link of another name', (_, make, store) => {
  it.each([
    ['to the store', (path: string) => dirname(dirname(path))],
    ['to the project', dirname],
  ])('%s is kept, since its sidecars are around the real path', async (_kind, toTarget) => {
    const path = await make();
    await symlink(toTarget(path), join(home, 'link'));
    const why = `its agent reaches it by another path; name it as ${path}`;
    expect(await prune('--store', 'link', ...OLDER)).toEqual([`keep: ${why}`]);
    expect(await prune('link', ...OLDER)).toEqual([`keep: ${why}`]);
    expect(await prune('--store', store, ...OLDER)).toEqual(['remove: older than 30d']);
    const backup = ['export', '--as', 'archive', '--out', 'ar', '--store', 'link', '--json'];
    const { out, exitCode } = await runTest(backup, { cwd: home, home });
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ results: [{ action: 'skip', reasons: [why] }] });
  });
});
