import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../src/commands/index.ts';
import { type TestRun, runTest } from '../memory-terminal.ts';
import { sampleSession } from '../sample-session.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, {
    'list/old.jsonl': sampleSession({ id: 'old-one', start: '2026-01-01T00:00:00.000Z' }),
    'list/new.jsonl': sampleSession({ id: 'new-one', start: '2127-01-01T00:00:00.000Z' }),
  });
});

const run = (...argv: string[]): Promise<TestRun> => runTest(argv, { cwd: dir });

async function print(...argv: string[]): Promise<Record<string, unknown>> {
  const { out, err } = await run(...argv, '--print-config', '--format', 'json', '--json');
  expect(err).toBe('');
  const { results }: { results: { option: string; value: unknown }[] } = JSON.parse(out);
  return Object.fromEntries(results.map(({ option, value }) => [option, value]));
}

describe('the command', () => {
  it('may follow options, whose values are not taken for it', async () => {
    const { exitCode, out, err } = await run('--store', 'list', 'prune', '--keep-last', '1');
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(out).toMatch(/keep .*\nremove /);
    expect((await run('-j', '1', '--store=list', 'list', '--paths')).out).toMatch(/new.*old/s);
  });

  it.each([
    [['lsit'], "unknown command 'lsit'; did you mean list?"],
    [['--store', 'list'], '--store: unknown option'],
    [['--bogus', 'list'], '--bogus: unknown option'],
    [['help', 'prnue'], "unknown command 'prnue'; did you mean prune?"],
    [['prnue', '--help'], "unknown command 'prnue'; did you mean prune?"],
  ])('%j is refused', async (argv, message) => {
    const { exitCode, out, err } = await run(...argv);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toContain(message);
  });

  it('can be found because an option takes a value in every command or in none', async () => {
    const loaded = await Promise.all(commands.map(({ load }) => load()));
    const takes = new Map<string, boolean>();
    for (const { name, options } of loaded) {
      for (const [option, { type }] of Object.entries(options)) {
        const isFlag = type === 'boolean';
        expect(takes.get(option) ?? isFlag, `--${option} of ${name}`).toBe(isFlag);
        takes.set(option, isFlag);
      }
    }
  });
});

describe('help', () => {
  it('is the same page in every way of asking', async () => {
    const page = await run('list', '--help');
    expect(page.out).toMatch(/^coppice list \[targets\.\.\]/);
    expect(await run('help', 'list')).toEqual(page);
    expect(await run('list', 'help')).toEqual(page);
    expect(await run('list', '-h')).toEqual(page);
    expect(await run('help', 'list', '--all')).toEqual(await run('list', '--help', '--all'));
    expect(await run('help')).toEqual(await run('--help'));
    expect((await run('help', 'completion')).out).toContain('coppice completion [shell]');
  });

  it('is not what a target by its name means', async () => {
    expect((await run('list', '--store', 'list', '--reverse', 'help')).err).toMatch(
      /^coppice: help: /,
    );
  });
});

