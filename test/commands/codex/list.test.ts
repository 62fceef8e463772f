import { statSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readSession } from '../../../src/session/read/read-session.ts';
import { summarizeSession } from '../../../src/session/read/summaries/summarize-session.ts';
import { runTest, type TestRun } from '../../memory-terminal.ts';
import {
  FIXTURES,
  getRecorded,
  placeIn,
  placeRecorded,
  RECORDED,
} from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';
import { toZstd } from '../../zstd-frames.ts';

type Row = Readonly<Record<string, unknown>>;

let home = '';

function run(...argv: readonly string[]): Promise<TestRun> {
  return runTest(argv, { cwd: home, home, env: { CODEX_HOME: join(home, 'kept') } });
}

async function list(...args: readonly string[]): Promise<readonly Row[]> {
  const { out, err } = await run('list', '--json', '--no-cache', ...args);
  if (out === '') throw new Error(err);
  return (JSON.parse(out) as { results: readonly Row[] }).results;
}

function getMessages(rows: readonly Row[]): readonly unknown[] {
  return rows
    .map(({ firstMessage }) => firstMessage)
    .toSorted((a, b) => (String(a) < String(b) ? -1 : 1));
}

async function readInfo(path: string): Promise<Row | undefined> {
  const { out } = await run('list', path, '--info', '--json');
  return (JSON.parse(out) as { results: readonly Row[] }).results[0];
}

function isPlainRollout(path: string): boolean {
  return path.endsWith('.jsonl');
}

describe('list, of a home directory of Codex', () => {
  beforeEach(async () => {
    home = await makeTempDir();
    await cp(join(FIXTURES, 'home'), join(home, 'kept'), { recursive: true });
  });

  it('advises to migrate where migrate has something to do', async () => {
    // With a thread of version 1, which Codex opens.
    expect((await run('list')).out).toMatch(/9 sessions, [\d.]+ kB\.\n$/);
    await placeIn(join(home, 'kept'), getRecorded('era-0.20'));
    expect((await run('list')).out).toContain('1 is in an old format: coppice migrate');
  });

  it('measures what a compressed rollout holds as it measures the same rollout before', async () => {
    const plain = (await list()).map(({ path }) => String(path)).find(isPlainRollout) ?? '';
    const before = await readInfo(plain);
    await writeFile(`${plain}.zst`, toZstd(await readFile(plain)));
    await rm(plain);
    const after = await readInfo(`${plain}.zst`);
    expect(after?.['sizes']).toEqual(before?.['sizes']);
    expect(after?.['size']).not.toBe(before?.['size']);
  });

  it('takes the name that a compressed rollout had before, as Codex lists it', async () => {
    const rows = await list();
    const packed = rows.map(({ path }) => String(path)).find((path) => path.endsWith('.zst'));
    const named = await list(String(packed).replace(/\.zst$/, ''));
    expect(named.map(({ path }) => path)).toEqual([packed]);
  });

  it('counts all files of a thread as its size, and selects by that', async () => {
    const rows = await list();
    const several = rows.filter(({ files }) => (files as readonly string[]).length > 1);
    expect(several).not.toEqual([]);
    for (const { id, size, files } of several) {
      const sizes = (files as readonly string[]).map((path) => statSync(path).size);
      const total = sizes.reduce((a, b) => a + b);
      expect({ id, size }).toEqual({ id, size: total });
      const found = await list('--larger-than', `${total - 1}B`);
      expect(found.map((one) => one['id'])).toContain(id);
    }
  });

  it('counts the entries of all files of a thread, and the branches that fork --each-leaf takes', async () => {
    const rows = await list();
    const several = rows.filter(({ files }) => (files as readonly string[]).length > 1);
    expect(several).toHaveLength(1);
    for (const { id, entryCount, leafCount } of several) {
      const entries = await run('list', String(id), '--entries', '--json');
      const { results } = JSON.parse(entries.out) as { results: readonly Row[] };
      const forks = await run('fork', String(id), '--each-leaf', '--dry-run');
      const branches = forks.out.trimEnd().split('\n').length;
      expect({ entryCount, leafCount }).toEqual({
        entryCount: results.length,
        leafCount: branches,
      });
      expect(branches).toBe(2);
    }
  });

  it('shows each thread once, also archived and compressed ones', async () => {
    const rows = await list('--usage');
    expect(getMessages(rows)).toEqual([
      'Old style session',
      'One shot',
      'Rarely used',
      'Read the file a',
      'Second idea, better',
      'Spawn a helper',
      'To be archived',
      'Try another framework',
      'With a summary',
    ]);
    const find = (text: string): Row | undefined =>
      rows.find(({ firstMessage }) => firstMessage === text);
    const reverted = find('Second idea, better');
    expect(reverted?.['path']).toMatch(/_01a1fffd-59d8-7800-b244-2a85526d31a4\.jsonl$/);
    expect(reverted?.['files']).toHaveLength(2);
    // One exchange before the revert, and one after it.
    expect(reverted).toMatchObject({
      messageCount: 4,
      parentSessionPath: null,
      gitBranch: 'trunk',
    });
    const [fork, parent] = [find('Try another framework'), find('Read the file a')];
    expect(fork?.['parentSessionPath']).toBe(parent?.['path']);
    expect(fork?.['messageCount']).toBe(6);
    const spawning = find('Spawn a helper');
    expect(spawning?.['subagents']).toMatchObject([{ messageCount: 2, usage: { output: 20 } }]);
  });

  it('selects by state and by source, sub-agents too', async () => {
    expect(getMessages(await list('--state', 'archived'))).toEqual(['To be archived']);
    expect(getMessages(await list('--source', 'exec'))).toEqual(['One shot']);
    expect(getMessages(await list('--source', 'subagent'))).toEqual(['Child task']);
  });

  it('shows sub-agents below their session', async () => {
    const { out } = await run('list', '--no-cache', '--agent', 'codex', '--last', '9');
    expect(out).toMatch(/Spawn a helper.*\n.*· /);
  });
});

