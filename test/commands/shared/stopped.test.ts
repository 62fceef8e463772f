import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';
import { writeSessions } from './some-sessions.ts';

let home: string;

beforeEach(async () => {
  home = await makeTempDir();
  await writeSessions(home);
});

/** Runs a command with one job at a time, and stops it when it has changed, or kept, `after` sessions. */
async function runUntilStopped(args: readonly string[], after = 1) {
  let done = 0;
  const abort = new AbortController();
  const startProgress = (label: string) => ({
    advance: () => {
      if (!/^(?:Reading|Searching)/.test(label)) done += 1;
      if (done === after) abort.abort();
    },
    stop: () => undefined,
  });
  const world = { cwd: home, home, signal: abort.signal, startProgress };
  const { out, err } = await runTest([...args, '--jobs', '1', '--json'], world);
  const { results } = JSON.parse(out) as { results: { action?: string; reasons?: string[] }[] };
  return {
    err,
    found: results.map(({ action = 'problem', reasons = [] }) => `${action}: ${reasons.join()}`),
  };
}

const SKIPPED = 'skip: stopped before its turn';

describe('a run that is stopped in the middle reports what it did, and what is left', () => {
  it.each([
    ['migrate', ['migrate', '--store', 'old', '--apply']],
    ['relocate', ['migrate', '--store', 's', '--cwd', '/home/dev=/home/new', '--apply']],
    ['compact', ['compact', '--store', 's', '--force', '--keep-recent-tokens', '1', '--apply']],
    [
      'remove',
      ['prune', '--store', 's', '--older-than', '1d', '--allow-empty', '--delete', '--apply'],
    ],
  ])('%s', async (action, args) => {
    const { found } = await runUntilStopped(args);
    expect(found.filter((one) => one !== SKIPPED)).toEqual([expect.stringMatching(`^${action}: `)]);
    expect(found).toHaveLength(3);
  });

  it('restore, and remove from an archive', async () => {
    const prune = ['prune', '--store', 's', '--older-than', '1d', '--allow-empty', '--apply'];
    await runTest([...prune, '--archive', 'archive'], { cwd: home, home });
    const restored = await runUntilStopped([
      'prune',
      '--store',
      's',
      '--archive',
      'archive',
      '--restore',
      'all',
    ]);
    expect(restored.found.toSorted()).toEqual(['restore: from the archive', SKIPPED, SKIPPED]);
    expect(await readdir(join(home, 's'))).toHaveLength(1);
    const thinned = await runUntilStopped(
      ['prune', '--in-archive', 'archive', '--keep-last', '1', '--apply'],
      2,
    );
    expect(thinned.found.toSorted()).toEqual([
      expect.stringMatching(/^keep: /),
      expect.stringMatching(/^remove: /),
      SKIPPED,
    ]);
  });

  it('remove a fork at the turn of its parent', async () => {
    // The parent was continued after that, so it comes first.
    const fork = { id: 'fork', parentSession: 'p.jsonl', start: '2026-03-01T09:30:00.000Z' };
    await writeFiles(home, {
      'f/p.jsonl': sampleSession({ id: 'p' }),
      'f/fork.jsonl': sampleSession(fork),
    });
    const abort = new AbortController();
    // An archive asks for the time of each session that it takes.
    const now = (): number => {
      if (existsSync(join(home, 'archive'))) abort.abort();
      return NOW;
    };
    const prune = ['prune', '--store', 'f', '--older-than', '1d', '--allow-empty', '--apply'];
    const args = [...prune, '--archive', 'archive', '--jobs', '1', '--json'];
    const { out } = await runTest(args, { cwd: home, home, now, signal: abort.signal });
    const { results } = JSON.parse(out) as { results: { path: string; action: string }[] };
    const found = results.map(({ path, action }) => `${action} ${basename(path)}`);
    expect(found).toEqual(['skip p.jsonl', 'remove fork.jsonl']);
    expect(await readdir(join(home, 'f'))).toEqual(['p.jsonl']);
  });

  it('repair', async () => {
    const torn = (id: string): string =>
      `${sampleSession({ id })
        .map((line) => JSON.stringify(line))
        .join('\n')}\n{"type`;
    await writeFiles(home, {
      't/a.jsonl': torn('a'),
      't/b.jsonl': torn('b'),
      't/c.jsonl': torn('c'),
    });
    const { err } = await runUntilStopped(['validate', '--store', 't', '--fix']);
    expect(err).toBe('coppice: stopped: 2 not reached\n');
    const rejected = (await readdir(join(home, 't'))).filter((name) => name.endsWith('.rejected'));
    expect(rejected).toHaveLength(1);
  });

  it('fork', async () => {
    const { found, err } = await runUntilStopped(['fork', '--store', 's', '--last', '9']);
    expect(found.toSorted()).toEqual([expect.stringMatching(/^fork: /), 'problem: ', 'problem: ']);
    expect(err).toBe('coppice: stopped: 2 not reached\n');
  });
});
