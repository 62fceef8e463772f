import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

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
