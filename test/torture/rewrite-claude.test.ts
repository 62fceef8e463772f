import { appendFile, cp, readdir, readFile, rm, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { snapshot } from '../store/archive/archive-fixture.ts';
import { coppice } from './coppice.ts';
import { IS_LONG } from './faults/sandbox-root.ts';
import { makeMemoryDir } from './memory-dir.ts';
import { chooseMoments, failAt, stopAt, type Stoppable } from './moments.ts';

const FIXTURE = join(import.meta.dirname, '../fixtures/claude-code/home/.claude');
const MOMENTS = IS_LONG ? 40 : 3;
const OLD = Date.parse('2026-03-02T09:30:00.000Z') / 1000;
const TASKS = 'aaaaaaaa-0000-4000-8000-000000000004';
const BRANCH = '9ea00f87-f67b-45df-9923-ae7bf95e99d0';

let dir: string;

const config = (): string => join(dir, '.claude');
const toPath = (id: string): string => join(config(), `projects/-home-u-demo-project/${id}.jsonl`);

async function reset(): Promise<void> {
  await rm(config(), { recursive: true, force: true });
  await cp(FIXTURE, config(), { recursive: true });
  await rm(join(config(), 'sessions'), { recursive: true });
  await appendFile(toPath(TASKS), '{"type":"user","uuid":"to');
  // A move reports that it names the old directory, and leaves it.
  await rm(join(config(), 'history.jsonl'));
  for (const name of (await readdir(config(), { recursive: true })).toReversed()) {
    await utimes(join(config(), name), OLD, OLD);
  }
}

/** The text of every session, by its id: a moved one counts wherever it is. */
async function readSessions(): Promise<ReadonlyMap<string, string>> {
  const projects = join(config(), 'projects');
  const names = await readdir(projects, { recursive: true });
  const sessions = names.filter((name) => /^[^/\\]+[/\\][\da-f-]{36}\.jsonl$/.test(name));
  const found = new Map<string, string>();
  for (const name of sessions) {
    found.set(basename(name, '.jsonl'), await readFile(join(projects, name), 'utf8'));
  }
  return found;
}

/** What is in every file but those of what repairs took out, which say when; times differ. */
async function readTree(): Promise<Readonly<Record<string, string>>> {
  const all = Object.entries(await snapshot(config()));
  const files = all
    .filter(([, state]) => !state.endsWith('directory'))
    .filter(([name]) => !name.endsWith('.rejected'));
  return Object.fromEntries(files.map(([name, state]) => [name, state.split(' ').at(-1) ?? '']));
}

const toRun = (...args: readonly string[]): Stoppable => ({
  args: [...args, '--agent', 'claude-code', '--grace', '0s', '--quiet'],
  root: dir,
  env: { HOME: dir },
});

type Break = (run: Stoppable, moment: number) => Promise<unknown>;

const FAULTS: readonly (readonly [string, Break])[] = [
  ['killed', (run, moment) => stopAt(run, moment, 'SIGKILL')],
  ['with a call that fails', (run, moment) => failAt(run, moment, 'EIO')],
];

const REWRITES: readonly (readonly string[])[] = [
  ['validate', '--fix'],
  ['compact', '--copies', '--apply'],
  ['compact', '--tool-output', '1kB', '--superseded-state', '--apply'],
  ['compact', '--summarized', '--abandoned-branches', '--apply'],
  ['migrate', '--cwd', '/home/u/demo-project=/home/u/elsewhere', '--apply'],
];

beforeEach(async () => {
  dir = await makeMemoryDir();
  await reset();
});

describe.each(FAULTS)('what rewrites sessions of Claude Code, %s', (_name, breakAt) => {
  it.each(REWRITES)(
    '%s %s leaves each whole, old or new, and is finished by the next run',
    async (...args) => {
      const run = toRun(...args);
      const before = await readSessions();
      const moments = await chooseMoments(run, MOMENTS);
      const [after, tree] = [await readSessions(), await readTree()];
      expect(after).not.toEqual(before);
      for (const moment of moments) {
        await reset();
        await breakAt(run, moment);
        const now = await readSessions();
        expect([...now.keys()].toSorted()).toEqual([...before.keys()].toSorted());
        for (const [id, text] of now) {
          expect([before.get(id) === text, after.get(id) === text]).toContain(true);
        }
        expect((await coppice(run.args, { env: run.env })).exitCode).toBe(0);
        expect(await readTree()).toEqual(tree);
      }
    },
  );

  it.each([
    ['fork', BRANCH, '--in-place', '--at', '', '--apply'],
    ['compact', BRANCH, '--force', '--keep-recent-tokens', '20', '--apply'],
  ])('%s appends to a session whole lines, or nothing', async (...given) => {
    const id = given[1] ?? '';
    const before = await readFile(toPath(id), 'utf8');
    const [first = ''] = [...before.matchAll(/"uuid":"([^"]+)"/g)].map(([, uuid = '']) => uuid);
    const run = toRun(...given.map((word) => (word === '' ? first : word)));
    const moments = await chooseMoments(run, MOMENTS);
    expect(await readFile(toPath(id), 'utf8')).not.toBe(before);
    for (const moment of moments) {
      await reset();
      await breakAt(run, moment);
      const now = await readFile(toPath(id), 'utf8');
      expect(now.startsWith(before)).toBe(true);
      const added = now.slice(before.length).split('\n');
      expect(added.pop()).toBe('');
      for (const line of added) expect(() => void JSON.parse(line)).not.toThrow();
    }
  });
});
