import { readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleSession } from '../../sample-session.ts';
import { writeFiles } from '../../temp-dir.ts';
import { BRANCH, ClaudeCodeHome, type PruneAnswer, TASKS, TOOLS } from './claude-code-home.ts';
import { PruneWorld } from './prune-world.ts';

const PROJECT = '.claude/projects/-home-u-demo-project';
const MEMBER = `b_${TOOLS}-0123456789abcdef01234567.tar.gz`;

let world: ClaudeCodeHome;

beforeEach(async () => {
  world = await ClaudeCodeHome.make();
});

/** What is done with each session, by id. */
async function prune(...args: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const { out, err } = await world.run('prune', '--json', '--delete', ...args);
  if (out === '') throw new Error(err);
  const { results } = JSON.parse(out) as { results: readonly PruneAnswer[] };
  return Object.fromEntries(
    results.map(({ id, action, reasons }) => [id, `${action}: ${reasons.join(', ')}`]),
  );
}

describe('what somebody keeps in a directory of a session', () => {
  const all = ['--larger-than', '1B', '--allow-empty', '--include-parents'];

  it.each([
    ['an archive', `${PROJECT}/${TOOLS}/old/index.ndjson`],
    ['a member of an archive', `${PROJECT}/${TOOLS}/tool-results/${MEMBER}`],
    ['an archive beside uploads', `.claude/uploads/${TOOLS}/index.ndjson`],
    ['an export', `${PROJECT}/${TOOLS}/subagents/.coppice-export-1of4.json`],
    ['a file that the client does not write', `${PROJECT}/${TOOLS}/notes.md`],
    ['a directory that the client does not make', `${PROJECT}/${TOOLS}/notes/a.txt`],
  ])('protects the session: %s', async (_, name) => {
    await writeFiles(world.home, { [name]: 'mine' });
    await world.age();
    const found = await prune(...all, '--apply');
    const shown = name.slice('.claude/'.length);
    expect(found[TOOLS]).toBe(`keep: ${shown} may be somebody's own`);
    expect(found[TASKS]).toMatch(/^remove: /);
    await rename(join(world.home, name), join(world.home, 'mine'));
    await world.age();
    expect((await prune(...all))[TOOLS]).toMatch(/^remove: /);
  });

  it('is nothing that a file manager leaves there', async () => {
    await writeFiles(world.home, { [`${PROJECT}/${TOOLS}/.DS_Store`]: 'icons' });
    await world.age();
    expect((await prune(...all, '--apply'))[TOOLS]).toMatch(/^remove: /);
  });

  it('protects sidecars without a session', async () => {
    await rm(join(world.home, PROJECT, `${TASKS}.jsonl`));
    await rm(join(world.home, PROJECT, `${BRANCH}.jsonl`));
    await writeFiles(world.home, {
      [`${PROJECT}/${TASKS}/notes.md`]: 'mine',
      [`.claude/file-history/${BRANCH}/index.ndjson`]: '',
    });
    await world.age();
    const found = await prune('--orphans', '--apply');
    expect(found[TASKS]).toBe(
      `keep: projects/-home-u-demo-project/${TASKS}/notes.md may be somebody's own`,
    );
    expect(found[BRANCH]).toBe(`keep: file-history/${BRANCH}/index.ndjson may be somebody's own`);
    expect(await readdir(join(world.home, PROJECT, TASKS))).toContain('notes.md');
  });

  it('protects a session of pi, whose extensions may write other files there', async () => {
    const pi = await PruneWorld.make();
    await pi.add('0199a3f1', 50);
    await pi.add('0199a3f2', 50);
    await writeFiles(join(pi.store, 'proj'), {
      '0199a3f1/old/index.ndjson': '',
      '0199a3f2/plan.md': 'of an extension',
    });
    for (const name of ['f1', 'f1/old', 'f1/old/index.ndjson', 'f2', 'f2/plan.md']) {
      await pi.touch(`proj/0199a3${name}`, 50);
    }
    expect(await pi.prune('--older-than', '30d', '--allow-empty')).toEqual({
      '0199a3f1': "keep: 0199a3f1/old/index.ndjson may be somebody's own",
      '0199a3f2': 'remove: older than 30d',
    });
  });
});

