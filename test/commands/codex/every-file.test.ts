import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

/** One that every session fits, so that only its presence can change what is found. */
const SELECTOR = ['--newer-than', '1990-01-01'];

let home = '';

beforeEach(async () => {
  home = await makeTempDir();
  // A thread of two files, one with a sub-agent, and others.
  cpSync(join(FIXTURES, 'home'), join(home, '.codex'), { recursive: true });
  // An array, and the session that `migrate` has made of it.
  const header = { type: 'session', id: 'arr-1', timestamp: 1_700_000_000_000, cwd: '/p' };
  const entry = {
    type: 'message',
    id: 'a',
    parentId: null,
    message: { role: 'user', content: 'Hi' },
  };
  const started = { ...header, version: 3, timestamp: '2026-01-01T00:00:00.000Z' };
  await writeFiles(home, {
    '.pi/agent/sessions/--p--/arr-1.json': JSON.stringify([header, entry]),
    '.pi/agent/sessions/--p--/arr-1.jsonl': [started, { ...entry, timestamp: started.timestamp }],
  });
});

const list = async (...argv: readonly string[]): Promise<readonly string[]> => {
  const { out } = await runTest([...argv, '--json'], { cwd: home, home, env: {} });
  const { results } = JSON.parse(out) as { results: readonly { path: string }[] };
  return results.map(({ path }) => path).toSorted();
};

describe.each([['validate'], ['migrate']])('%s, of sessions that a selector chooses', (command) => {
  it('looks at every file of them, in every shard', async () => {
    const every = await list(command);
    expect(every.some((path) => path.endsWith('arr-1.json'))).toBe(true);
    expect(every.length).toBeGreaterThan(9);
    expect(await list(command, ...SELECTOR)).toEqual(every);
    const shards = await Promise.all(
      ['1/3', '2/3', '3/3'].map((shard) => list(command, ...SELECTOR, '--shard', shard)),
    );
    expect(shards.flat().toSorted()).toEqual(every);
  });
});

it.each([['validate'], ['migrate'], ['migrate', '--cwd', '/home/u2=/home/u3']])(
  '%s leaves a session alone of which only a sub-agent is chosen',
  async (...argv) => {
    const [subagent, ...others] = await list('list', '--agent', 'codex', '--source', 'subagent');
    expect(others).toEqual([]);
    expect(await list(...argv, '--source', 'subagent')).toEqual([subagent]);
  },
);

describe('of the files of a directory,', () => {
  const listIn = (directory: string, ...argv: readonly string[]) => {
    const [command = '', ...options] = argv;
    return list(command, join(home, directory), ...options);
  };
  const everywhere = ['.codex', '.pi'];

  it.each([
    ['export', '--dry-run', '--out', 'pages', '--as', 'text'],
    ['fork', '--dry-run'],
  ])('%s takes those that a listing shows', async (...argv) => {
    for (const store of everywhere) {
      const every = await listIn(store, ...argv);
      expect(every).toHaveLength((await listIn(store, 'list')).length);
      expect(await listIn(store, ...argv, ...SELECTOR)).toHaveLength(every.length);
    }
  });

  it('list --info and --entries show the one of a session of several files', async () => {
    const [info] = await listIn('.pi', 'list', '--info');
    expect(info).toMatch(/arr-1\.jsonl$/);
    expect(await listIn('.pi', 'list', '--entries')).toHaveLength(1);
  });

  it('fork --points takes those that a listing shows', async () => {
    expect(await listIn('.codex', 'fork', '--points')).toEqual(
      await listIn('.codex', 'fork', '--points', ...SELECTOR),
    );
  });

  it('migrate --cwd takes every file of the sessions that a selector chooses', async () => {
    const move = ['migrate', '--cwd', '/home/u2=/home/u3'];
    const every = await listIn('.codex', ...move);
    expect(every.length).toBeGreaterThan(8);
    expect(await listIn('.codex', ...move, ...SELECTOR)).toEqual(every);
  });
});
