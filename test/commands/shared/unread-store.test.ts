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

  it.each(['list', 'list --by day', 'validate', 'migrate', 'compact', 'export --out o'])(
    'do not concern sessions of another agent that was asked for: %s --agent',
    async (command) => {
      const own = await run(`${command} --agent pi`);
      expect({ exitCode: own.exitCode, err: own.err }).toEqual({
        exitCode: 0,
        err: expect.not.stringContaining('too many symbolic links'),
      });
      const { exitCode } = await run(`${command} --agent codex`);
      expect(exitCode).toBe(3);
    },
  );

  it('concern every agent if they were named', async () => {
    const { exitCode, err } = await run('list --agent pi --store home/.pi --store home/.codex');
    expect(exitCode).toBe(3);
    expect(err).toContain('too many symbolic links');
  });

  it.each(['list', 'validate', 'prune --older-than 1d'])(
    'are those of the agent that was asked for, if there is none: %s',
    async (command) => {
      const [argv, home] = [`${command} --agent claude-code`.split(' '), join(dir, 'nobody')];
      const { exitCode, err } = await runTest(argv, { cwd: dir, home });
      const path = join(home, '.claude', 'projects');
      expect({ exitCode, err }).toEqual({
        exitCode: 2,
        err: `coppice: no session store here: looked for ${path}. Name one with --store <dir>.\n`,
      });
    },
  );
});
