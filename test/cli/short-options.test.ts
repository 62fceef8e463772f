import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { splitShortOptions } from '../../src/cli/short-options.ts';
import { forkOptions } from '../../src/commands/fork/options.ts';
import { validateOptions } from '../../src/commands/validate/options.ts';
import { runTest } from '../memory-terminal.ts';
import { toSession, user } from '../session-lines.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';

describe('splitShortOptions', () => {
  it.each([
    ['-qj4', ['-q', '-j', '4']],
    ['-j4q', ['-j', '4q']],
    ['-jq', ['-j', 'q']],
    ['-j=4', ['-j', '4']],
    ['-ofile.json', ['-o', 'file.json']],
    ['-qh', ['-q', '-h']],
    ['-q', ['-q']],
    ['-', ['-']],
    ['-1', ['-1']],
    ['--quiet', ['--quiet']],
    ['-x.jsonl', ['-x.jsonl']],
    ['-qx', ['-qx']],
    ['-q=true', ['-q=true']],
  ])('takes %s as %j', (word, expected) => {
    expect(splitShortOptions(['a', word], validateOptions)).toEqual(['a', ...expected]);
  });

  it('leaves values and targets as they are', () => {
    const words = ['--label', '-qj4', '--', '-qj4'];
    expect(splitShortOptions(words, forkOptions)).toEqual(words);
    expect(splitShortOptions(['--name', '-qj4'], forkOptions)).toEqual(['--name', '-q', '-j', '4']);
  });
});

describe('short options in one word', () => {
  it('have their values, as in other programs', async () => {
    const cwd = await makeTempDir();
    await writeFiles(cwd, { 's.jsonl': toSession([user('Hi.')]) });
    const { exitCode, err } = await runTest(['validate', 's.jsonl', '-qofound.json', '--json'], {
      cwd,
    });
    expect([exitCode, err]).toEqual([0, '']);
    expect(JSON.parse(await readFile(join(cwd, 'found.json'), 'utf8')).summary.sessions).toBe(1);
    for (const word of ['-jq', '-j0']) {
      const refused = await runTest(['list', 's.jsonl', word], { cwd });
      const message = 'coppice: --jobs: expected a whole number from 1 to 256\n';
      expect([refused.exitCode, refused.err]).toEqual([2, message]);
    }
  });
});
