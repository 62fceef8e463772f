import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';

const NAME = 'rollout-2026-11-21T21-09-37-01a1fff1-b3d6-7010-83a9-9f74645e34be';
const ACTIVE = 'sessions/2026/11/21';
const ARCHIVED = 'archived_sessions';

it.each([
  [ACTIVE, ARCHIVED],
  [ARCHIVED, ACTIVE],
])('prune takes images along from %s with a rollout in %s', async (before, after) => {
  const world = await makeTempDir();
  const run = (...args: readonly string[]) => runTest(args, { home: world, cwd: world, env: {} });
  const home = join(world, '.codex');
  const [from, to] = [before, after].map((place) => join(home, place, `${NAME}.jsonl`)) as [
    string,
    string,
  ];
  const folder = join(home, before, NAME);
  await mkdir(join(home, after), { recursive: true });
  await cp(join(FIXTURES, 'images.jsonl'), from);
  await run('compact', '--images', 'extract', '--grace', '0min', '--apply', from);
  const images = readdirSync(folder);
  expect(images).not.toEqual([]);
  await rename(from, to);
  const rules = ['--larger-than', '1B', '--grace', '0min', '--allow-empty', '--include-pinned'];
  await run('prune', to, ...rules, '--apply', '--archive', 'ar');
  expect([existsSync(to), existsSync(folder)]).toEqual([false, false]);
  await run('prune', '--archive', 'ar', '--restore', 'all');
  expect(existsSync(to)).toBe(true);
  expect(readdirSync(folder)).toEqual(images);
});

it.each([
  [ACTIVE, ARCHIVED],
  [ARCHIVED, ACTIVE],
])('compact finds images of a rollout that was moved from %s to %s', async (before, after) => {
  const world = await makeTempDir();
  const run = (...args: readonly string[]) => runTest(args, { home: world, cwd: world, env: {} });
  const home = join(world, '.codex');
  const [from, to] = [join(home, before, `${NAME}.jsonl`), join(home, after, `${NAME}.jsonl`)];
  await mkdir(join(home, after), { recursive: true });
  await cp(join(FIXTURES, 'images.jsonl'), from);
  const text = readFileSync(from);
  const how = ['--grace', '0min', '--apply'];
  await run('compact', '--images', 'extract', ...how, from);
  expect(readFileSync(from).equals(text)).toBe(false);
  await rename(from, to);
  const { exitCode } = await run('compact', '--images', 'restore', ...how, to);
  expect([exitCode, readFileSync(to).equals(text)]).toEqual([0, true]);
});
