import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { assistant, HEADER, toChain, toUsage, user } from '../../session-lines.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

/** A checkout whose settings name a store that is somebody's own, and the user's own store. */
async function setUp() {
  const dir = await makeTempDir();
  await writeFiles(dir, {
    'checkout/.pi/settings.json': JSON.stringify({ sessionDir: '../precious' }),
    'precious/a.jsonl': sampleSession({ id: 'precious-one' }),
    'precious/b.jsonl': sampleSession({ id: 'precious-two' }),
    'home/.pi/agent/sessions/--p--/own.jsonl': sampleSession({ id: 'own-one' }),
  });
  const world = { cwd: join(dir, 'checkout'), home: join(dir, 'home') };
  const run = (...argv: string[]) => runTest(argv, world);
  const precious = () => readdir(join(dir, 'precious'));
  return { dir, run, precious };
}

const SELECT_ALL = ['--older-than', '1d'];

describe('the settings of a project', () => {
  it.each([
    ['prune', ...SELECT_ALL, '--grace', '1s', '--allow-empty', '--delete', '--apply'],
    ['migrate'],
    ['migrate', '--apply'],
    ['compact'],
    ['compact', '--superseded-state', '--apply'],
    ['fork', ...SELECT_ALL],
    ['validate', '--fix'],
    ['validate', '--fix-dry-run'],
  ])('choose no store for %s %s', async (...argv) => {
    const { dir, run, precious } = await setUp();
    const { out, err } = await run(...argv);
    expect(out).not.toContain('precious');
    expect(await precious()).toEqual(['a.jsonl', 'b.jsonl']);
    const store = join(dir, 'precious');
    expect(err).toContain(`sessions in ${store} are left out; to work on them: --store ${store}\n`);
  });

  it('find no session by its id for what changes it', async () => {
    const { run, precious } = await setUp();
    const { exitCode, err } = await run('fork', 'precious-one');
    expect(exitCode).toBe(2);
    expect(err).toContain('--store');
    expect(err).toContain('no session has this id');
    expect(await precious()).toEqual(['a.jsonl', 'b.jsonl']);
  });

  it.each([['list'], ['validate', '--format', 'json'], ['export', 'precious-one', '--as', 'text']])(
    'choose the store for %s %s, which only reads',
    async (...argv) => {
      const { run } = await setUp();
      const { out, err } = await run(...argv);
      expect(out).not.toBe('');
      expect(out).not.toContain('own-one');
      expect(err).not.toContain('--store');
    },
  );

  it('are not mentioned where the command line names a store, or with --quiet', async () => {
    const { dir, run } = await setUp();
    const named = await run('migrate', '--store', join(dir, 'precious'));
    expect(named.err).toBe('');
    expect((await run('migrate', '--quiet')).err).toBe('');
  });

  it('do not end a run that does not follow them when they are broken', async () => {
    const { dir, run } = await setUp();
    await writeFile(join(dir, 'checkout/.pi/settings.json'), '{"sessionDir":');
    const { exitCode, err } = await run('migrate');
    expect(exitCode).toBe(0);
    expect(err).toContain('settings.json: is not valid JSON');
  });

  it.each([['prune', ...SELECT_ALL], ['migrate'], ['compact']])(
    "do not have the user's own said twice when these are broken, by %s",
    async (...argv) => {
      const { dir, run } = await setUp();
      await writeFile(join(dir, 'home/.pi/agent/settings.json'), '{');
      const { exitCode, err } = await run(...argv);
      expect(exitCode).toBe(2);
      expect(err.split('\n')).toEqual([expect.stringContaining('is not valid JSON'), '']);
    },
  );

  it('do not say where a converted session is written', async () => {
    const { dir, run, precious } = await setUp();
    const neovate = [
      { type: 'message', uuid: 'u1', parentUuid: null, sessionId: 'f05de3d5', role: 'user' },
    ].map((line) => ({ ...line, content: 'hi', timestamp: '2026-01-01T00:00:00.000Z' }));
    await writeFiles(dir, { 'home/.neovate/projects/p/f05de3d5.jsonl': neovate });
    await run('migrate', '--to', 'pi', '--apply', '--agent', 'neovate');
    expect(await precious()).toEqual(['a.jsonl', 'b.jsonl']);
  });
});

