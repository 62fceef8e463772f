import { appendFile, cp, readdir, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTest } from '../memory-terminal.ts';
import { sampleSession } from '../sample-session.ts';
import { snapshot } from '../store/archive/archive-fixture.ts';
import { writeFiles } from '../temp-dir.ts';
import { IS_LONG } from './faults/sandbox-root.ts';
import { makeMemoryDir } from './memory-dir.ts';
import { chooseMoments, stopAt, type Stoppable } from './moments.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');
const KILLS = IS_LONG ? 200 : 5;
const OLD = Date.parse('2026-03-02T09:30:00.000Z') / 1000;
const LINE = '{"type":"custom","customType":"x","id":"1"}\n';
/** What agents remove when they clean up. */
const STORES = [
  '.pi',
  '.neovate',
  '.claude/projects',
  '.claude/plans',
  '.claude/tasks',
  '.codex/sessions',
];

let dir: string;

const archive = (): string => join(dir, 'archive');
const sound = (): string => join(dir, 'sound');

function toRun(...args: readonly string[]): Stoppable {
  return { args, root: dir, env: { HOME: dir, XDG_CACHE_HOME: join(dir, 'cache') } };
}

const backUp = (): Stoppable => toRun('export', '--as', 'archive', '--out', archive(), '--quiet');
const thin = (): Stoppable =>
  toRun('prune', '--in-archive', archive(), '--keep-states', '1', '--apply', '--quiet');

/** Runs a command to its end, in this process. */
async function finish({ args, env }: Stoppable): Promise<void> {
  const { exitCode, err } = await runTest(args, {
    cwd: dir,
    home: dir,
    env: { ...env },
    now: Date.now,
  });
  expect([exitCode, err]).toEqual([0, '']);
}

/** Files of the stores, which never change while they are copied. */
async function takeSnapshot(): Promise<Record<string, string>> {
  const all = await Promise.all(
    STORES.map(async (name) => Object.entries(await snapshot(join(dir, name)))),
  );
  const files = all.flatMap((some, at) =>
    some.map(([name, state]): [string, string] => [`${STORES[at]}/${name}`, state]),
  );
  return Object.fromEntries(files.filter(([name, state]) => !isShared(name, state)));
}

/** Directories belong to no session, and neither does what Claude Code keeps of a project. */
const isShared = (name: string, state: string): boolean =>
  state.endsWith('directory') || name.includes('/memory/');

async function removeStores(): Promise<void> {
  for (const name of STORES) await rm(join(dir, name), { recursive: true, force: true });
}

async function setUp(): Promise<void> {
  dir = await makeMemoryDir();
  await cp(join(FIXTURES, 'claude-code/home/.claude'), join(dir, '.claude'), { recursive: true });
  for (const name of ['sessions', 'projects/-home-u-old-project/agent-1a66a72e.jsonl']) {
    await rm(join(dir, '.claude', name), { recursive: true });
  }
  await cp(join(FIXTURES, 'codex/home/sessions'), join(dir, '.codex/sessions'), {
    recursive: true,
  });
  await writeFiles(dir, {
    '.claude/plans/hidden-cuddling-stearns.md': '# A plan',
    '.claude/plans/hidden-cuddling-stearns-agent-a1b2.md': '# The plan of a sub-agent',
    '.claude/plans/frolicking-tickling-walrus.md': '# Another plan',
    '.pi/agent/sessions/p/a.jsonl': sampleSession({ id: '0199-aaaa' }),
    '.pi/agent/sessions/p/a/1.png': Buffer.alloc(5000, 1),
    '.pi/agent/sessions/p/b.jsonl': sampleSession({ id: '0199-bbbb' }),
    '.neovate/projects/p/n.jsonl': `${JSON.stringify({
      type: 'message',
      uuid: 'u1',
      parentUuid: null,
      role: 'user',
      content: 'Hello.',
      timestamp: '2026-01-02T09:30:00.000Z',
      sessionId: 'n',
    })}\n`,
  });
  await finish(backUp());
  for (const name of ['a', 'b'])
    await appendFile(join(dir, `.pi/agent/sessions/p/${name}.jsonl`), LINE);
  for (const name of (await readdir(dir, { recursive: true })).toReversed()) {
    await utimes(join(dir, name), OLD, OLD);
  }
  await cp(archive(), sound(), { recursive: true, preserveTimestamps: true });
}

async function reset(): Promise<void> {
  await rm(archive(), { recursive: true, force: true });
  await rm(join(dir, 'cache'), { recursive: true, force: true });
  await cp(sound(), archive(), { recursive: true, preserveTimestamps: true });
}

const check = (): Stoppable => toRun('prune', '--archive', archive(), '--check', '--quiet');

/** Restores everything, as it is in the archive by now. */
async function restoreAll(): Promise<Record<string, string>> {
  await removeStores();
  await finish(toRun('prune', '--archive', archive(), '--restore', 'all', '--quiet'));
  return takeSnapshot();
}

const bytesOf = (state = ''): string => state.split(' ').at(-1) ?? '';

describe('kill -9 at any moment of a backup', () => {
  it('loses no state, changes no session, and the next run completes it', async () => {
    await setUp();
    const original = await takeSnapshot();
    await cp(dir, `${dir}-copy`, { recursive: true, preserveTimestamps: true });
    const counts: number[] = [];
    for (const moment of await chooseMoments(backUp(), KILLS)) {
      await reset();
      await stopAt(backUp(), moment, 'SIGKILL');
      expect(await takeSnapshot()).toEqual(original);
      await finish(check());
      const names = await readdir(archive());
      counts.push(names.filter((name) => name.endsWith('.tar.gz')).length);
      const restored = await restoreAll();
      for (const [name, state] of Object.entries(original)) {
        const [was, is] = [bytesOf(state), bytesOf(restored[name])].map((text) =>
          Buffer.from(text, 'base64').toString('latin1'),
        );
        expect(was?.startsWith(is?.replace(LINE, '') ?? '?')).toBe(true);
      }
      await removeStores();
      for (const name of STORES) {
        const from = join(`${dir}-copy`, name);
        await cp(from, join(dir, name), { recursive: true, preserveTimestamps: true });
      }
      await finish(backUp());
      expect(await restoreAll()).toEqual(original);
    }
    expect(new Set(counts).size).toBeGreaterThan(1);
  });

  it('or of what removes old states: the last one is always there', async () => {
    await setUp();
    await rm(join(dir, '.pi/agent/sessions/p/a/1.png'));
    await finish(backUp());
    await rm(sound(), { recursive: true });
    await cp(archive(), sound(), { recursive: true, preserveTimestamps: true });
    const original = await takeSnapshot();
    for (const moment of await chooseMoments(thin(), Math.min(KILLS, 40))) {
      await reset();
      await stopAt(thin(), moment, 'SIGKILL');
      expect(await restoreAll()).toEqual(original);
      await finish(thin());
      await finish(check());
    }
  });
});