describe('options', () => {
  it('have short names', async () => {
    expect(await print('prune', '-nq', '-j3', '--keep-last', '1')).toMatchObject({
      'dry-run': true,
      quiet: true,
      jobs: 3,
    });
    expect((await run('-V')).out).toBe((await run('--version')).out);
  });

  it('stand for places in the home directory where a shell leaves `~` as it is', async () => {
    const argv = ['--store=~/a', '--store', 'b', '--project=~', '--archive=~/old', '-n'];
    const { out } = await runTest(['prune', ...argv, '--print-config', '--json'], {
      cwd: dir,
      home: join(dir, 'home'),
    });
    const printed = JSON.parse(out) as { results: { option: string; value: unknown }[] };
    const values = Object.fromEntries(printed.results.map(({ option, value }) => [option, value]));
    expect(values).toMatchObject({
      store: [join(dir, 'home/a'), 'b'],
      project: join(dir, 'home'),
      archive: join(dir, 'home/old'),
    });
  });

  it('count as given last, and are collected where several make sense', async () => {
    const printed = await print(
      'list',
      '--last',
      '3',
      '--sort=size',
      '--quiet',
      '--store',
      'a',
      '--last',
      '4',
      '--sort',
      'name',
      '--no-quiet',
      '--store',
      'b',
    );
    expect(printed).toMatchObject({ last: 4, sort: 'name', quiet: false, store: ['a', 'b'] });
  });

  it.each([
    [['prune', '--apply', '--dry-run=yes'], '--dry-run=yes: --dry-run takes no value'],
    [['prune', '-n=1'], '-n=1: -n takes no value'],
    [['list', '--version=yes'], '--version=yes: --version takes no value'],
    [['list', '--no-store'], '--no-store: --store is not a flag; leave it out'],
    [['list', '--no-sort'], '--no-sort: --sort is not a flag'],
    [
      ['export', '--no-images'],
      '--no-images: --images is not a flag; use one of inline, extract, drop, or leave it out\n',
    ],
    [['prune', '--out', 'x'], '--out: unknown option of prune; migrate, fork, export have it\n'],
    [['list', '--no-jobs'], '--no-jobs: --jobs is not a flag'],
    [['list', '--no-bogus'], '--no-bogus: unknown option; see coppice list --help'],
    [['list', '-x'], '-x: unknown option; see coppice list --help'],
    [['list', '-x.jsonl'], '-x.jsonl: unknown option; to name a file, write ./-x.jsonl'],
    [
      ['export', '--format', 'html'],
      '--format html: unknown value; use one of table, json, ndjson; --as takes html',
    ],
    [['validate', '-f', 'json'], '-f: unknown option; see coppice validate --help'],
    [['validate', '--dry-run'], '--dry-run: unknown option; did you mean --fix-dry-run?'],
    [['list', '--empty'], '--empty: unknown option of list; prune has it'],
    [['list', '-j'], '-j: needs a value\n'],
    [['compact', '--images'], '--images: needs a value; use one of extract, drop, restore\n'],
    [['list', '--sort='], '--sort: needs a value; use one of modified, created, '],
    [['prune', '--keep-id', 'a', 'b'], 'b: a target, or another value of --keep-id?'],
    [['prune', '--keep-id=a', 'b', '-n'], 'b: a target, or another value of --keep-id?'],
    [['--keep-id', 'a', 'prune', '--keep-id', 'b', 'c'], 'c: a target'],
    [['list', '--sort', 'sise'], '--sort sise: unknown value; did you mean size?'],
    [['list', '--sort', 'date'], '--sort date: unknown value; use one of modified, created'],
  ])('%j is refused', async (argv, message) => {
    const { exitCode, out, err } = await run(...argv);
    expect({ exitCode, out }).toEqual({ exitCode: 2, out: '' });
    expect(err).toContain(`coppice: ${message}`);
  });

  it.each([
    ['prune', '--named', '!keep*', '!wip*'],
    ['prune', '--model', '!keep*', '!wip*'],
    ['export', '--secret-file', 'a', 'b'],
  ])('%s %s is refused twice, as the first value would be lost', async (name, flag, one, other) => {
    const cwd = await makeTempDir();
    const { exitCode, err } = await runTest([name, flag, one, flag, other], { cwd });
    const message = `coppice: ${flag}: is there twice, and only the last would count; `;
    expect([exitCode, err]).toEqual([2, expect.stringContaining(message)]);
    const again = await runTest([name, flag, one, flag, one], { cwd });
    expect(again.err).not.toContain('twice');
  });

  it('names a file in an error as reports do', async () => {
    const argv = ['export', 'list/old.jsonl', '--branch', 'none'];
    const { exitCode, err } = await runTest(argv, { cwd: dir, home: dir });
    const shown = join('~', 'list', 'old.jsonl');
    const message = `coppice: ${shown}: has no entry and no label none\n`;
    expect([exitCode, err]).toEqual([2, message]);
  });

  it('--out and --archive are refused where a file is in the place', async () => {
    await writeFiles(dir, { file: '' });
    for (const [place, problem] of [
      ['file', 'is not a directory'],
      ['file/x', `${join(dir, 'file')} is not a directory`],
    ] as const) {
      for (const argv of [
        ['export', '--out', place],
        ['prune', '--older-than', '3d', '--archive', place],
        ['migrate', '--out', place],
        ['fork', '--last', '1', '--out', place],
      ]) {
        const { exitCode, err } = await run(...argv);
        expect({ exitCode, err }).toEqual({
          exitCode: 2,
          err: `coppice: ${argv.at(-2)} ${place}: ${problem}\n`,
        });
      }
    }
  });

  it('may be turned off and on, in words too', async () => {
    expect(await print('list', '--no-cache', '--usage=true', '--reverse=false')).toMatchObject({
      cache: false,
      usage: true,
      reverse: false,
    });
  });
});
