import { readdir, rename, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';
import { PruneWorld } from './prune-world.ts';

const UUID = '10000000-0000-4000-8000-000000000001';

const lineOf = (sessionId: string, more: object): object[] => [
  { parentUuid: null, uuid: UUID, sessionId, timestamp: '2026-01-03T10:00:00.000Z', ...more },
];

const CASES = [
  {
    directory: '.neovate/projects/w',
    name: 'requests',
    more: { role: 'user', content: 'hi', type: 'message' },
  },
  {
    directory: '.claude/projects/-w',
    name: 'memory',
    more: { type: 'user', message: { role: 'user', content: 'hi' } },
  },
];

it.each(CASES)(
  'prune and archives leave $name/ of the agent alone, also with a session of that name',
  async ({ directory, name, more }) => {
    const home = await makeTempDir();
    const place = join(home, directory);
    const run = (...args: string[]) => runTest(args, { cwd: home, home });
    await writeFiles(place, {
      [`${name}.jsonl`]: lineOf(name, more),
      [`${name}/1.jsonl`]: '{"type":"metadata","requestId":"1"}',
    });
    for (const one of await readdir(home, { recursive: true })) {
      await utimes(join(home, one), 1_790_000_000, 1_790_000_000);
    }
    const { out } = await run(
      'prune',
      '--older-than',
      '1d',
      '--apply',
      '--archive',
      'archive',
      '--allow-empty',
      '--grace',
      '0',
    );
    expect(out).toContain('1 of 1');
    expect(await readdir(place, { recursive: true })).toEqual([name, join(name, '1.jsonl')]);
    const restored = await run('prune', '--archive', 'archive', '--restore', 'all', '--json');
    expect(restored.out).not.toContain('1.jsonl');
    expect(await readdir(place)).toContain(`${name}.jsonl`);
  },
);

it.each(CASES)(
  'prune says that a session in $name/ of the agent stays',
  async ({ directory, name, more }) => {
    const home = await makeTempDir();
    const place = join(home, directory);
    const inside = `${name}/aaaaaaaa.jsonl`;
    await writeFiles(place, {
      [`${name}.jsonl`]: lineOf(name, more),
      [inside]: lineOf('aaaaaaaa', { ...more, uuid: UUID.replace('1', '2') }),
    });
    for (const one of await readdir(home, { recursive: true })) {
      await utimes(join(home, one), 1_790_000_000, 1_790_000_000);
    }
    const args = ['--older-than', '1d', '--allow-empty', '--delete', '--apply', '--json'];
    const { out } = await runTest(['prune', ...args], { cwd: home, home });
    const { results } = JSON.parse(out) as { results: { path: string; action: string }[] };
    const actions = results.map(({ path, action }) => [path.slice(place.length + 1), action]);
    expect(Object.fromEntries(actions)).toEqual({ [`${name}.jsonl`]: 'remove', [inside]: 'keep' });
    expect(await readdir(place, { recursive: true })).toEqual([name, inside]);
  },
);

it.each([
  ['its image', undefined],
  ['its parent', '0199-aaa'],
])('prune keeps %s for a session that is named like a part of a removed one', async (_, parent) => {
  const world = await PruneWorld.make();
  await world.add('young', 2);
  const parentSession = await world.add('0199-aaa', 60);
  await world.add('x', 50);
  const proj = join(world.store, 'proj');
  await rename(join(proj, 'x.jsonl'), join(proj, 'x.json'));
  const lines = sampleSession({ id: 'x', start: '2026-01-03T10:00:00.000Z' });
  const options = { id: 'k', start: '2026-01-03T10:00:00.000Z' };
  const inside = sampleSession(
    parent === undefined ? { ...options, text: '0199-aaa/1.png' } : { ...options, parentSession },
  );
  await writeFiles(proj, {
    'x.json': JSON.stringify(lines),
    'x.jsonl': 'The notes of somebody',
    'x/k.jsonl': inside,
    '0199-aaa/1.png': 'image',
  });
  for (const name of ['x.json', 'x.jsonl', 'x/k.jsonl', 'x', '0199-aaa/1.png', '0199-aaa']) {
    await world.touch(`proj/${name}`, 50);
  }
  const found = await world.prune('--older-than', '30d', '--delete', '--apply');
  expect(found).toMatchObject({
    x: 'remove: older than 30d',
    k: 'keep: is named like a part of another session, but is not one',
    '0199-aaa': `keep: ${parent === undefined ? 'a kept session refers to its files' : 'parent of a kept fork'}`,
  });
  expect(await world.names()).toContain('proj/0199-aaa/1.png');
});
