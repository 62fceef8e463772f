import { cp, mkdir, readFile, rename, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readLines } from '../../../src/session/jsonl/read/read-lines.ts';
import { runTest, type TestWorld } from '../../memory-terminal.ts';
import { makeTempDir } from '../../temp-dir.ts';

const FIXTURES = fileURLToPath(new URL('../../fixtures', import.meta.url));

type Facts = Readonly<Record<string, unknown>>;

async function read(argv: readonly string[], world: TestWorld): Promise<readonly Facts[]> {
  const { out, err } = await runTest([...argv, '--json'], world);
  expect(err).toBe('');
  const { results } = JSON.parse(out) as { readonly results: readonly Facts[] };
  return results;
}

/** Copies the store of an agent in a fixture, which is a home, or for Codex that of the agent itself. */
async function copyHome(fixture: string, place: string): Promise<TestWorld & { home: string }> {
  const home = await makeTempDir();
  const from = place === '.codex' ? fixture : join(fixture, place);
  await cp(join(FIXTURES, from), join(home, place), { recursive: true });
  return { cwd: home, home, env: {} };
}

/** Of a fork that is named alone, nothing counts for its parent. */
const COPIED = new Set(['inheritedUsage']);

/** The facts that two outputs have both, `without` some; those of sub-agents have to be in both. */
function pick(from: Facts, like: Facts, without: ReadonlySet<string> = new Set()): Facts {
  const isShared = (key: string): boolean =>
    !without.has(key) && (key in like || key.startsWith('subagent'));
  return Object.fromEntries(Object.entries(from).filter(([key]) => isShared(key)));
}

/** Counts the bytes that a file holds, compressed or not. */
async function countBytes(path: string): Promise<number> {
  let end = 0;
  await readLines(path, ({ offset, length, terminated }) => {
    end = offset + length + Number(terminated);
  });
  return end;
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

describe('a session has the same facts in a listing, in --info and in an export', () => {
  it.each([
    ['claude-code', 'claude-code/home', '.claude'],
    ['codex', 'codex/home', '.codex'],
  ])('of %s', async (agent, fixture, place) => {
    const world = await copyHome(fixture, place);
    const listed = await read(['list', '--usage', '--agent', agent], world);
    expect(listed.length).toBeGreaterThan(3);
    const argv = ['export', '--agent', agent, '--as', 'json', '--out', 'out'];
    const exported = new Map(
      (await read(argv, world)).map(({ path, outputs }) => [path, (outputs as string[])[0] ?? '']),
    );
    for (const session of listed) {
      const [info = {}] = await read(['list', '--info', String(session['path'])], world);
      expect(pick(info, session)).toEqual(pick(session, info));
      const [named = {}] = await read(['list', '--usage', String(session['path'])], world);
      expect(pick(named, session, COPIED)).toEqual(pick(session, named, COPIED));
      const sizes = Object.values(info['sizes'] as Readonly<Record<string, number>>);
      const files = (session['files'] as readonly string[] | undefined) ?? [
        String(session['path']),
      ];
      const held = await Promise.all(files.map(countBytes));
      expect(sumOf(sizes)).toBe(sumOf(held));
      const text = await readFile(exported.get(session['path']) ?? '', 'utf8');
      const { session: shown } = JSON.parse(text) as { readonly session: Facts };
      expect(pick(shown, session)).toEqual(pick(session, shown));
    }
  });

  it.each([
    ['claude-code', 'claude-code/home', '.claude'],
    ['codex', 'codex/home', '.codex'],
    ['neovate', 'neovate/home', '.neovate'],
  ])('and all of its bytes are those that prune counts: %s', async (agent, fixture, place) => {
    const world = await copyHome(fixture, place);
    const listed = await read(['list', '--agent', agent], world);
    expect(listed.length).toBeGreaterThan(1);
    const { out } = await runTest(['prune', '--agent', agent, '--keep-last', '9', '--json'], world);
    const { results } = JSON.parse(out) as { readonly results: readonly Facts[] };
    const counted = new Map(results.map(({ path, bytesBefore }) => [path, bytesBefore]));
    for (const { path, totalSize } of listed) {
      expect([path, totalSize]).toEqual([path, counted.get(path)]);
      expect(await read(['list', String(path)], world)).toMatchObject([{ totalSize }]);
    }
  });

  it('where only one of the directories of a store of Codex is listed', async () => {
    const home = await makeTempDir();
    await cp(join(FIXTURES, 'codex/home'), join(home, '.codex'), { recursive: true });
    const world = { cwd: home, home, env: {} };
    const all = await read(['list'], world);
    const forks = all.filter(({ parentSessionPath }) => parentSessionPath !== null);
    expect(forks).not.toEqual([]);
    for (const { path, messageCount } of forks) {
      const moved = join(home, '.codex/sessions/2026/11/22', basename(String(path)));
      await mkdir(dirname(moved), { recursive: true });
      await rename(String(path), moved);
      expect(await read(['list', dirname(moved)], world)).toMatchObject([{ messageCount }]);
      await rename(moved, String(path));
    }
  });

  it('where the files of a thread of Codex that are named are in two directories', async () => {
    const home = await makeTempDir();
    await cp(join(FIXTURES, 'codex/home'), join(home, '.codex'), { recursive: true });
    const world = { cwd: home, home, env: {} };
    const all = await read(['list'], world);
    const { files } = all.find(({ files: parts }) => (parts as string[]).length > 1) ?? {};
    const [first = '', last = ''] = files as readonly string[];
    const copies = [join(home, 'a', basename(first)), join(home, 'b', basename(last))];
    await cp(first, copies[0] ?? '');
    await cp(last, copies[1] ?? '');
    const [below = {}] = await read(['list', 'a', 'b'], world);
    expect(below).toMatchObject({ files: copies });
    expect(await read(['list', ...copies], world)).toContainEqual(below);
  });

  it('but for what is in a store of Codex that cannot be searched', async () => {
    const home = await makeTempDir();
    await cp(join(FIXTURES, 'codex/home'), join(home, '.codex'), { recursive: true });
    const world = { cwd: home, home, env: {} };
    const all = await read(['list'], world);
    const { path } = all.find(({ parentSessionPath }) => parentSessionPath !== null) ?? {};
    await symlink('loop', join(home, '.codex/sessions/loop'));
    const { exitCode, out, err } = await runTest(['list', String(path), '--json'], world);
    expect([exitCode, JSON.parse(out)]).toMatchObject([
      3,
      { results: [{ path }, { problem: {} }] },
    ]);
    expect(err).toContain('loop: cannot search');
  });

  it('with what sub-agents of Claude Code cost', async () => {
    const home = await makeTempDir();
    await cp(join(FIXTURES, 'claude-code/home/.claude'), join(home, '.claude'), {
      recursive: true,
    });
    const world = { cwd: home, home, env: {} };
    const listed = await read(['list', '--usage', '--agent', 'claude-code'], world);
    const began = listed.filter(({ subagents }) => subagents !== undefined);
    expect(began).not.toEqual([]);
    for (const session of began) {
      const [info] = await read(['list', '--info', String(session['path'])], world);
      expect(info?.['subagentUsage']).toEqual(session['subagentUsage']);
    }
  });
});
