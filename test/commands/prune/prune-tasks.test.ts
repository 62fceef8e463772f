import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { ClaudeCodeHome, TASKS } from './claude-code-home.ts';

const OPEN = 'ceee9acf-0ce0-4330-a90b-97b10e7ac5cf';
let config: string;
let world: ClaudeCodeHome;

const run = (...args: string[]) => world.run(...args);
const age = () => world.age();
const listBelow = (id: string) => world.listBelow(id);

beforeEach(async () => {
  world = await ClaudeCodeHome.make();
  ({ config } = world);
});

it('keeps tasks with which the session after a `/clear` continues, also as orphans', async () => {
  const team = join(config, 'tasks', `session-${OPEN.slice(0, 8)}`);
  await mkdir(team);
  await writeFile(join(team, '.session-list'), TASKS);
  await age();
  const target = join(config, 'projects', '-home-u-demo-project', `${TASKS}.jsonl`);
  await run('prune', target, '--older-than', '30d', '--delete', '--apply');
  const tasks = await listBelow(TASKS);
  expect(tasks).toContain(`tasks/${TASKS}/1.json`);
  expect(tasks.every((name) => name.startsWith(`tasks/${TASKS}`))).toBe(true);
  await run('prune', '--orphans', '--delete', '--apply');
  expect(await listBelow(TASKS)).toEqual(tasks);
  await rm(team, { recursive: true });
  await run('prune', '--orphans', '--delete', '--apply');
  expect(await listBelow(TASKS)).toEqual([]);
});

it.each<[string, (note: string) => Promise<unknown>]>([
  ['cut off', (note) => writeFile(note, TASKS.slice(0, 9))],
  ['empty', (note) => writeFile(note, '')],
  ['of two lines', (note) => writeFile(note, `${OPEN}\n${TASKS}\n`)],
  ['a directory', (note) => mkdir(note)],
  ['a link that leads nowhere', (note) => symlink('/mnt/gone', note)],
  [
    'a link',
    async (note) => {
      await writeFile(`${note}s`, TASKS);
      await symlink(`${note}s`, note);
    },
  ],
])('keeps tasks where the note on who continues with them is %s', async (_, write) => {
  const team = join(config, 'tasks', `session-${OPEN.slice(0, 8)}`);
  await mkdir(team);
  await write(join(team, '.session-list'));
  await age();
  const target = join(config, 'projects', '-home-u-demo-project', `${TASKS}.jsonl`);
  await run('prune', target, '--older-than', '30d', '--delete', '--apply');
  await run('prune', '--orphans', '--delete', '--apply');
  expect(await listBelow(TASKS)).toContain(`tasks/${TASKS}/1.json`);
});
