import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest, type TestRun, type TestWorld } from '../../memory-terminal.ts';
import { FIXTURES } from '../../session/agents/codex/corpus.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, toJsonl, useOwnTempDir, writeFiles } from '../../temp-dir.ts';

const SESSION = toJsonl(sampleSession({ id: 'from-stdin', text: 'Hi there' }));
const TORN = `${SESSION}{"type":`;

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
});

const run = (argv: readonly string[], world: TestWorld = {}): Promise<TestRun> =>
  runTest(argv, { cwd: dir, home: dir, input: SESSION, ...world });

describe('--stdin', () => {
  it('reads one session for list, whatever a configuration selects', async () => {
    const config = { defaults: { last: 0, store: ['/nowhere'] } };
    await writeFiles(dir, { '.config/coppice/config.json': JSON.stringify(config) });
    const { exitCode, out, err } = await run(['list', '--stdin', '--json', '--fields', 'path,id']);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(JSON.parse(out)).toMatchObject({ results: [{ path: '<stdin>', id: 'from-stdin' }] });
    expect((await run(['list', '--stdin', '--paths'])).out).toBe('<stdin>\n');
    const entries = await run([
      'list',
      '--stdin',
      '--stdin-filename',
      'x.jsonl',
      '--entries',
      '--json',
    ]);
    expect(JSON.parse(entries.out)).toMatchObject({ summary: { path: join(dir, 'x.jsonl') } });
  });

  it('names no copy of it among the files of its session', async () => {
    const fixture = join(import.meta.dirname, '../../fixtures/codex/linear-tools.jsonl');
    const input = await readFile(fixture, 'utf8');
    const { out } = await run(['list', '--stdin', '--json'], { input });
    expect(JSON.parse(out)).toMatchObject({ results: [{ path: '<stdin>', files: ['<stdin>'] }] });
    expect(out).not.toContain(tmpdir());
  });

  it.each([
    ['list', [], ''],
    ['list', ['--info'], ''],
    ['export', ['--as', 'json'], ''],
    ['list', [], 'p/a.jsonl'],
    ['list', ['--info'], 'p/a.jsonl'],
    ['export', ['--as', 'json'], 'p/a.jsonl'],
  ])(
    'names the parent of a fork beside it, and none beside its copy: %s %j %s',
    async (command, more, name) => {
      const fixture = join(
        import.meta.dirname,
        '../../fixtures/claude-code/recorded-tui-branch.jsonl',
      );
      const input = await readFile(fixture, 'utf8');
      const format = command === 'list' ? ['--json'] : [];
      const named = name === '' ? [] : ['--stdin-filename', name];
      const { out } = await run([command, '--stdin', ...more, ...format, ...named], { input });
      const parent = 'ceee9acf-0ce0-4330-a90b-97b10e7ac5cf.jsonl';
      const path = name === '' ? parent : join(dir, 'p', parent);
      expect(out).toContain(`"parentSessionPath":"${path}"`);
      expect(out).not.toContain('coppice-tmp');
    },
  );

  it('checks it, and names it as it is called', async () => {
    const healthy = await run(['validate', '--stdin']);
    expect(healthy).toEqual({ exitCode: 0, out: '1 session, no problems.\n', err: '' });
    const torn = await run(['validate', '--stdin', '--stdin-filename', 'a/b.jsonl', '--json'], {
      input: TORN,
    });
    expect(torn.exitCode).toBe(1);
    const { results }: { results: { path: string; rule: string }[] } = JSON.parse(torn.out);
    expect(results.map(({ path }) => path)).toEqual(results.map(() => join(dir, 'a/b.jsonl')));
    expect(results.map(({ rule }) => rule)).toContain('line-torn');
  });

  it('judges its name and its directory only where they are given', async () => {
    const named = ['--stdin-filename', 'a/--other--/2026-03-02T09-30-00-000Z_else.jsonl', '--json'];
    const { out } = await run(['validate', '--stdin', ...named]);
    expect(out).toContain('"rule":"place-file-name"');
    expect(out).toContain('"rule":"place-directory"');
  });

  it('asks for no name of a thread that has none', async () => {
    const input = await readFile(join(FIXTURES, 'linear-tools.jsonl'), 'utf8');
    expect((await run(['validate', '--stdin', '--quiet'], { input })).out).toBe('');
    const named = ['--stdin-filename', 'other.jsonl', '--quiet', '--json'];
    const { exitCode, out } = await run(['validate', '--stdin', ...named], { input });
    expect([exitCode, out]).toEqual([1, expect.stringContaining('"rule":"rollout-name"')]);
  });

  it('exports it', async () => {
    const { exitCode, out } = await run(['export', '--stdin']);
    expect(exitCode).toBe(0);
    expect(out).toContain('Hi there');
  });

  it('keeps every byte, whatever it holds', async () => {
    const input = Buffer.from(SESSION);
    input[input.indexOf('Hi there')] = 0xff;
    const { out } = await run(['validate', '--stdin', '--json'], { input });
    expect(out).toContain('UTF-8');
  });

  it.each([
    [['export', '--stdin'], 'no json', '<stdin>: is no'],
    [['validate', '--stdin', '--stdin-filename', 'x'], 'no json', '/x'],
    [['list', '--stdin'], '', '<stdin>: is empty'],
  ])('%j reports %j by its name', async (argv, input, message) => {
    const { exitCode, out, err } = await run(argv, { input });
    expect(exitCode).toBeGreaterThan(1);
    expect(out + err).toContain(message);
    expect(out + err).not.toContain(join(tmpdir(), 'coppice-'));
  });

  it.each([
    [['list', '--stdin', 'x'], 'x: --stdin takes no targets'],
    [['list', '--stdin', '--last', '1'], '--stdin: cannot be combined with --last'],
    [['validate', '--stdin', '--fix'], '--stdin: cannot be combined with --fix'],
    [['export', '--stdin', '--out', 'x'], '--stdin: cannot be combined with --out'],
    [['list', '--stdin-filename', 'x'], '--stdin-filename x: needs --stdin'],
    [['list', '--stdin', '--stdin-filename', '/'], '--stdin-filename /: needs the name of a file'],
    [
      ['list', '-'],
      '-: standard input holds a session, not a list of targets; read it with --stdin',
    ],
    [
      ['migrate', '-'],
      '-: standard input holds a session, not a list of targets; save it to a file',
    ],
  ])('%j is refused', async (argv, message) => {
    const { exitCode, out, err } = await run(argv);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toContain(message);
  });

  it('leaves no file behind, also when it is stopped', async () => {
    const temporary = await useOwnTempDir();
    await run(['export', '--stdin']);
    await run(['export', '--stdin'], { input: 'no json' });
    const stop = new AbortController();
    const stopped = await run(['validate', '--stdin'], {
      signal: stop.signal,
      onFound: () => stop.abort(),
    });
    expect(stopped.exitCode).toBe(130);
    expect(await readdir(temporary)).toEqual([]);
  });
});
