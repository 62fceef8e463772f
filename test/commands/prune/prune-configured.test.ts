import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest, type TestRun } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, {
    '.pi/agent/sessions/--p--/a.jsonl': sampleSession({ id: 'aaaaaaaa-1' }),
    '.pi/agent/sessions/--p--/b.jsonl': sampleSession({ id: 'bbbbbbbb-2' }),
  });
});

async function prune(config: object, ...argv: readonly string[]): Promise<TestRun> {
  await writeFiles(dir, { '.config/coppice/config.json': JSON.stringify(config) });
  return runTest(['prune', '--grace', '0min', ...argv], { cwd: dir, home: dir });
}

describe('a configuration', () => {
  it.each([
    [{ prune: { 'keep-id': ['aaaaaaaa'] } }],
    [{ prune: { 'keep-named': true, 'keep-labeled': true } }],
    [{ defaults: { agent: 'pi' } }],
    [{ defaults: { project: '/home/dev/orchard', 'newer-than': '90y' } }],
  ])('that only narrows or protects selects nothing for removal: %j', async (config) => {
    const { exitCode, out, err } = await prune(config);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain('the configuration only narrows and protects');
  });

  it.each([
    [{ defaults: { agent: 'pi' } }],
    [{ prune: { project: '/home/dev/orchard', 'smaller-than': '1GB' } }],
    [{ prune: { last: 2, 'newer-than': '90y' } }],
  ])('that only narrows is no other selector beside --last: %j', async (config) => {
    const { exitCode, out, err } = await prune(config, '--last', '1');
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toContain('--last 1: in prune it selects the newest sessions for removal');
  });

  it.each([
    [{ prune: { 'keep-last': 1 } }, [], 'Would remove 1 of 2 sessions'],
    [{ prune: { 'older-than': '1d' } }, [], 'Would remove 1 of 2 sessions'],
    [{ prune: { 'keep-id': ['aaaaaaaa'] } }, ['--older-than', '1d'], 'Would remove 1 of 2'],
    [{ defaults: { agent: 'pi' } }, ['--keep-last', '1'], 'Would remove 1 of 2 sessions'],
    [{}, ['--keep-id', 'aaaaaaaa'], 'Would remove 1 of 2 sessions'],
  ])(
    'is a rule as on the command line, or narrows one that is: %j %j',
    async (config, argv, says) => {
      const { exitCode, out } = await prune(config, ...argv);
      expect([exitCode, out]).toEqual([0, expect.stringContaining(says)]);
    },
  );

  it('lets a plan be applied as it was made, and deleted where the command line says so', async () => {
    const archive = join(dir, 'old');
    const plan = ['--plan-out', join(dir, 'p')];
    expect((await prune({ prune: { 'keep-last': 1, archive } }, ...plan)).exitCode).toBe(0);
    const apply = ['prune', '--plan', join(dir, 'p'), '--delete', '--apply'];
    const { out, err } = await runTest(apply, { cwd: dir, home: dir });
    expect([err, out]).toEqual(['', expect.stringMatching(/^Removed 1 of 2 sessions and freed/m)]);
    expect(existsSync(archive)).toBe(false);
  });
});
