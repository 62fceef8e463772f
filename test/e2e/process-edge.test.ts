import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { sized } from '../harness/runs.ts';
import { runTest } from '../memory-terminal.ts';
import { sampleSession } from '../sample-session.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { BINARY, runBinary } from './run-binary.ts';

const HELP = join(import.meta.dirname, '../../dist/help');

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
});

async function runShell(script: string): Promise<{ code: number; out: string; err: string }> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', COPPICE: BINARY };
  return new Promise((resolve) => {
    const options = { cwd: dir, env, maxBuffer: 2 ** 26 };
    execFile('bash', ['-o', 'pipefail', '-c', script], options, (error, out, err) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });
}

async function writeSessions(count: number): Promise<void> {
  const names = Array.from({ length: count }, (_, index) => `s${index}.jsonl`);
  const text = 'x'.repeat(400);
  await writeFiles(dir, Object.fromEntries(names.map((name) => [name, sampleSession({ text })])));
}

describe('the binary', () => {
  it('says that the current directory is gone, and still prints its help', async () => {
    const here = 'mkdir gone && cd gone && rmdir ../gone';
    const gone = await runShell(`${here} && node "$COPPICE" list`);
    const message = 'coppice: the current directory is gone; change to another one\n';
    expect(gone).toEqual({ code: 2, out: '', err: message });
    expect((await runShell(`${here} && node "$COPPICE" list --help`)).code).toBe(0);
  });

  it.each(['', 'relative'])(
    'refuses a HOME that is %j, in which a project would be the home',
    async (home) => {
      const { code, err } = await runShell(`HOME='${home}' node "$COPPICE" list`);
      const message = `coppice: HOME is not an absolute path: '${home}'\n`;
      expect([code, err]).toEqual([2, message]);
    },
  );

  it('says its version and its help', async () => {
    expect((await runBinary(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    const { out, code } = await runBinary(['--help']);
    expect(code).toBe(0);
    expect(out).toContain('coppice validate');
  });

  it.runIf(process.platform === 'linux')(
    'is one line and exit 2 where the disk is full',
    async () => {
      await writeSessions(3);
      for (const words of ['--version', '--help', 'list .', 'list . --json', 'validate .']) {
        const { code, err } = await runShell(`node "$COPPICE" ${words} > /dev/full`);
        expect([words, code, err]).toEqual([
          words,
          2,
          'coppice: standard output: no space left on the device\n',
        ]);
      }
    },
  );

  it('has the help pages that its modules would lay out, and prints them', async () => {
    const names = [...commands.map(({ name }) => name), 'completion'];
    const pages = names.flatMap((name) => [
      [`${name}.txt`, name, '--help'],
      [`${name}.all.txt`, name, '--help', '--all'],
    ]);
    for (const [file = '', ...words] of [['coppice.txt', '--help'], ...pages]) {
      const { out } = await runTest(words);
      expect(await readFile(join(HELP, file), 'utf8')).toBe(out);
    }
    const { out } = await runTest(['list', '--help']);
    expect(await runBinary(['list', '-h'])).toMatchObject({ code: 0, out, err: '' });
  });

  it.each([['list --help'], ['../README', '--help']])('has no page for %j', async (...words) => {
    const { exitCode: code, out, err } = await runTest(words);
    expect(await runBinary(words)).toMatchObject({ code, out, err });
  });

  it.each([
    [[], 'missing command; use one of list, validate'],
    [['lst'], 'did you mean list?'],
    [['--versio'], '--versio: unknown option; did you mean --version?'],
    [['-v'], '-v: unknown option; did you mean --version?'],
    [['list', '--sort', 'age'], '--sort age: unknown value; use one of modified, created'],
    [['list', '--oldr-than', '3d'], 'did you mean --older-than?'],
    [['list', '--older', '3d'], 'did you mean --older-than?'],
    [['list', '--named'], '--named: needs a value'],
    [['list', '--limit', '-1'], '--limit: expected a whole number'],
  ])('refuses %j with a hint, exit 2', async (args, hint) => {
    const { exitCode: code, out, err } = await runTest(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^coppice: /);
    expect(err).toContain(hint);
  });

  it('ends with the code of a refusal', async () => {
    expect(await runBinary(['lst'])).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('did you mean list?'),
    });
  });

  it('works on when its reader goes away, and keeps its exit code', async () => {
    // More than a pipe holds.
    await writeSessions(sized(300, 3000));
    const head = await runShell('node "$COPPICE" list . --format ndjson | head -1');
    expect(head).toMatchObject({ code: 0, err: '' });
    expect(head.out.split('\n')).toHaveLength(2);
    await writeFiles(dir, { 'torn.jsonl': `${JSON.stringify(sampleSession()[0])}\n{"type":"mess` });
    expect((await runShell('node "$COPPICE" validate . | true')).code).toBe(1);
  });

  it('has colours on demand only, away from a terminal', async () => {
    await writeFiles(dir, { 'a.jsonl': sampleSession({ name: 'Plan' }) });
    const list = (args: string[], env = {}) => runBinary(['list', '.', ...args], { cwd: dir, env });
    expect((await list([])).out).not.toContain('\u001b');
    expect((await list(['--color'])).out).toContain('\u001b[');
    expect((await list(['--color'], { NO_COLOR: '1' })).out).toContain('\u001b[');
    expect((await list([], { FORCE_COLOR: '1' })).out).toContain('\u001b[');
    expect((await list(['--no-color'], { FORCE_COLOR: '1' })).out).not.toContain('\u001b');
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    'stops at %s with exit %i, also while it waits for input',
    async (signal, expected) => {
      // Tells on stderr when the process has begun to listen for signals.
      const hook = "process.on('newListener',(e)=>e==='SIGTERM'&&process.stderr.write('ready'))";
      const { code, err } = await runBinary(['validate', '-'], {
        cwd: dir,
        input: null,
        env: { NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hook)}` },
        onStart: (child) => child.stderr?.once('data', () => child.kill(signal)),
      });
      expect({ code, err }).toEqual({
        code: expected,
        err: 'readycoppice: stopped; every file is whole\n',
      });
    },
  );

  it('stops in the middle of its work', async () => {
    await writeSessions(3);
    const abort = new AbortController();
    const stop = runTest(['validate', '.'], { cwd: dir, signal: abort.signal });
    abort.abort();
    expect(await stop).toMatchObject({ exitCode: 130, out: '' });
  });

  it('prints a completion script', async () => {
    const { out, code } = await runBinary(['completion']);
    expect(code).toBe(0);
    expect(out).toContain('coppice --get-yargs-completions');
    const { out: completions } = await runBinary(['--get-yargs-completions', 'coppice', 'val']);
    expect(completions).toContain('validate');
  });

  it('reads targets from standard input', async () => {
    await writeFiles(dir, { 'a.jsonl': sampleSession({ id: 'abc' }) });
    const { out } = await runBinary(['list', '-', '--json'], { cwd: dir, input: 'a.jsonl\n' });
    expect(JSON.parse(out)).toMatchObject({ results: [{ id: 'abc', path: join(dir, 'a.jsonl') }] });
  });
});