const LISTED = RECORDED.filter(
  ({ list: rows, name }) => rows.length > 0 && !name.startsWith('broken'),
);

describe('the summary of one recorded file', () => {
  it.each(LISTED.map((recorded) => [recorded.name, recorded] as const))(
    'is what the real client lists: %s',
    async (_, recorded) => {
      const path = await placeRecorded(recorded);
      const row = await summarizeSession(path, { usage: true });
      if (!('path' in row)) throw new Error(row.problem.message);
      const real = recorded.list.find((one) => basename(String(one['path'])) === basename(path));
      expect(row).toMatchObject({
        id: real?.['id'],
        cwd: real?.['cwd'],
        firstMessage: real?.['preview'],
        formatVersion: real?.['historyMode'] === 'paginated' ? 2 : 1,
      });
      const model = real?.['model'];
      const isModel = (one: string): boolean => one.split('/').at(-1) === model;
      expect(typeof model !== 'string' || row.models.some(isModel)).toBe(true);
      expect(Math.floor(Date.parse(row.created ?? '') / 1000)).toBe(real?.['createdAt']);
      // The client adds what a fork has of its parent, and what is no longer in a file that was made smaller.
      const isWhole = recorded.also.length === 0 && !recorded.name.startsWith('made-');
      const { totalTokens = 0 } = recorded.tokenUsage?.total ?? {};
      expect(!isWhole || row.usage?.totalTokens === totalTokens).toBe(true);
    },
  );
});

it.each(RECORDED.map((recorded) => [recorded.name, recorded] as const))(
  'a listing counts the entries that are in the file, and not its header: %s',
  async (_, recorded) => {
    const path = await placeRecorded(recorded);
    const row = await summarizeSession(path, { usage: true });
    const { session } = await readSession(path);
    const own = session.entries.filter(({ file }) => file === undefined || file === path);
    expect(row).toMatchObject({ entryCount: own.length });
  },
);

it('counts in --info of a fork only what is in its own file', async () => {
  const path = await placeRecorded(getRecorded('fork-child'));
  const { out } = await runTest(['list', path, '--info', '--json'], {
    cwd: dirname(path),
    home: dirname(path),
  });
  const [info] = (JSON.parse(out) as { results: readonly Row[] }).results;
  // Its parent ran a tool, and it did not.
  expect(info?.['sizes']).toMatchObject({ toolCalls: 0, toolOutput: 0 });
});
