import { chmod, readdir, readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW, runTest } from '../../memory-terminal.ts';
import { asOrdinaryUser, shareNewFiles } from '../../ordinary-user.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

shareNewFiles();

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
});

const validate = (...args: string[]) => runTest(['validate', ...args], { cwd: dir });
const HEALTHY = sampleSession();
const TORN = toJsonl(HEALTHY).slice(0, -40);

describe('validate', () => {
  it('finds nothing in healthy sessions', async () => {
    await writeFiles(dir, { 'a.jsonl': HEALTHY, 'b.jsonl': sampleSession({ name: 'B' }) });
    expect(await validate('.')).toEqual({
      exitCode: 0,
      out: '2 sessions, no problems.\n',
      err: '',
    });
    expect(await validate('.', '--quiet')).toEqual({ exitCode: 0, out: '', err: '' });
  });

  it('exits 1 for errors, and for more warnings than are allowed', async () => {
    await writeFiles(dir, { 'torn.jsonl': TORN, 'open.jsonl': toJsonl(HEALTHY).trimEnd() });
    expect((await validate('torn.jsonl')).exitCode).toBe(1);
    expect((await validate('open.jsonl')).exitCode).toBe(0);
    expect((await validate('open.jsonl', '--max-warnings', '1')).exitCode).toBe(0);
    expect((await validate('open.jsonl', '--max-warnings', '0')).exitCode).toBe(1);
  });

  it('shows errors only with --quiet, and counts the warnings all the same', async () => {
    await writeFiles(dir, { 'torn.jsonl': TORN, 'open.jsonl': toJsonl(HEALTHY).trimEnd() });
    const { out, exitCode } = await validate('.', '--quiet');
    expect([exitCode, out]).toEqual([1, expect.stringContaining('line-torn')]);
    expect(out).not.toMatch(/warning|info|problems/);
    const open = await validate('open.jsonl', '--quiet', '--max-warnings', '0');
    const err = 'coppice: 1 warning, more than --max-warnings 0\n';
    expect(open).toEqual({ exitCode: 1, out: '', err });
    const { results } = JSON.parse((await validate('.', '--quiet', '--json')).out);
    expect(new Set(results.map(({ level }: { level: string }) => level))).toEqual(
      new Set(['error']),
    );
  });

  it('claims no health for what it could not check', async () => {
    await writeFiles(dir, { 'text.txt': 'hello\n', 'a.jsonl': HEALTHY });
    const { out, exitCode } = await validate('text.txt', 'a.jsonl');
    expect(out).toMatch(/\n1 of 2 files could not be checked\.\n$/);
    expect([exitCode, out]).toEqual([3, expect.not.stringContaining('no problems')]);
  });

  it('takes other levels for rules, and none', async () => {
    await writeFiles(dir, { 'a.jsonl': TORN });
    expect((await validate('.', '--rule', 'line-torn=warning')).exitCode).toBe(0);
    const off = await validate('.', '--rule', 'line-torn=off');
    expect(off).toMatchObject({ exitCode: 0, out: '1 session, no problems.\n' });
  });

  it.each([
    [['--rule', 'no-such=error'], "unknown rule 'no-such'; see --list-rules"],
    [['--rule', 'line-torn=fatal'], 'line-torn=off|info|warning|error'],
    [['--rule', 'line-torn'], 'line-torn=off|info|warning|error'],
    [['--format', 'xml'], '--format xml: unknown value; use one of auto, pretty'],
    [['--max-warnings', 'many'], '--max-warnings: expected a whole number'],
    [['--list-rules'], '--list-rules: cannot be combined with targets'],
  ])('refuses %j', async (args, message) => {
    const run = await validate('.', ...args);
    expect(run).toMatchObject({ exitCode: 2, out: '' });
    expect(run.err).toContain(message);
  });

  it('annotates in a GitHub Actions job', async () => {
    await writeFiles(dir, { 'a.jsonl': TORN });
    const env = { GITHUB_ACTIONS: 'true' };
    const { out } = await runTest(['validate', '.'], { cwd: dir, env });
    expect(out).toMatch(/^::error file=a\.jsonl,line=3,title=line-torn::/);
  });

  it('names what cannot be read or is not a session, checks the rest, and exits 3', async () => {
    await writeFiles(dir, {
      'a.jsonl': TORN,
      'b.jsonl': HEALTHY,
      'c.bin': Buffer.alloc(3000, 0xfe),
    });
    await chmod(dir, 0o755);
    await chmod(join(dir, 'b.jsonl'), 0o000);
    const run = await asOrdinaryUser(() => validate('a.jsonl', 'b.jsonl', 'c.bin'));
    expect(run.exitCode).toBe(3);
    expect(run.out).toContain('line-torn');
    expect(run.out).toContain('cannot read: permission denied');
    expect(run.out).toContain('is not a session file of a known agent');
  });

  it('checks only the selected sessions', async () => {
    await writeFiles(dir, { 'a.jsonl': TORN, 'b.jsonl': sampleSession({ cwd: '/other' }) });
    const { out } = await validate('.', '--project', '/other');
    expect(out).toBe('1 session, no problems.\n');
  });

  it('lists its rules', async () => {
    const { out } = await validate('--list-rules');
    expect(out).toMatch(/^line-torn +error +--fix {2}\S/m);
    const { results } = JSON.parse((await validate('--list-rules', '--json')).out) as {
      results: { id: string; help: string }[];
    };
    expect(results.find(({ id }) => id === 'line-torn')?.help).toContain('.');
    expect(new Set(results.map(({ id }) => id)).size).toBe(results.length);
  });
});

