import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { getOwnPlace } from '../../../src/session/jsonl/files/process-place.ts';
import { runTest, type TestWorld } from '../../memory-terminal.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const HEADER = { type: 'session', id: 's', timestamp: '2025-01-01T00:00:00.000Z', cwd: '/src/api' };
const MESSAGE = {
  type: 'message',
  timestamp: '2025-01-01T00:01:00.000Z',
  message: { role: 'user', content: 'hi', timestamp: 1_735_689_660_000 },
};
const CURRENT = [
  { ...HEADER, version: 3 },
  { ...MESSAGE, id: 'a', parentId: null },
];
const OLD_TIME = new Date('2025-01-01T00:02:00.000Z');

async function setUp(files: Readonly<Record<string, string | readonly object[]>>) {
  const dir = await makeTempDir();
  await writeFiles(dir, files);
  for (const name of Object.keys(files)) utimesSync(join(dir, name), OLD_TIME, OLD_TIME);
  const run = (argv: readonly string[], world?: TestWorld) =>
    runTest(['migrate', '--store', dir, ...argv], world);
  return { dir, run, read: (name: string) => readFileSync(join(dir, name), 'utf8') };
}

function getResults(out: string): Record<string, unknown>[] {
  const { results }: { results: Record<string, unknown>[] } = JSON.parse(out);
  return results;
}

