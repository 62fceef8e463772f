import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { FIXTURES, copyHome } from '../../session/agents/codex/corpus.ts';

interface Listed {
  readonly path: string;
  readonly id: string;
  readonly name?: string | null;
  /** Those that a thread began. */
  readonly subagents?: readonly Listed[];
}

/** Lists a home that was recorded with its databases, after a change of it. */
async function listHome(change: (home: string) => void) {
  const { home } = await copyHome();
  change(home);
  const argv = ['list', '--store', join(home, 'sessions'), '--json'];
  const { out, err: stderr } = await runTest(argv, { home: join(home, '..'), cwd: home });
  const { results } = JSON.parse(out) as { readonly results: readonly Listed[] };
  return {
    results,
    stderr,
    names: new Map(
      results
        .flatMap((one) => [one, ...(one.subagents ?? [])])
        .map(({ id, name = null }) => [id.slice(9, 18), name]),
    ),
  };
}

interface Thread {
  readonly id: string;
  readonly name: string | null;
}

describe('names of Codex threads', () => {
  it('are those that the client lists', async () => {
    const text = readFileSync(join(FIXTURES, 'home.expected.json'), 'utf8');
    const { allKinds } = JSON.parse(text) as { readonly allKinds: readonly Thread[] };
    const { names, results, stderr } = await listHome(() => undefined);
    for (const { id, name } of allKinds)
      expect([id, names.get(id.slice(9, 18))]).toEqual([id, name]);
    expect(results.some(({ path }) => path.endsWith('.jsonl.zst'))).toBe(true);
    expect(stderr).toBe('');
  });

  it('are those in the index where there is no database', async () => {
    const { names, stderr } = await listHome((home) => rmSync(join(home, 'state_5.sqlite')));
    expect(names.get('5433-7a63')).toBe('Legacy one');
    expect(stderr).toBe('');
  });

  it.each([
    ['in their first line', ''],
    ['behind a long comment', `# ${'x'.repeat(100_000)}\n`],
  ])('are those in the database that the settings have elsewhere, %s', async (_where, before) => {
    const { names, stderr } = await listHome((home) => {
      rmSync(join(home, 'session_index.jsonl'));
      const other = join(home, 'elsewhere');
      mkdirSync(other);
      renameSync(join(home, 'state_5.sqlite'), join(other, 'state_5.sqlite'));
      writeFileSync(join(home, 'config.toml'), `${before}sqlite_home = "elsewhere"\n`);
    });
    expect(names.get('5184-7b42')).toBe('Read a');
    expect(stderr).toBe('');
  });

  it.each([
    [
      'is of another version',
      (home: string) => renameSync(join(home, 'state_5.sqlite'), join(home, 'state_6.sqlite')),
      '~/.codex/state_6.sqlite: is of another version than coppice reads (5)',
    ],
    [
      'is damaged',
      (home: string) => writeFileSync(join(home, 'state_5.sqlite'), 'x'.repeat(5000)),
      '~/.codex/state_5.sqlite: cannot be read as a database: file is not a database',
    ],
  ])(
    'come from what else there is where the database %s, and that is reported',
    async (_, change, message) => {
      const { names, stderr } = await listHome(change);
      expect(names.get('5433-7a63')).toBe('Legacy one');
      expect(stderr).toBe(`coppice: ${message}; continued without it\n`);
    },
  );
});

describe('a thread that was reverted', () => {
  it('is found by its id, as its latest file', async () => {
    const { home } = await copyHome();
    const id = '01a1fffd-592e-7483-a952-5eb79e5a9b63';
    const argv = ['list', id, '--store', join(home, 'sessions'), '--json'];
    const { out } = await runTest(argv, { home: join(home, '..'), cwd: home });
    const { results } = JSON.parse(out) as { readonly results: readonly Listed[] };
    expect(results.map(({ path }) => path.includes(`${id}_`))).toEqual([true]);
  });
});
