import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeOld, writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

it('a plan for the stores of the agents keeps a parent for a fork in one that has come since', async () => {
  const world = await PruneWorld.make();
  const options = { home: world.dir, env: { PI_CODING_AGENT_SESSION_DIR: world.store } };
  const parentSession = await world.add('parent', 60);
  await world.add('plain', 70);
  await world.run(['--older-than', '10d', '--allow-empty', '--plan-out', 'p'], options);
  const fork = sampleSession({ id: 'fork', parentSession });
  await writeFiles(join(world.dir, '.claude/projects/p'), { 'fork.jsonl': fork });
  const { out } = await world.run(['--plan', 'p', '--delete', '--apply'], options);
  expect(out).toContain('parent of a kept fork');
  expect(await world.names()).toEqual(['proj', 'proj/parent.jsonl']);
});

it.each([
  ['settings', '.pi/agent/settings.json', {}],
  ['environment', '.pi/agent/other.json', { PI_CODING_AGENT_SESSION_DIR: 'moved' }],
])(
  'a plan for the stores of the agents keeps a parent for a fork where the %s put them since',
  async (_, settings, variables) => {
    const world = await PruneWorld.make();
    const own = join(world.dir, '.pi/agent/sessions/--w--');
    const at = (days: number) => new Date(NOW - days * 86_400_000).toISOString();
    await writeFiles(own, { 'parent.jsonl': sampleSession({ id: 'parent', start: at(60) }) });
    await makeOld([join(own, 'parent.jsonl')]);
    const parentSession = join(own, 'parent.jsonl');
    const [home, cwd] = [world.dir, world.dir];
    const older = ['--older-than', '10d', '--allow-empty', '--plan-out', join(home, 'p')];
    await runTest(['prune', ...older], { home, cwd });
    const fork = sampleSession({ id: 'fork', parentSession, start: at(5) });
    await writeFiles(home, { 'moved/fork.jsonl': fork });
    await writeFile(join(home, settings), JSON.stringify({ sessionDir: join(home, 'moved') }));
    const env = Object.fromEntries(
      Object.entries(variables).map(([name, place]) => [name, join(home, place)]),
    );
    const args = ['prune', '--plan', join(home, 'p'), '--delete', '--apply'];
    const { out } = await runTest(args, { home, cwd, env });
    expect(out).toContain('parent of a kept fork');
    expect(existsSync(parentSession)).toBe(true);
    const limited = ['prune', '--store', '.pi/agent/sessions', ...older];
    await runTest(limited, { home, cwd, env });
    await runTest(args, { home, cwd, env });
    expect(existsSync(parentSession)).toBe(false);
  },
);

it('a plan does not remove what the configuration keeps by its id', async () => {
  const world = await PruneWorld.make();
  const options = { home: world.dir, env: { PI_CODING_AGENT_SESSION_DIR: world.store } };
  await world.add('kept', 60);
  await world.add('plain', 70);
  await world.run(['--older-than', '10d', '--allow-empty', '--plan-out', 'p'], options);
  await writeFiles(world.dir, {
    '.config/coppice/config.json': [{ prune: { 'keep-id': ['kept'] } }],
  });
  const { out } = await world.run(['--plan', 'p', '--delete', '--apply'], options);
  expect(out).toContain('by id');
  expect(await world.names()).toEqual(['proj', 'proj/kept.jsonl']);
});

it('a plan for a file in no store is still good once the folder of the session is gone with it', async () => {
  const world = await PruneWorld.make();
  await world.add('plain', 70);
  await writeFiles(join(world.store, 'proj/plain'), {
    'part.jsonl': sampleSession({ id: 'part' }),
  });
  await makeOld([join(world.store, 'proj/plain/part.jsonl'), join(world.store, 'proj/plain')]);
  const target = world.path('plain');
  await world.add('other', 70);
  await world.run([target, '--older-than', '10d', '--plan-out', 'p']);
  for (const removed of [2, 0]) {
    const { out, exitCode } = await world.run(['--plan', 'p', '--delete', '--apply']);
    expect([exitCode, out]).toEqual([0, expect.stringContaining(`Removed ${removed} of`)]);
  }
  expect(await world.names()).toEqual(['proj', 'proj/other.jsonl']);
});

