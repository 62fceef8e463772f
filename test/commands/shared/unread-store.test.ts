import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

describe('stores of which one cannot be looked up', () => {
  let dir: string;
  const run = (command: string) =>
    runTest(command.split(' '), { cwd: dir, home: join(dir, 'home') });

  beforeEach(async () => {
    dir = await makeTempDir();
    await writeFiles(dir, { 'home/.pi/agent/sessions/--a--/a.jsonl': sampleSession() });
    await mkdir(join(dir, 'home/.codex'));
    await symlink('sessions', join(dir, 'home/.codex/sessions'));
  });

  it.each(['list --json', 'validate --format json', 'migrate --json', 'compact --json'])(
    'name it, and do the rest: %s',
    async (command) => {
      const { exitCode, err, out } = await run(command);
      expect(exitCode).toBe(3);
      const problem = 'cannot read the directory: too many symbolic links';
      expect(`${err}${out}`).toContain(problem);
      expect(out).toContain('a.jsonl');
    },
  );

  it('are named once, though `migrate --cwd` searches them twice', async () => {
    const { err } = await run('migrate --cwd /nowhere=/elsewhere');
    expect(err.split('too many symbolic links')).toHaveLength(2);
  });

  it('keep `prune` from removing anything: what is there may need it', async () => {
    const { exitCode, err } = await run('prune --older-than 1d --delete --apply --allow-empty');
    expect(exitCode).toBe(2);
    expect(err).toContain('.codex/sessions: cannot read: too many symbolic links');
  });
});