describe('validate --fix', () => {
  const REST = new Date(NOW - 86_400_000);

  beforeEach(async () => {
    await writeFiles(dir, { 'a.jsonl': TORN, 'b.jsonl': HEALTHY });
    for (const name of ['a.jsonl', 'b.jsonl']) await utimes(join(dir, name), REST, REST);
  });

  it('only says what it would do, when asked to', async () => {
    const run = await validate('.', '--fix-dry-run');
    expect(run.out).toMatch(/a\.jsonl\n +3 +error .* line-torn +would be repaired\n\n/);
    expect(run.out).toMatch(/\n2 sessions, no other problems\. 1 would be repaired: --fix\n$/);
    expect(await readFile(join(dir, 'a.jsonl'), 'utf8')).toBe(TORN);
    expect(await readdir(dir)).toEqual(['a.jsonl', 'b.jsonl']);
  });

  it('repairs, keeps what it takes out, and leaves the healthy untouched', async () => {
    const before = await stat(join(dir, 'b.jsonl'));
    const run = await validate('.', '--fix');
    expect(run).toMatchObject({ exitCode: 0, err: '' });
    expect(run.out).toMatch(
      / line-torn +repaired\n\n2 sessions, no other problems\. 1 was repaired\.\n$/,
    );
    const [header, question] = HEALTHY;
    const fixed = toJsonl([header ?? {}, question ?? {}]);
    expect(await readFile(join(dir, 'a.jsonl'), 'utf8')).toBe(fixed);
    const rejected = await readFile(join(dir, 'a.jsonl.rejected'), 'utf8');
    expect(JSON.parse(rejected)).toMatchObject({ line: 3, text: TORN.slice(fixed.length) });
    const { ino, mtimeMs } = await stat(join(dir, 'b.jsonl'));
    expect({ ino, mtimeMs }).toEqual({ ino: before.ino, mtimeMs: before.mtimeMs });
    expect((await validate('.')).out).toBe('2 sessions, no problems.\n');
  });

  it('leaves alone what was in use a moment ago, and says so', async () => {
    await utimes(join(dir, 'a.jsonl'), new Date(NOW), new Date(NOW - 60_000));
    const run = await validate('.', '--fix');
    expect(run.exitCode).toBe(1);
    expect(run.err).toContain('not repaired: changed 1 min ago, within --grace 10min');
    expect(await readFile(join(dir, 'a.jsonl'), 'utf8')).toBe(TORN);
    expect((await validate('.', '--fix', '--grace', '0')).exitCode).toBe(0);
  });
});
