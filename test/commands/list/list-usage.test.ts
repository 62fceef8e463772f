import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

let dir: string;

async function listJson<T>(...args: string[]): Promise<readonly T[]> {
  const { out } = await runTest(['list', '--store', '.', '--json', ...args], { cwd: dir });
  return (JSON.parse(out) as { results: readonly T[] }).results;
}

interface WithUsage {
  readonly id: string;
  readonly usage: { readonly cost: number; readonly totalTokens: number };
  readonly inheritedUsage: { readonly cost: number; readonly totalTokens: number };
}

/** A fork holds the parent's entries as they were, and one more answer of its own. */
function fork(parent: readonly object[], id: string, parentSession: string, day = 1): object[] {
  const [, ...entries] = parent;
  const start = `2026-04-0${day}T00:00:00.000Z`;
  const [header, , answer] = sampleSession({
    id,
    parentSession,
    start,
  });
  return [header ?? {}, ...entries, { ...answer, id: `own-${id}`, parentId: 'aaaaaaa2' }];
}

beforeEach(async () => {
  dir = await makeTempDir();
  const parent = sampleSession({ id: 'parent' });
  const path = join(dir, 'parent.jsonl');
  await writeFiles(dir, {
    'parent.jsonl': parent,
    'one.jsonl': fork(parent, 'one', path),
    'two.jsonl': fork(parent, 'two', path, 2),
    'grandchild.jsonl': fork(fork(parent, 'one', path), 'three', join(dir, 'one.jsonl')),
    'widow.jsonl': fork(
      sampleSession({ id: 'w', start: '2026-02-01T00:00:00.000Z' }),
      'w1',
      '/gone',
    ),
    'widower.jsonl': fork(
      sampleSession({ id: 'w', start: '2026-02-01T00:00:00.000Z' }),
      'w2',
      '/gone',
    ),
  });
});

describe('list --usage', () => {
  it('tells what a fork copied from what it spent', async () => {
    const sessions = await listJson<WithUsage>('--usage', '--sort', 'created', '--reverse');
    const spent = Object.fromEntries(
      sessions.map(({ id, usage, inheritedUsage }) => [
        id,
        [usage.totalTokens, inheritedUsage.totalTokens],
      ]),
    );
    expect(spent).toEqual({
      parent: [15, 0],
      one: [30, 15],
      two: [30, 15],
      three: [45, 30],
      // Their parent is gone: the first of them stands in for it.
      w1: [30, 0],
      w2: [30, 15],
    });
  });

  it('counts once what a fork has copied from a session of version 1, whose entries have no ids', async () => {
    dir = await makeTempDir();
    const [header, ...entries] = sampleSession({ id: 'old' });
    const old = entries.map((entry) => ({ ...entry, id: undefined, parentId: undefined }));
    await writeFiles(dir, { 'old.jsonl': [{ ...header, version: undefined }, ...old] });
    const [before] = await listJson<object>('--by', 'agent');
    await runTest(['fork', 'old.jsonl'], { cwd: dir });
    const [after] = await listJson<object>('--by', 'agent');
    expect(before).toMatchObject({ sessions: 1, tokens: { totalTokens: 15 } });
    expect(after).toMatchObject({ sessions: 2, tokens: { totalTokens: 15 } });
  });

  it('counts every entry of a lineage once in totals', async () => {
    const [total, ...rest] = await listJson<object>('--by', 'agent');
    expect(rest).toEqual([]);
    // Parent 1, one 1, two 1, three 1, w 1, w1 1, w2 1 answers.
    expect(total).toMatchObject({ agent: 'pi', sessions: 6, tokens: { totalTokens: 7 * 15 } });
  });

  it('counts what a fork copied with its parent, also where a selector leaves the parent out', async () => {
    const before = await listJson<{ tokens: { totalTokens: number } }>(
      '--by',
      'agent',
      '--started-before',
      '2026-04-02',
    );
    const after = await listJson<{ tokens: { totalTokens: number } }>(
      '--by',
      'agent',
      '--started-after',
      '2026-04-01T12:00:00Z',
    );
    expect(before[0]?.tokens.totalTokens).toBe(6 * 15);
    expect(after[0]?.tokens.totalTokens).toBe(15);
    const [two] = await listJson<WithUsage>('--usage', '--started-after', '2026-04-01T12:00:00Z');
    expect([two?.id, two?.inheritedUsage.totalTokens]).toEqual(['two', 15]);
  });

  it.each([
    ['project', '/home/dev/orchard', 1],
    ['model', 'acme/oak-1', 1],
    ['day', '2026-04-01', 4],
  ])('sums by %s', async (by, key, count) => {
    const totals = await listJson<Record<string, unknown>>('--by', by);
    expect(totals.map((total) => total[by])).toContain(key);
    expect(totals).toHaveLength(count);
  });

  it.each(['project', 'model', 'day', 'agent'])(
    'counts every session, message and byte once by %s',
    async (by) => {
      const birch = sampleSession({ id: 'm', model: 'birch-2' });
      // Two models: one answer of each.
      await writeFiles(dir, { 'mixed.jsonl': fork(birch, 'mixed', '/gone') });
      const sessions = await listJson<{ size: number; messageCount: number }>();
      const totals = await listJson<{ sessions: number; messages: number; bytes: number }>(
        '--by',
        by,
      );
      const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0);
      expect([
        sum(totals.map((total) => total.sessions)),
        sum(totals.map(({ messages }) => messages)),
        sum(totals.map(({ bytes }) => bytes)),
      ]).toEqual([
        sessions.length,
        sum(sessions.map(({ messageCount }) => messageCount)),
        sum(sessions.map(({ size }) => size)),
      ]);
    },
  );

  it('sorts by what a session cost itself', async () => {
    const sessions = await listJson<WithUsage>('--sort', 'cost', '--limit', '1');
    expect(sessions[0]?.id).toBe('w1');
  });
});

