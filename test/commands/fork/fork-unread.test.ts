import { appendFile, copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { branchedSession } from '../../branched-session.ts';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');
const LEFT_OUT = 'could not be read, and';
const CLAUDE_CODE =
  '.claude/projects/-home-u-demo-project/9ea00f87-f67b-45df-9923-ae7bf95e99d0.jsonl';
const PI = 'sessions/--p--/s.jsonl';

async function copy(fixture: string, name: string): Promise<string> {
  const dir = await makeTempDir();
  await writeFiles(dir, { [name]: '' });
  await copyFile(join(FIXTURES, fixture), join(dir, name));
  return dir;
}

async function writePi(): Promise<string> {
  const dir = await makeTempDir();
  await writeFiles(dir, { [PI]: branchedSession() });
  return dir;
}

describe('fork reports lines that could not be read', () => {
  it.each([
    ['pi', writePi, PI],
    [
      'neovate',
      () => copy('neovate/linear-tools.jsonl', '.neovate/projects/p/00000001.jsonl'),
      '.neovate/projects/p/00000001.jsonl',
    ],
    ['claude-code', () => copy(`claude-code/home/${CLAUDE_CODE}`, CLAUDE_CODE), CLAUDE_CODE],
  ])('of %s, which are not in the new session', async (_, make, name) => {
    const dir = await make();
    const run = (...args: string[]) =>
      runTest(['fork', name, '--dry-run', ...args], { cwd: dir, home: dir });
    const before = await run();
    expect(before.err).not.toContain(LEFT_OUT);
    await appendFile(join(dir, name), '{"type":"mess');
    const { exitCode, err } = await run();
    expect(exitCode).toBe(0);
    expect(err).toContain(`coppice: ~/${name}: 1 line ${LEFT_OUT} is not in the new session\n`);
    expect((await run('--quiet')).err).toBe('');
    expect((await run('--whole', '--json')).out).toContain(LEFT_OUT);
  });
});
