import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));
const SHARDS = ['1/3', '2/3', '3/3'];

let store: string;

/** Forks, sub-agents, sessions of several files, and an array beside what was made of it. */
beforeAll(async () => {
  store = await mkdtemp(join(tmpdir(), 'coppice-shards-'));
  for (const one of ['recorded', 'claude-code/home/.claude/projects', 'codex/home']) {
    await cp(join(FIXTURES, one), join(store, one.split('/')[0] ?? one), { recursive: true });
  }
  const array = sampleSession({ id: 'array' });
  await writeFiles(store, { 'old/a.json': JSON.stringify(array), 'old/a.jsonl': array });
});

afterAll(() => rm(store, { recursive: true, force: true }));

async function listLines(...args: string[]): Promise<readonly string[]> {
  const { out } = await runTest([...args, '--store', store, '--format', 'ndjson'], { cwd: store });
  return out.split('\n').filter((line) => line !== '');
}

describe('shards, joined, are one plain run', () => {
  it.each([
    ['list', '--no-cache'],
    ['list', '--usage'],
    ['list', '--last', '7', '--no-cache'],
    ['list', '--agent', 'codex', '--no-cache'],
    ['validate'],
    ['validate', '--newer-than', '2025-11-01'],
    ['migrate'],
    ['prune', '--keep-last', '2', '--grace', '0s'],
    ['prune', '--older-than', '2026-06-01', '--keep-monthly', '1', '--group-by', 'agent'],
    ['export', '--as', 'md', '--out', 'out', '--dry-run'],
  ])('of %j', async (...args) => {
    const parts = await Promise.all(SHARDS.map((shard) => listLines(...args, '--shard', shard)));
    const plain = await listLines(...args);
    expect(plain.length).toBeGreaterThan(5);
    expect(parts.flat().toSorted()).toEqual(plain.toSorted());
  });
});

it('each shard has a part of many sessions', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `many/${index}.jsonl`);
  const files = names.map((name) => [name, sampleSession({ id: name })] as const);
  const dir = await makeTempDir();
  await writeFiles(dir, Object.fromEntries(files));
  for (const shard of SHARDS) {
    const { out } = await runTest(['list', '--store', 'many', '--paths', '--shard', shard], {
      cwd: dir,
    });
    const { length } = out.trim().split('\n');
    expect(length).toBeGreaterThan(1);
    expect(length).toBeLessThan(60);
  }
});

/** What each shard prints, and what one run prints. */
async function validateAs(format: string): Promise<{ plain: string; parts: readonly string[] }> {
  const validate = async (...args: string[]): Promise<string> =>
    (await runTest(['validate', '--store', store, '--format', format, ...args], { cwd: store }))
      .out;
  const parts = await Promise.all(SHARDS.map((shard) => validate('--shard', shard)));
  return { plain: await validate(), parts };
}

describe('findings of shards, joined, are those of one run', () => {
  it('as SARIF, by the recipe of the documentation', async () => {
    const docs = await readFile(new URL('../../../docs/fleets.md', import.meta.url), 'utf8');
    const [, recipe = ''] = /^(jq -s '[^']+') part/m.exec(docs) ?? [];
    const { plain, parts } = await validateAs('sarif');
    const run = (input: string): unknown =>
      JSON.parse(execFileSync('sh', ['-c', recipe], { input, encoding: 'utf8' }));
    expect(recipe).toContain('.runs[0].results = $results');
    expect(run(parts.join(''))).toEqual(JSON.parse(plain));
  });

  it('as JUnit, in several files', async () => {
    const { plain, parts } = await validateAs('junit');
    const listCases = (text: string): readonly string[] =>
      text
        .split(/^(?= {4}<testcase)/m)
        .slice(1)
        .map((one) => one.replace(/^ {2}<\/testsuite>[^]*/m, ''));
    expect(parts.flatMap(listCases).toSorted()).toEqual(listCases(plain).toSorted());
  });

  it('as GitLab Code Quality, in several files', async () => {
    const { plain, parts } = await validateAs('gitlab');
    const list = (text: string): readonly string[] =>
      (JSON.parse(text) as object[]).map((one) => JSON.stringify(one));
    expect(parts.flatMap(list).toSorted()).toEqual(list(plain).toSorted());
  });
});

/** Every file below a directory, but for what runs note for themselves. */
async function readAll(dir: string): Promise<Readonly<Record<string, string>>> {
  const files = (await readdir(dir, { recursive: true, withFileTypes: true })).filter(
    (one) => one.isFile() && !one.name.startsWith('.coppice-export'),
  );
  const texts = files.map(async ({ parentPath, name }) => {
    const path = join(parentPath, name);
    return [relative(dir, path), await readFile(path, 'base64')] as const;
  });
  return Object.fromEntries(await Promise.all(texts));
}

describe('files of shards that write to one directory at the same time are those of one run', () => {
  it.each(['html', 'md', 'jsonl'])('as %s', async (as) => {
    const dir = await makeTempDir();
    const exportTo = (out: string, ...args: string[]) =>
      // The real clock: temporary files of another run that are a day old are taken for left over.
      runTest(['export', '--store', store, '--as', as, '--out', out, ...args], {
        cwd: dir,
        now: Date.now,
      });
    await Promise.all(SHARDS.map((shard) => exportTo('parts', '--shard', shard)));
    await exportTo('plain');
    const plain = await readAll(join(dir, 'plain'));
    expect(Object.keys(plain).length).toBeGreaterThan(10);
    expect(await readAll(join(dir, 'parts'))).toEqual(plain);
  });

  it('in an archive', async () => {
    const archive = async (name: string, shards: readonly string[][]): Promise<unknown> => {
      const dir = await makeTempDir();
      await cp(store, join(dir, 'store'), { recursive: true });
      // Threads of Codex are removed by newer Nodes only.
      await rm(join(dir, 'store/codex'), { recursive: true });
      const policy = ['--keep-last', '1', '--grace', '0s', '--apply', '--archive', name];
      const prune = (...args: string[]) =>
        runTest(['prune', '--store', 'store', ...policy, ...args], { cwd: dir, now: Date.now });
      await Promise.all(shards.map((shard) => prune(...shard)));
      const { out } = await runTest(['prune', '--archive', name, '--list', '--json'], { cwd: dir });
      const { results } = JSON.parse(out.replaceAll(dir, '')) as { results: Entry[] };
      const facts = results.map(({ id, path, size }) => `${path} ${id} ${size}`);
      return { facts: facts.toSorted(), left: await readAll(join(dir, 'store')) };
    };
    const plain = await archive('archive', [[]]);
    expect(plain).not.toMatchObject({ facts: [] });
    const parts = SHARDS.map((shard) => ['--shard', shard]);
    expect(await archive('archive', parts)).toEqual(plain);
    // A task that was taken for lost is run again while it still runs.
    expect(await archive('archive', [...parts, ...parts])).toEqual(plain);
  });
});

interface Entry {
  readonly id: string;
  readonly path: string;
  readonly size: number;
}