describe('a store whose forks name their parents by other paths', () => {
  const rename = async (from: string, to: string): Promise<void> => {
    const text = (await readFile(join(dir, from), 'utf8')).replaceAll(dir, '/home/before');
    await writeFile(join(dir, to), text);
    if (to !== from) await rm(join(dir, from));
  };
  const total = async (...args: string[]): Promise<unknown> =>
    (await listJson<{ tokens: { totalTokens: number } }>('--by', 'agent', ...args)).map(
      ({ tokens }) => tokens.totalTokens,
    );

  it('counts each usage once, and puts forks below their parents', async () => {
    await Promise.all(['one', 'two', 'grandchild'].map((n) => rename(`${n}.jsonl`, `${n}.jsonl`)));
    expect(await total()).toEqual([7 * 15]);
    const rows = await listJson<{ id: string; depth: number }>('--lineage', '--usage');
    const depths = Object.fromEntries(rows.map(({ id, depth }) => [id, depth]));
    expect(depths).toMatchObject({ parent: 0, one: 1, two: 1, three: 2 });
    const { out } = await runTest(['validate', dir, '--rule', 'parent-missing=warning', '--json']);
    const { results } = JSON.parse(out) as { results: { path: string; rule: string }[] };
    const missing = results.filter(({ rule }) => rule === 'parent-missing');
    expect(missing.map(({ path }) => basename(path)).toSorted()).toEqual([
      'widow.jsonl',
      'widower.jsonl',
    ]);
  });

  it('finds a parent of another name by its id', async () => {
    await rename('one.jsonl', 'one.jsonl');
    await rename('parent.jsonl', 'renamed.jsonl');
    await rename('two.jsonl', '2026-04-02T00-00-00-000Z_two.jsonl');
    expect(await total()).toEqual([7 * 15]);
  });

  it('counts one lineage for forks that name a parent that is gone by several paths', async () => {
    const text = await readFile(join(dir, 'widow.jsonl'), 'utf8');
    await writeFile(join(dir, 'widow.jsonl'), text.replace('/gone', '/home/before/gone.jsonl'));
    expect(await total()).toEqual([7 * 15]);
  });
});

describe('list --lineage', () => {
  it('puts forks below their parents', async () => {
    const rows = await listJson<{ id: string; depth: number }>(
      '--lineage',
      '--sort',
      'created',
      '--reverse',
    );
    const below = rows.filter(({ depth }) => depth > 0).map(({ id, depth }) => [id, depth]);
    expect(below).toEqual([
      ['one', 1],
      ['three', 2],
      ['two', 1],
    ]);
  });

  it('survives forks that go in circles', async () => {
    await writeFiles(dir, {
      'x.jsonl': sampleSession({ id: 'x', parentSession: join(dir, 'y.jsonl') }),
      'y.jsonl': sampleSession({ id: 'y', parentSession: join(dir, 'x.jsonl') }),
      'z.jsonl': sampleSession({ id: 'z', parentSession: join(dir, 'z.jsonl') }),
    });
    const rows = await listJson<WithUsage>('--lineage', '--usage');
    expect(rows.map(({ id }) => id).toSorted()).toEqual(
      ['one', 'parent', 'three', 'two', 'w1', 'w2', 'x', 'y', 'z'].toSorted(),
    );
  });
});

it('list --by sums also what is not shown, and says how much that is', async () => {
  const list = async (...args: string[]): Promise<string> => {
    const argv = ['list', '--store', '.', '--by', 'day', ...args];
    return (await runTest(argv, { cwd: dir })).out.trimEnd().split('\n').at(-1) ?? '';
  };
  const whole = await list();
  expect(whole).toMatch(/^\d+ sessions, .* tokens/);
  expect(whole).not.toContain('shown');
  const [sum = ''] = whole.split(' Sessions count');
  expect(await list('--limit', '1')).toContain(`${sum} 1 of `);
  expect(await list('--named', 'nobody')).toBe('0 of 6 sessions.');
});

it('list --by says how many sessions there are beside those it counts, as the list does', async () => {
  const footer = async (...args: string[]): Promise<string> => {
    const argv = ['list', '--store', '.', '--by', 'agent', ...args];
    return (await runTest(argv, { cwd: dir })).out.trimEnd().split('\n').at(-1) ?? '';
  };
  expect(await footer()).toMatch(/^6 sessions, /);
  expect(await footer('--last', '2')).toMatch(/^2 of 6 sessions, /);
  expect(await footer('--last', '0')).toBe('0 of 6 sessions.');
});
