import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWritable } from '../store/database/open-writable.ts';
import { makeTempDir } from '../temp-dir.ts';
import { makeCodexHome } from './codex-home.ts';
import { HERE, runHere, runOnWindows, WINDOWS } from './node-exe.ts';

const PRUNE =
  'prune --agent codex --older-than 30d --allow-empty --apply --archive archive --quiet';
const RESTORE = 'prune --archive archive --restore all --store home/.codex --quiet';
/** One of them is a sub-agent's. */
const THREADS = 10;

/** What the client has noted of each thread: where its file is. */
function readPaths(home: string): readonly string[] {
  const state = openWritable(join(home, 'state_5.sqlite'));
  const rows = state.prepare('SELECT rollout_path AS path FROM threads ORDER BY id').all();
  state.close();
  return (rows as readonly { readonly path: string }[]).map(({ path }) => path);
}

describe('threads of Codex with their rows', () => {
  const windows = { system: WINDOWS, run: runOnWindows };
  const here = { system: HERE, run: runHere };
  it.each([
    ['archived on Windows are restored on Linux, and named by the paths there', windows, here],
    ['archived on Linux are restored on Windows, and named by the paths there', here, windows],
  ])('%s', async (_, from, to) => {
    const dir = await makeTempDir();
    const home = join(dir, 'home/.codex');
    mkdirSync(join(dir, 'home'));
    makeCodexHome(dir, from.system);
    const old = readPaths(home);
    expect(old).toHaveLength(THREADS);
    const options = { cwd: dir, home: join(dir, 'home'), node: 22 } as const;
    const done = { code: 0, err: '' };
    expect(await from.run(PRUNE.split(' '), options)).toMatchObject(done);
    expect(readPaths(home)).toEqual([]);
    expect(await to.run(RESTORE.split(' '), options)).toMatchObject(done);
    const files = old.map((path) => {
      const slashed = path.replace(/^Z:/, '').replaceAll('\\', '/');
      // Rows have the plain name of what is compressed, too.
      expect(existsSync(slashed) || existsSync(`${slashed}.zst`)).toBe(true);
      return to.system.toPath(slashed);
    });
    expect(readPaths(home)).toEqual(files);
  });
});
