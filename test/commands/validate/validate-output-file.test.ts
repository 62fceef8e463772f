import { writeFileSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { FORMAT_NAMES } from '../../../src/report/findings/formats/formats.ts';
import { runTest, type TestRun } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const TORN = `${toJsonl(sampleSession())}{"type":`;

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, { 'sessions/a.jsonl': TORN });
});

const validate = (...argv: readonly string[]): Promise<TestRun> =>
  runTest(['validate', 'sessions', ...argv], { cwd: dir, columns: 100 });
const read = (name: string): Promise<string> => readFile(join(dir, name), 'utf8');

describe('validate --output-file', () => {
  it.each(FORMAT_NAMES)('writes what %s prints, and the summary for people', async (format) => {
    const { out } = await runTest(['validate', 'sessions', '--format', format], { cwd: dir });
    const run = await validate('--format', format, '-o', 'report', '--no-color');
    expect(run).toEqual({
      exitCode: 1,
      out: '1 problem (1 error) in 1 of 1 session. 1 can be repaired: --fix\n',
      err: '',
    });
    expect(await read('report')).toBe(out);
  });

  it('prints nothing with --quiet, and makes directories', async () => {
    const run = await validate('--output-file', 'out/deep/report.txt', '--quiet');
    expect(run).toEqual({ exitCode: 1, out: '', err: '' });
    expect(await read('out/deep/report.txt')).toContain('line-torn');
  });

  it('replaces a file in one step, also behind a link, and keeps its mode', async () => {
    await writeFiles(dir, { 'old.txt': 'old' });
    await chmod(join(dir, 'old.txt'), 0o640);
    await symlink('old.txt', join(dir, 'link'));
    await validate('-o', 'link');
    expect(await read('old.txt')).toContain('line-torn');
    expect((await stat(join(dir, 'old.txt'))).mode & 0o777).toBe(0o640);
    expect((await readdir(dir)).toSorted()).toEqual(['link', 'old.txt', 'sessions']);
  });

  it('is for its owner only, and prints to standard output with a dash', async () => {
    await validate('-o', 'new.txt');
    expect((await stat(join(dir, 'new.txt'))).mode & 0o777).toBe(0o600);
    const { out } = await validate();
    expect((await validate('-o', '-')).out).toBe(out);
    expect(await readdir(dir)).not.toContain('-');
  });

  it.each(['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1', '/dev/null'])(
    'never replaces what is behind %s',
    async (path) => {
      const { exitCode, out, err } = await validate('-o', path);
      expect([exitCode, out]).toEqual([2, '']);
      expect(err).toContain(
        `${path}: not an ordinary file; name another, or - for standard output`,
      );
    },
  );

  it.each(FORMAT_NAMES)(
    'replaces the report of a former run as %s, and does not check it',
    async (format) => {
      await writeFiles(dir, { 'sessions/b.jsonl': sampleSession() });
      for (const options of [[], ['--quiet'], ['--rule', 'line-torn=off']]) {
        for (const file of ['report.json', 'report.jsonl']) {
          const args = ['--format', format, '-o', `sessions/${file}`, ...options];
          const first = await validate(...args);
          const report = await read(`sessions/${file}`);
          expect(await validate(...args)).toEqual(first);
          expect(await read(`sessions/${file}`)).toBe(report);
          const named = ['sessions/a.jsonl', 'sessions/b.jsonl', `sessions/${file}`, ...args];
          const { exitCode, err } = await runTest(['validate', ...named], { cwd: dir });
          expect({ exitCode, err }).toEqual({ exitCode: first.exitCode, err: '' });
          await rm(join(dir, 'sessions', file));
        }
      }
    },
  );

  it('never takes the place of a session, or of what is not a file', async () => {
    await writeFiles(dir, {
      'other.jsonl': sampleSession(),
      'sessions/cut.jsonl': '{"ty',
      'sessions/empty.jsonl': '',
    });
    await mkdir(join(dir, 'folder'));
    await symlink('sessions/a.jsonl', join(dir, 'link'));
    for (const [file, message] of [
      ['sessions/a.jsonl', 'is a session; name another file'],
      ['link', 'is a session; name another file'],
      ['other.jsonl', 'is a session; name another file'],
      ['sessions/cut.jsonl', 'is one of the files to check; name another file'],
      ['sessions/empty.jsonl', 'is one of the files to check; name another file'],
      ['folder', 'not an ordinary file; name another'],
    ]) {
      const { exitCode, out, err } = await validate('-o', String(file));
      expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
      expect(err).toContain(message);
    }
    expect(await read('sessions/a.jsonl')).toBe(TORN);
  });

  it('repairs nothing when it can be seen that the report cannot be written', async () => {
    await writeFiles(dir, { 'not-a-directory': '' });
    const { exitCode, err } = await validate('--fix', '--grace', '0min', '-o', 'not-a-directory/x');
    expect(exitCode).toBe(2);
    expect(err).toContain('not-a-directory/x');
    expect(await read('sessions/a.jsonl')).toBe(TORN);
  });

  it('names what was repaired when the report cannot be written after all', async () => {
    const argv = ['validate', 'sessions', '--fix', '--grace', '0min', '-o', 'out/report'];
    const { exitCode, err } = await runTest(argv, {
      cwd: dir,
      onFound: () => writeFileSync(join(dir, 'out'), ''),
    });
    expect(exitCode).toBe(2);
    expect(err).toMatch(/^repair .*sessions\/a\.jsonl\ncoppice: .*out\/report: cannot write/);
  });

  it('is only accepted on the command line', async () => {
    await writeFiles(dir, {
      'coppice.config.json': JSON.stringify({ validate: { 'output-file': 'x' } }),
    });
    expect((await validate()).err).toContain(
      'validate.output-file: is only accepted on the command line',
    );
    const rules = await runTest(['validate', '--list-rules', '-o', 'x', '--no-config'], {
      cwd: dir,
    });
    expect(rules).toMatchObject({ exitCode: 2, out: '' });
    expect(rules.err).toContain('--output-file');
  });
});
