import { appendFile, copyFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');
const LEFT_OUT = 'could not be read, and';

it.each([
  [
    'claude-code/home',
    '.claude/projects/-home-u-demo-project/9ea00f87-f67b-45df-9923-ae7bf95e99d0.jsonl',
    '',
  ],
  [
    'codex/home',
    'archived_sessions/rollout-2026-11-21T21-22-35-01a1fffd-58f8-73e3-88f2-15ee10c483f9.jsonl',
    '.codex',
  ],
])(
  'a session of %s that becomes one of pi lacks lines that could not be read',
  async (from, name, below) => {
    const dir = await makeTempDir();
    const place = join(below, name);
    await writeFiles(dir, { [place]: '' });
    await copyFile(join(FIXTURES, from, name), join(dir, place));
    const args = ['migrate', '--to', 'pi', '--grace', '0s', '--out', 'new', place];
    const run = () => runTest(args, { cwd: dir, home: dir });
    const before = await run();
    expect(before.out).toContain('Would migrate 1 of 1 session.');
    expect(before.err).not.toContain(LEFT_OUT);
    await appendFile(join(dir, place), 'no JSON\n{"type":"mess');
    const { exitCode, err } = await run();
    expect(exitCode).toBe(before.exitCode);
    expect(err).toMatch(
      new RegExp(`/${basename(name)}:\\d+: 2 lines ${LEFT_OUT} are not in the new session\\n`),
    );
  },
);
