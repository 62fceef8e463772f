import { chmod, cp, mkdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { ClaudeCodeHome, TASKS } from './claude-code-home.ts';

/** What two directories of Claude Code may have in common, and a name in it that a session of both has. */
const COMMON = {
  'file-history': `file-history/${TASKS}/0123456789abcdef@v1`,
  todos: `todos/${TASKS}-agent-${TASKS}.json`,
  tasks: `tasks/${TASKS}/1.json`,
  debug: `debug/${TASKS}.txt`,
  plans: 'plans/calm-wandering-otter.md',
  'history.jsonl': 'history.jsonl',
};
const PROJECT = 'projects/-home-u-demo-project';
let world: ClaudeCodeHome;

/** Makes another directory beside that of Claude Code, with a session of it, and links what both have there. */
async function linkTo(other: string, name: string): Promise<void> {
  const own = join(world.config, PROJECT, `${TASKS}.jsonl`);
  await mkdir(dirname(join(other, PROJECT, 'x')), { recursive: true });
  const text = (await readFile(own, 'utf8')).replaceAll(/"slug":"[^"]*",/g, '');
  await writeFile(own, text.replaceAll('"uuid":', '"slug":"calm-wandering-otter","uuid":'));
  await cp(own, join(other, PROJECT, `${TASKS}.jsonl`));
  await symlink(join(world.config, name), join(other, name));
  await world.age();
}

const read = (name: string): Promise<string> => readFile(join(world.config, name), 'utf8');

/** Of the prompts, those of the session count. */
async function isThere(name: string): Promise<boolean> {
  const text = await read(name).catch(() => undefined);
  return text !== undefined && (name !== 'history.jsonl' || text.includes(TASKS));
}

const prune = async (...args: string[]): Promise<string> => {
  const stores = ['--store', join(world.config, 'projects')];
  const { exitCode, out, err } = await world.run(
    'prune',
    ...stores,
    ...args,
    '--apply',
    '--delete',
  );
  expect(exitCode, `${err}${out}`).toBe(0);
  return out;
};

beforeEach(async () => {
  world = await ClaudeCodeHome.make();
  const line = { display: 'Hi', timestamp: 1, project: '/home/u/demo-project', sessionId: TASKS };
  for (const name of Object.values(COMMON)) {
    await mkdir(dirname(join(world.config, name)), { recursive: true });
    await writeFile(join(world.config, name), `${JSON.stringify(line)}\n`);
  }
  await world.age();
});

describe.each(Object.entries(COMMON))('%s that another directory links to', (name, part) => {
  it('goes with its session, if that is not in both', async () => {
    await linkTo(join(world.home, '.claude-work'), name);
    await rm(join(world.home, '.claude-work', PROJECT, `${TASKS}.jsonl`));
    await prune('--older-than', '30d', '--history');
    expect(await isThere(part)).toBe(false);
  });

  it('is kept while the other has the session', async () => {
    await linkTo(join(world.home, '.claude-work'), name);
    await prune('--older-than', '30d', '--history');
    expect(await isThere(`${PROJECT}/${TASKS}.jsonl`)).toBe(false);
    expect(await isThere(part)).toBe(true);
  });

  it('is kept while a third one has the session, which shares it with the second', async () => {
    await linkTo(join(world.home, '.claude-work'), name);
    const [second, third] = ['.claude-work', 'claude'].map((one) => join(world.home, one));
    await mkdir(join(third ?? '', 'projects'), { recursive: true });
    await rename(join(second ?? '', PROJECT), join(third ?? '', PROJECT));
    await mkdir(join(second ?? '', 'uploads'));
    await symlink(join(second ?? '', 'uploads'), join(third ?? '', 'uploads'));
    await prune('--older-than', '30d', '--history');
    expect(await isThere(`${PROJECT}/${TASKS}.jsonl`)).toBe(false);
    expect(await isThere(part)).toBe(true);
  });
});

describe('of a directory that is a link', () => {
  const part = COMMON['file-history'];

  beforeEach(async () => {
    const disk = join(world.home, 'disk');
    await mkdir(disk);
    await rename(world.config, join(disk, 'claude'));
    await symlink(join(disk, 'claude'), world.config);
    await linkTo(join(disk, 'claude-work'), 'file-history');
  });

  it('sidecars are kept while one beside its own place has the session', async () => {
    await prune('--older-than', '30d');
    expect(await isThere(`${PROJECT}/${TASKS}.jsonl`)).toBe(false);
    expect(await isThere(part)).toBe(true);
  });

  it('sidecars are no orphans while one beside its own place has the session', async () => {
    await rm(join(world.config, PROJECT, `${TASKS}.jsonl`));
    await prune('--orphans');
    expect(await isThere(part)).toBe(true);
    await rm(join(world.home, 'disk/claude-work', PROJECT, `${TASKS}.jsonl`));
    await prune('--orphans');
    expect(await isThere(part)).toBe(false);
  });
});

it('sidecars go beside a directory of another user, and a link in a circle', async () => {
  const closed = join(world.home, 'lost+found');
  await mkdir(closed);
  await chmod(closed, 0);
  await symlink('circle', join(world.home, 'circle'));
  await prune('--older-than', '30d');
  await chmod(closed, 0o700);
  expect(await isThere(COMMON['file-history'])).toBe(false);
});

it('no sidecar is an orphan while the session is in a directory that links to its own', async () => {
  await linkTo(join(world.home, '.claude-work'), 'file-history');
  await rm(join(world.config, PROJECT, `${TASKS}.jsonl`));
  await prune('--orphans');
  expect(await isThere(COMMON['file-history'])).toBe(true);
  await rm(join(world.home, '.claude-work', PROJECT, `${TASKS}.jsonl`));
  await prune('--orphans');
  expect(await isThere(COMMON['file-history'])).toBe(false);
});

it('a disk that does not answer, beside the directory of Claude Code, is in no way', async () => {
  await symlink('x'.repeat(300), join(world.home, 'mount'));
  await prune('--older-than', '30d');
  expect(await isThere(`${PROJECT}/${TASKS}.jsonl`)).toBe(false);
  await prune('--orphans');
});

describe('a directory that shares sidecars, and whose projects', () => {
  const part = COMMON['file-history'];

  beforeEach(async () => {
    await linkTo(join(world.home, '.claude-work'), 'file-history');
    await rename(join(world.home, '.claude-work/projects'), join(world.home, 'disk'));
  });

  it.each([
    ['are on a disk that is not mounted', 'missing'],
    ['do not answer', 'x'.repeat(300)],
  ])('%s, keeps them', async (_, target) => {
    await symlink(target, join(world.home, '.claude-work/projects'));
    await world.run('prune', '--older-than', '30d', '--apply', '--delete');
    expect(await isThere(`${PROJECT}/${TASKS}.jsonl`)).toBe(false);
    await world.run('prune', '--orphans', '--apply', '--delete');
    expect(await isThere(part)).toBe(true);
  });

  it('are gone, keeps none', async () => {
    await prune('--older-than', '30d');
    expect(await isThere(part)).toBe(false);
  });
});