describe('a place in a directory of a session is refused', () => {
  const folder = `${PROJECT}/${TOOLS}`;

  it.each([
    ['prune', '--older-than', '1d', '--archive', `${folder}/old`],
    ['prune', '--older-than', '1d', '--apply', '--archive', folder],
    ['prune', '--older-than', '1d', '--plan-out', `${folder}/plan.ndjson`],
    ['export', '--as', 'archive', '--no-redact', '--out', `${folder}/a/b`],
    ['export', '--as', 'md', '--out', `${folder}/md`],
    ['export', '--as', 'parquet', '--out', `.claude/uploads/${TOOLS}`],
    ['fork', TOOLS, '--out', `${folder}/forks`],
    ['migrate', '--apply', '--out', `${folder}/new`],
    ['validate', '--output-file', `${folder}/findings.txt`],
  ])('%s %s %s %s %s', async (...argv) => {
    const before = await readdir(world.config, { recursive: true });
    const { exitCode, err } = await world.run(...argv);
    expect([exitCode, err]).toEqual([
      2,
      expect.stringContaining('is in the folder of a session, and would be removed with it'),
    ]);
    expect(await readdir(world.config, { recursive: true })).toEqual(before);
  });

  it('but an archive that is there is read', async () => {
    await world.run('export', '--as', 'archive', '--no-redact', '--out', 'archive');
    await rename(join(world.home, 'archive'), join(world.home, folder, 'archive'));
    for (const how of [['--list'], ['--check'], ['--restore', 'all']]) {
      const { exitCode, err } = await world.run('prune', '--archive', `${folder}/archive`, ...how);
      expect([exitCode, err]).not.toEqual([2, expect.stringContaining('folder of a session')]);
    }
  });
});

it('prune does not use a trash in a directory of a session', async () => {
  const pi = await PruneWorld.make();
  await pi.add('0199a3f1', 50);
  const { exitCode, err } = await pi.run(
    ['--store', 'store', '--older-than', '30d', '--apply', '--allow-empty'],
    { env: { XDG_DATA_HOME: join(pi.store, 'proj/0199a3f1') } },
  );
  expect([exitCode, err]).toEqual([2, expect.stringContaining('the trash: is in the folder of')]);
  expect(await pi.names()).toContain('proj/0199a3f1.jsonl');
});

it('takes the place of a session of any name', async () => {
  const pi = await PruneWorld.make();
  await pi.add('x', 50);
  await pi.add('work', 50);
  await writeFiles(join(pi.store, 'proj'), {
    'work/main.c': 'int main',
    'x.json': sampleSession(),
  });
  const run = (out: string) =>
    pi.run(['--store', 'store', '--older-than', '30d', '--archive', out]);
  expect((await run('store/proj/x/old')).exitCode).toBe(2);
  expect((await run('store/proj/work/old')).exitCode).toBe(0);
  expect((await run('store/proj/xy/old')).exitCode).toBe(0);
});

it('restores sessions from an archive in their own store', async () => {
  const before = (await readdir(world.config, { recursive: true })).toSorted();
  const archive = join(world.config, 'projects/old');
  const all = ['--larger-than', '1B', '--allow-empty', '--include-parents', '--apply'];
  expect((await world.run('prune', '--archive', archive, ...all)).exitCode).toBe(0);
  expect((await world.listBelow(TASKS)).length).toBe(1);
  const { err } = await world.run('prune', '--archive', archive, '--restore', 'all');
  expect(err).toBe('');
  await rm(archive, { recursive: true });
  expect((await readdir(world.config, { recursive: true })).toSorted()).toEqual(before);
});

describe('prune of a store around a trash', () => {
  it.each([
    ['coppice put there', '0199a3f1-0000-7000-8000-000000000002.2d41323c547d/task.jsonl'],
    ['a file manager put there', 'task.jsonl'],
  ])('keeps what %s, which takes no place among the last', async (_, name) => {
    if (process.platform !== 'linux') return;
    const store = await PruneWorld.make();
    await store.add('mine', 50);
    const [item = ''] = name.split('/');
    const [file, note] = [`Trash/files/${name}`, `Trash/info/${item}.trashinfo`];
    await writeFiles(store.store, {
      [file]: sampleSession({ id: 'task', cwd: '/home/dev/shop' }),
      [note]: '[Trash Info]\n',
    });
    await store.touch(file, 40);
    const answer = await store.prune(
      '--keep-last',
      '1',
      '--group-by',
      'none',
      '--delete',
      '--apply',
    );
    expect(answer).toEqual({ mine: 'keep: last 1', task: 'keep: is in a trash' });
  });
});