it.each([
  ['--plan-out', '-', '--plan-out -: needs a file; to name one of that name, write ./-'],
  ['--plan-out', '/dev/stdout', '--plan-out /dev/stdout: not an ordinary file; name another'],
  ['--plan', '-', '--plan -: needs a file; to name one of that name, write ./-'],
])('a plan is a file, and no stream: %s %s', async (option, file, message) => {
  const world = await PruneWorld.make();
  await world.add('plain', 70);
  const rules = option === '--plan' ? [] : ['--older-than', '10d', '--allow-empty'];
  const options = { home: world.dir, env: { PI_CODING_AGENT_SESSION_DIR: world.store } };
  const { exitCode, err } = await world.run([...rules, option, file], options);
  expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
  expect(await world.names()).toEqual(['proj', 'proj/plain.jsonl']);
});

it('a plan may take the place of an empty file', async () => {
  const world = await PruneWorld.make();
  await world.add('plain', 70);
  await writeFiles(world.dir, { p: '' });
  const argv = ['--older-than', '10d', '--allow-empty', '--plan-out', 'p'];
  const options = { home: world.dir, env: { PI_CODING_AGENT_SESSION_DIR: world.store } };
  expect(await world.run(argv, options)).toMatchObject({ exitCode: 0 });
});

it('a plan makes the directory that it is written to', async () => {
  const world = await PruneWorld.make();
  await world.add('plain', 70);
  const argv = ['--store', 'store', '--older-than', '10d', '--allow-empty'];
  const file = join('new', 'below', 'p');
  const done = await world.run([...argv, '--plan-out', file]);
  expect(done).toMatchObject({ exitCode: 0, err: '' });
  const { out } = await world.run(['--plan', file]);
  expect(out).toContain('Would remove 1 of 1 session');
});

it('nothing is read for a plan that would replace another file', async () => {
  const world = await PruneWorld.make();
  await world.add('plain', 70);
  await writeFiles(world.dir, { p: 'precious' });
  const { err } = await world.run(['--older-than', '10d', '--plan-out', 'p', '--store', 'none']);
  expect(err).toContain('already exists, and is not a plan; name another file');
});

it('a plan keeps the last session of a store, also where another one of it has changed since', async () => {
  const world = await PruneWorld.make();
  const day = 86_400_000;
  const at = (days: number): string => new Date(NOW - days * day).toISOString();
  const id = 'a1b2c3d4';
  const elsewhere = join(world.dir, 'elsewhere');
  await world.add(id, 50);
  await world.add('changed', 60);
  const other = await world.add('other', 5);
  await writeFiles(world.store, { [`proj/${id}/1.png`]: 'image' });
  const text = `See ${id}/1.png`;
  await writeFiles(elsewhere, {
    'proj/copy.jsonl': sampleSession({ id: 'copy', start: at(70), text }),
    'proj/young.jsonl': sampleSession({ id: 'young', start: at(5) }),
  });
  const images = [join(world.store, 'proj', id, '1.png'), join(world.store, 'proj', id)];
  await makeOld([...images, join(elsewhere, 'proj/copy.jsonl')]);
  const args = ['--store', 'store', '--store', elsewhere, '--older-than', '10d'];
  await world.run([...args, '--plan-out', 'p']);
  const plan = join(world.dir, 'p');
  const lines = (await readFile(plan, 'utf8')).split('\n');
  expect(lines.filter((line) => line.includes('/copy.jsonl'))).toHaveLength(1);
  await writeFile(plan, lines.filter((line) => !line.includes('/copy.jsonl')).join('\n'));
  await rm(other);
  await world.touch('proj/changed.jsonl', 40);
  const { out } = await world.run(['--plan', 'p', '--delete', '--apply']);
  expect(out).toContain('the last session of its store');
  expect(out).toContain('changed since it was planned');
  expect(await world.names()).toContain(`proj/${id}/1.png`);
});