describe('compaction settings of the project of a session', () => {
  async function compact(settings: object) {
    const dir = await makeTempDir();
    const project = join(dir, 'project');
    const chain = toChain([
      user('Please add a login page.'),
      assistant('Done. '.repeat(400)),
      user('And a logout button.'),
      assistant('Also done. '.repeat(400), { usage: toUsage(100_000) }),
    ]);
    const lines = [{ ...HEADER, cwd: project }, ...chain];
    await writeFiles(dir, {
      'store/a.jsonl': toJsonl(lines),
      'project/.pi/settings.json': JSON.stringify({ compaction: settings }),
    });
    const argv = ['compact', '--store', 'store', '--json', '--grace', '1s'];
    const { out } = await runTest(argv, { cwd: dir, home: join(dir, 'home') });
    return JSON.parse(out).results[0];
  }

  it('make no session due', async () => {
    const result = await compact({ reserveTokens: 199_999, keepRecentTokens: 10 });
    expect(result).toMatchObject({
      action: 'unchanged',
      reasons: [expect.stringMatching(/^still fits \(/)],
    });
  });
});

describe('the configuration of a project', () => {
  it.each([0, -1, 1.5, 257, 1e21, '4', null])('cannot ask for %j jobs', async (jobs) => {
    const { dir, run } = await setUp();
    await writeFile(
      join(dir, 'checkout/coppice.config.json'),
      JSON.stringify({ defaults: { jobs } }),
    );
    const { exitCode, err } = await run('list');
    expect(exitCode).toBe(2);
    expect(err).toContain('defaults.jobs: expected a whole number from 1 to 256\n');
  });

  it.each(['__proto__', 'constructor', 'toString'])('has no section or option %s', async (name) => {
    const { dir, run } = await setUp();
    for (const text of [`{"${name}":{"jobs":1}}`, `{"list":{"${name}":{"jobs":1}}}`]) {
      await writeFile(join(dir, 'checkout/coppice.config.json'), text);
      expect((await run('list')).exitCode).toBe(2);
    }
    expect(Object.prototype).not.toHaveProperty('jobs');
  });
});

describe('files of a checkout that nobody would write', () => {
  const DEEP = '['.repeat(200_000) + ']'.repeat(200_000);

  it.each([
    ['coppice.config.json', `{"list":{"columns":${DEEP}}}`],
    ['coppice.config.json', `{"list":{"sort":${DEEP}}}`],
    ['coppice.config.json', `{"validate":{"rule":{"entry-orphan":${DEEP}}}}`],
    ['coppice.config.json', DEEP],
    ['coppice.config.json', ' '.repeat(17 * 1024 * 1024)],
    ['.pi/settings.json', ' '.repeat(17 * 1024 * 1024)],
    ['.pi/settings.json', DEEP],
  ])('are refused in a line: %s', async (name, text) => {
    const { dir, run } = await setUp();
    await writeFile(join(dir, 'checkout', name), text);
    const { exitCode, err } = await run('list');
    expect(exitCode).toBe(2);
    expect(err).toMatch(new RegExp(`^coppice: .*${name}: .{1,400}\n$`));
  });

  it('choose nothing as a session directory that is not a path', async () => {
    const { dir, run } = await setUp();
    for (const sessionDir of [{}, [], 7, '', null, 'a\u0000b']) {
      const settings = JSON.stringify({ sessionDir });
      await writeFile(join(dir, 'checkout/.pi/settings.json'), settings);
      for (const command of ['list', 'migrate']) expect((await run(command)).exitCode).not.toBe(70);
    }
  });
});

describe('--jobs', () => {
  const commands = ['list', 'validate', 'migrate', 'fork', 'compact', 'prune', 'export'];
  it.each(commands)('needs at least one with %s', async (command) => {
    const { run } = await setUp();
    for (const jobs of ['0', '257', 'x', '1e21']) {
      const { exitCode, err } = await run(command, '--older-than', '1d', '--jobs', jobs);
      expect({ exitCode, err }).toEqual({
        exitCode: 2,
        err: 'coppice: --jobs: expected a whole number from 1 to 256\n',
      });
    }
  });
});
