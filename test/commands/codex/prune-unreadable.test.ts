import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { getRecorded, placeIn } from '../../session/agents/codex/corpus.ts';
import { makeFamily, PARENT } from '../../session/agents/codex/made-family.ts';
import { makeTempDir } from '../../temp-dir.ts';

const ALL = ['--larger-than', '1B', '--grace', '0s', '--allow-empty', '--include-pinned'];

async function prune(home: string, ...argv: readonly string[]) {
  const options = { cwd: home, home, env: { CODEX_HOME: home } };
  return runTest(['prune', '--agent', 'codex', ...ALL, '--delete', '--apply', ...argv], options);
}

it.each(['config.toml', 'thread-writer-locks'])(
  'prune keeps a thread while %s cannot be read, and exits with 3',
  async (name) => {
    const home = await makeTempDir();
    const path = await placeIn(home, getRecorded('linear-tools'));
    symlinkSync(name, join(home, name));
    const { exitCode, err } = await prune(home);
    expect([exitCode, err]).toEqual([3, expect.stringContaining('too many symbolic links')]);
    expect(existsSync(path)).toBe(true);
  },
);

it('prune keeps what a fork needs that cannot be rewritten, and exits with 3', async () => {
  const home = await makeTempDir();
  const parent = makeFamily(home).get(PARENT) ?? '';
  const lock = join(home, 'thread-writer-locks');
  const kept = ['2', '3', '4'].flatMap((end) => ['--keep-id', PARENT.replace(/1$/, end)]);
  symlinkSync('thread-writer-locks', lock);
  const { exitCode } = await prune(home, ...kept, '--flatten');
  expect([exitCode, existsSync(parent)]).toEqual([3, true]);
});