describe('coppice migrate', () => {
  it('shows what it would do, does it when told to, and then has nothing to do', async () => {
    const { dir, run, read } = await setUp({
      'a/1.jsonl': [HEADER, MESSAGE],
      'a/2.jsonl': CURRENT,
    });
    const preview = await run([]);
    expect(preview.exitCode).toBe(0);
    expect(preview.out).toContain(`migrate  ${dir}/a/1.jsonl`);
    expect(preview.out).toContain(
      'Would migrate 1 of 2 sessions. 1 is up to date. Nothing was changed.',
    );
    expect(preview.out).not.toContain('2.jsonl');
    expect(read('a/1.jsonl')).toBe(toJsonl([HEADER, MESSAGE]));

    expect((await run(['--apply', '--dry-run'])).out).toContain('Nothing was changed');
    expect((await run(['--apply'])).out).toContain('Migrated 1 of 2 sessions.');
    expect(read('a/1.jsonl')).toContain('"version":3');
    expect((await run([])).out).toBe(
      'Would migrate 0 of 2 sessions. 2 are up to date. Nothing was changed.\n',
    );
  });

  it('exits 1 for --check when there is something to do, and changes nothing', async () => {
    const { run, read } = await setUp({ '1.jsonl': [HEADER, MESSAGE] });
    const { exitCode, out } = await run(['--check']);
    expect([exitCode, out.split('\n').at(-2)]).toEqual([
      1,
      'To apply: run it with --apply instead of --check.',
    ]);
    expect(read('1.jsonl')).toBe(toJsonl([HEADER, MESSAGE]));
    await run(['--apply']);
    expect((await run(['--check'])).exitCode).toBe(0);
  });

  it('answers the same for every --jobs, as JSON', async () => {
    const names = Array.from({ length: 9 }, (_, at) => `${at}.jsonl`);
    const { run } = await setUp(Object.fromEntries(names.map((name) => [name, [HEADER, MESSAGE]])));
    const [one, many] = [
      await run(['--json', '--jobs', '1']),
      await run(['--json', '--jobs', '8']),
    ];
    expect(one.out).toBe(many.out);
    expect(getResults(one.out)[0]).toMatchObject({
      action: 'migrate',
      fromVersion: 1,
      toVersion: 3,
      problems: [],
    });
  });

  it('leaves alone what was in use a moment ago', async () => {
    const { dir, run, read } = await setUp({ '1.jsonl': [HEADER, MESSAGE] });
    utimesSync(join(dir, '1.jsonl'), new Date(), new Date('2127-01-15T11:55:00.000Z'));
    const { out, exitCode } = await run(['--apply']);
    expect(exitCode).toBe(0);
    expect(out).toContain('changed 5 min ago, within --grace 10min');
    expect((await run(['--check'])).exitCode).toBe(1);
    expect(read('1.jsonl')).not.toContain('version');
    expect((await run(['--apply', '--grace', '1min'])).out).toContain('Migrated 1 of 1');
  });

  it('clears away what a killed run has left, when it writes itself', async () => {
    const { dir, run } = await setUp({ '1.jsonl': CURRENT });
    const left = `.1.jsonl.${spawnSync('true').pid}@${getOwnPlace()}.0123456789ab.coppice-tmp`;
    await writeFiles(dir, { [left]: 'half' });
    await run([]);
    expect(existsSync(join(dir, left))).toBe(true);
    await run(['--apply']);
    expect(readdirSync(dir)).toEqual(['1.jsonl']);
  });

  it('mirrors the layout with --out', async () => {
    const { dir, run, read } = await setUp({ 's/--p--/1.jsonl': [HEADER, MESSAGE] });
    const out = join(dir, 'out');
    const argv = ['migrate', '--store', join(dir, 's'), '--out', out, '--apply'];
    expect((await runTest(argv)).exitCode).toBe(0);
    expect(read('out/--p--/1.jsonl')).toContain('"version":3');
    expect(read('s/--p--/1.jsonl')).not.toContain('version');
    expect((await run(['--json'])).exitCode).toBe(0);
  });

  it('writes only the first of two sessions with one path below --out, as its preview says', async () => {
    const { dir, read } = await setUp({
      'a/--p--/1.jsonl': [HEADER, MESSAGE],
      'a/--p--/2.jsonl': CURRENT,
      'b/--p--/1.jsonl': [{ ...HEADER, id: 'other' }, MESSAGE],
      'b/--p--/2.jsonl': [HEADER, MESSAGE],
    });
    const stores = ['--store', join(dir, 'a'), '--store', join(dir, 'b')];
    const migrate = async (...more: readonly string[]) => {
      const argv = ['migrate', ...stores, '--out', join(dir, 'out'), '--json', ...more];
      const { out, exitCode } = await runTest(argv);
      return { exitCode, results: getResults(out).map(({ path, action }) => [path, action]) };
    };
    const preview = await migrate('--dry-run');
    expect(preview.exitCode).toBe(3);
    expect(preview.results).toContainEqual([join(dir, 'a/--p--/1.jsonl'), 'migrate']);
    expect(preview.results).toContainEqual([join(dir, 'b/--p--/1.jsonl'), undefined]);
    // The other one is of the current version, and not written.
    expect(preview.results).toContainEqual([join(dir, 'b/--p--/2.jsonl'), 'migrate']);
    expect(await migrate('--apply')).toEqual(preview);
    expect(read('out/--p--/1.jsonl')).toContain('"id":"s"');
    for (const more of ['--dry-run', '--apply']) {
      const again = await migrate(more);
      expect(again.exitCode).toBe(3);
      expect(again.results).toContainEqual([join(dir, 'a/--p--/1.jsonl'), 'skip']);
      expect(again.results).toContainEqual([join(dir, 'b/--p--/1.jsonl'), 'fail']);
    }
    const { err } = await runTest(['migrate', ...stores, '--out', join(dir, 'out'), '--apply']);
    const other = join(dir, 'out/--p--/1.jsonl');
    expect(err).toContain(`b/--p--/1.jsonl: another session already exists: ${other}\n`);
  });

  it('fails where an array would be written over another session below --out', async () => {
    const { dir } = await setUp({
      'store/1.json': [[{ ...HEADER, id: 'array' }]],
      'out/1.jsonl': CURRENT,
    });
    const store = ['--store', join(dir, 'store')];
    const argv = ['migrate', ...store, '--out', join(dir, 'out'), '--apply'];
    const { exitCode, err } = await runTest(argv);
    expect([exitCode, err]).toEqual([
      3,
      `coppice: ${dir}/store/1.json: another session already exists: ${dir}/out/1.jsonl\n`,
    ]);
  });

  it('shows where each session goes', async () => {
    const { dir } = await setUp({ 's/--p--/1.jsonl': [HEADER, MESSAGE] });
    const argv = ['migrate', '--store', join(dir, 's'), '--out', join(dir, 'out')];
    const { out } = await runTest(argv, { columns: 400 });
    expect(out).toMatch(/^[^\n]*ACTION.*NEW PATH/);
    expect(out).toContain(join(dir, 'out/--p--/1.jsonl'));
  });

  it('exits 3 and names the cause when one file fails, and does the others', async () => {
    const { dir, run, read } = await setUp({
      '1.jsonl': [HEADER, MESSAGE],
      '2.jsonl': [HEADER, MESSAGE],
      '1.jsonl.bak': 'mine',
    });
    const { exitCode, err } = await run(['--apply', '--backup', '.bak']);
    expect(exitCode).toBe(3);
    expect(err).toBe(`coppice: ${dir}/1.jsonl: would overwrite another file: ${dir}/1.jsonl.bak\n`);
    expect(read('1.jsonl.bak')).toBe('mine');
    expect(read('2.jsonl')).toContain('"version":3');
    expect(read('2.jsonl.bak')).not.toContain('version');
  });

  it('frees nothing where it keeps the old file as a backup', async () => {
    const { run } = await setUp({ '1.jsonl': [HEADER, MESSAGE] });
    const count = async (...argv: string[]) => {
      const { out } = await run(['--json', ...argv]);
      const { summary } = JSON.parse(out) as { summary: { bytesReclaimed: number } };
      const [{ bytesBefore = 0, bytesAfter = 0 } = {}] = getResults(out);
      return [
        summary.bytesReclaimed,
        Number(bytesBefore) - Number(bytesAfter),
        -Number(bytesAfter),
      ];
    };
    const [freed, less] = await count();
    expect(freed).toBe(less);
    const [kept, , after] = await count('--backup', '.bak');
    expect(kept).toBe(after);
    expect((await run(['--apply', '--backup', '.bak'])).out).toMatch(
      /Migrated 1 of 1 session\.\n$/,
    );
  });

  it('names lines that it could not carry over', async () => {
    const { run } = await setUp({ '1.jsonl': `${toJsonl([HEADER, MESSAGE])}torn{` });
    const [result] = getResults((await run(['--json'])).out);
    expect(result?.['problems']).toMatchObject([{ line: 3, code: 'line-torn' }]);
    expect((await run([])).err).toContain('1.jsonl:3: is cut off, and is kept');
  });

  it('prints nothing with --check --quiet, whatever it finds', async () => {
    const { run } = await setUp({ '1.jsonl': [HEADER, MESSAGE] });
    expect(await run(['--check', '--quiet'])).toEqual({ exitCode: 1, out: '', err: '' });
  });

  it.each([
    [['--check', '--apply'], '--check: cannot be combined with --apply'],
    [['--out', 'x', '--cwd', '/a=/b'], '--out x: cannot be combined with --cwd'],
    [['--out', 'x', '--backup', '.old'], '--out x: cannot be combined with --backup'],
    [['--backup', '.old.jsonl'], 'expected a suffix'],
    [['--backup', '../x'], 'expected a suffix'],
    [['--backup', '.rejected'], 'names that end in .rejected have another meaning'],
    [['--backup', '.old.ZST'], 'names that end in .ZST have another meaning'],
    [['--backup', '.prompts'], 'names that end in .prompts have another meaning'],
    [['--cwd', '/a'], 'expected <old>=<new>'],
    [['--cwd', '=/a'], 'expected <old>=<new>'],
    [['--cwd', '/a=/a/b'], 'expected <new> outside of <old>'],
    [['--cwd', '/a=/b', '--cwd', '/b=/c'], 'again, by --cwd /b=/c'],
    [['--cwd', '/a=/b', '--cwd', '/b=/a'], 'again, by --cwd /b=/a'],
    [['--cwd', '/x=/y', '--cwd', '/a=/b', '--cwd', '/b/c=/d'], 'again, by --cwd /b/c=/d'],
    [['--cwd', '/a=/b', '--cwd', '/a/=/c'], '--cwd /a=/b moves the same directory; leave out one'],
    [['--cwd', '/a\uFFFD=/b'], 'the name is not UTF-8, and other directories may have it\n'],
    [['--cwd', '/a=/b\uDCFF'], 'other directories may have it; rename the directory first\n'],
    [['--cwd', '/a=/a/'], 'expected <new> outside of <old>'],
    [['--grace', '5m'], 'minutes or months'],
    [['--grace', '2026-01-01'], 'expected an age (90min, 12h, 30d, 2w, 6mo, 1y)\n'],
  ])('refuses %j', async (argv, message) => {
    const { run } = await setUp({ '1.jsonl': CURRENT });
    const { exitCode, err } = await run(argv);
    expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('coppice migrate --cwd', () => {
  it('takes the same move twice for one', async () => {
    const { run } = await setUp({ '1.jsonl': CURRENT });
    expect((await run(['--cwd', '/a=/b', '--cwd', '/a/=/b'])).exitCode).toBe(0);
  });

  const PARENT = 's/--src-api--/1.jsonl';
  const FORK = 's/--other--/2.jsonl';
  const ARGV = ['--cwd', '/src/api=/work/api'];

  async function setUpProject() {
    const world = await setUp({ [PARENT]: [HEADER, MESSAGE] });
    const parentSession = join(world.dir, PARENT);
    await writeFiles(world.dir, {
      [FORK]: [{ ...CURRENT[0], cwd: '/other', parentSession }, CURRENT[1] ?? {}],
      's/--old--/3.jsonl': [{ ...HEADER, cwd: '/old' }, MESSAGE],
    });
    utimesSync(join(world.dir, FORK), OLD_TIME, OLD_TIME);
    return world;
  }

  it('tells a fork that names its parent past a link', async () => {
    const { dir, run, read } = await setUpProject();
    const link = join(await makeTempDir(), 'link');
    symlinkSync(dir, link);
    writeFileSync(join(dir, FORK), read(FORK).replace(dir, link));
    utimesSync(join(dir, FORK), OLD_TIME, OLD_TIME);
    await run([...ARGV, '--apply']);
    expect(read(FORK)).toContain(join(dir, 's/--work-api--/1.jsonl'));
  });

  it('moves the sessions, tells their forks, and touches no other', async () => {
    const { dir, run, read } = await setUpProject();
    const preview = await run(ARGV);
    expect(preview.out).toContain('Would move 2 of 2 sessions');
    expect(existsSync(join(dir, PARENT))).toBe(true);

    const { exitCode, out } = await run([...ARGV, '--apply', '--json']);
    expect(exitCode).toBe(0);
    const moved = join(dir, 's/--work-api--/1.jsonl');
    expect(getResults(out)).toMatchObject([
      { path: join(dir, PARENT), action: 'relocate', newPath: moved, toVersion: 3 },
      { path: join(dir, FORK), action: 'relocate', newPath: null, toVersion: 3 },
    ]);
    expect(readFileSync(moved, 'utf8')).toContain('"cwd":"/work/api"');
    expect(statSync(moved).mtime).toEqual(OLD_TIME);
    expect(read(FORK)).toContain(`"parentSession":"${moved}"`);
    expect(readdirSync(join(dir, 's')).toSorted()).toEqual([
      '--old--',
      '--other--',
      '--src-api--',
      '--work-api--',
    ]);
    // A pi that is at work there may have a new session to save.
    expect(readdirSync(join(dir, 's/--src-api--'))).toEqual([]);
    expect(read('s/--old--/3.jsonl')).not.toContain('version');
    const again = await run([...ARGV, '--apply']);
    expect(again.out).toBe('Moved 0 of 0 sessions.\n');
    expect(again.err).toBe('coppice: no selected session has its working directory in /src/api\n');
  });

  it('takes along what lies beside a session and belongs to it', async () => {
    const { dir, run } = await setUpProject();
    await writeFiles(dir, {
      's/--src-api--/1/image.png': 'pixels',
      's/--src-api--/1.jsonl.rejected': 'torn',
      's/--src-api--/10/neighbour.png': 'not its own',
    });
    expect((await run([...ARGV, '--apply'])).exitCode).toBe(0);
    expect(readFileSync(join(dir, 's/--work-api--/1/image.png'), 'utf8')).toBe('pixels');
    expect(readFileSync(join(dir, 's/--work-api--/1.jsonl.rejected'), 'utf8')).toBe('torn');
    expect(readdirSync(join(dir, 's/--src-api--'))).toEqual(['10']);
  });

  it('never writes over a file of the same name', async () => {
    const { dir, run, read } = await setUpProject();
    await writeFiles(dir, { 's/--work-api--/1.jsonl': 'mine' });
    const { exitCode } = await run([...ARGV, '--apply']);
    expect(exitCode).toBe(3);
    expect(read('s/--work-api--/1.jsonl')).toBe('mine');
    expect(read(PARENT)).toBe(toJsonl([HEADER, MESSAGE]));
    expect(read(FORK)).toContain(PARENT);
  });

  it('leaves a fork where its parent stays', async () => {
    const { dir, run, read } = await setUpProject();
    utimesSync(join(dir, PARENT), OLD_TIME, new Date('2127-01-15T11:59:00.000Z'));
    expect((await run([...ARGV, '--apply'])).out).toContain('1 skipped');
    expect(read(FORK)).toContain(PARENT);
  });

  it('moves named sessions only, but tells forks in the whole store', async () => {
    const { dir, run, read } = await setUpProject();
    await run([...ARGV, '--apply', join(dir, FORK)]);
    expect(existsSync(join(dir, PARENT))).toBe(true);
    await run([...ARGV, '--apply', join(dir, PARENT)]);
    expect(read(FORK)).toContain('--work-api--');
  });

  it('gives pi its sessions where it looks for them', async () => {
    const { dir, run } = await setUpProject();
    mkdirSync(join(dir, 's/--work-api--'));
    await run([...ARGV, '--apply']);
    const { out } = await runTest(['validate', '--store', join(dir, 's'), '--json']);
    expect(out).not.toContain('place-directory');
    expect(out).not.toContain('parent-missing');
  });
});
