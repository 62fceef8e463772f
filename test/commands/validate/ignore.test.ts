import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { commands } from '../../../src/commands/index.ts';
import { runTest, type TestRun } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { compile, readSchema } from '../../schemas/schema.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const TORN = `${toJsonl(sampleSession())}{"type":`;
const schema = compile(readSchema('config'));

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, { 'work/good/a.jsonl': sampleSession(), 'work/broken/b.jsonl': TORN });
});

const run = (...argv: readonly string[]): Promise<TestRun> =>
  runTest(argv, { cwd: join(dir, 'work/good'), home: join(dir, 'home') });

async function configure(config: object): Promise<void> {
  expect(schema(config)).toBe(true);
  await writeFiles(dir, { 'work/coppice.config.json': JSON.stringify(config) });
}

describe('--ignore', () => {
  it('leaves out files, as seen from the working directory', async () => {
    expect((await run('validate', '..')).exitCode).toBe(1);
    const { exitCode, out } = await run('validate', '..', '--ignore', '/**/broken');
    expect({ exitCode, out }).toEqual({ exitCode: 0, out: '1 session, no problems.\n' });
    expect((await run('list', '..', '--paths', '--ignore', 'a*')).out).toBe(
      `${join(dir, 'work/broken/b.jsonl')}\n`,
    );
  });

  it('finds a name in every directory where the glob begins with two stars', async () => {
    expect((await run('validate', '..', '--ignore', '**/broken/**')).exitCode).toBe(0);
    await configure({ validate: { 'rule-for': { '**/broken/**': { 'line-torn': 'off' } } } });
    await writeFiles(dir, { 'elsewhere/broken/c.jsonl': TORN });
    expect((await run('validate', '../../elsewhere')).exitCode).toBe(0);
  });

  it('in a configuration is seen from its file, and may be of a project', async () => {
    await configure({ defaults: { ignore: ['broken/**'] } });
    expect((await run('validate', '..')).exitCode).toBe(0);
    expect((await run('list', '..', '--paths')).out).toBe(`${join(dir, 'work/good/a.jsonl')}\n`);
  });

  it('says so of a file that was named', async () => {
    const { exitCode, err } = await run('validate', '../broken/b.jsonl', '--ignore', '/**/broken');
    expect(exitCode).toBe(0);
    expect(err).toContain('broken/b.jsonl: left out: it matches --ignore');
  });

  it('is not for commands that change, remove or copy', async () => {
    for (const { name, load } of commands) {
      const { options } = await load();
      expect([name, 'ignore' in options]).toEqual([name, name === 'list' || name === 'validate']);
    }
  });
});

describe('--rule-for', () => {
  it('sets the level of a rule for some files', async () => {
    const off = 'line-torn=off:../broken/**';
    expect((await run('validate', '..', '--rule-for', off)).exitCode).toBe(0);
    const own = `line-torn=off:${dir}/work/broken/**`;
    expect((await run('validate', '..', '--rule-for', own)).exitCode).toBe(0);
    const other = `line-torn=off:${dir}/work/good/**`;
    expect((await run('validate', '..', '--rule-for', other)).exitCode).toBe(1);
  });

  it('counts for more than --rule, and the last for more than others', async () => {
    const levels = (...argv: string[]): Promise<TestRun> => run('validate', '..', ...argv);
    const [off, on] = ['off', 'error'].map((level) => `line-torn=${level}:/**/broken/**`);
    expect((await levels('--rule', 'line-torn=error', '--rule-for', String(off))).exitCode).toBe(0);
    const both = ['--rule-for', String(off), '--rule-for', String(on)];
    expect((await levels(...both)).exitCode).toBe(1);
  });

  it('is an object by glob in a configuration', async () => {
    await configure({ validate: { 'rule-for': { 'broken/**': { 'line-torn': 'off' } } } });
    expect((await run('validate', '..')).exitCode).toBe(0);
  });

  it('goes by the name of what standard input holds', async () => {
    const argv = ['validate', '--stdin', '--rule-for', 'line-torn=off:/**/broken/**'];
    const world = { input: TORN, cwd: dir };
    expect((await runTest(argv, world)).exitCode).toBe(1);
    const named = await runTest([...argv, '--stdin-filename', 'broken/x.jsonl'], world);
    expect(named.exitCode).toBe(0);
  });

  it.each([
    ['line-tron=off:x', "unknown rule 'line-tron'; did you mean line-torn?"],
    ['line-torn=bad:x', 'expected line-torn=off|info|warning|error'],
    ['line-torn=off', 'expected <id>=<level>:<glob>'],
  ])('refuses %s', async (value, message) => {
    const { exitCode, err } = await run('validate', '..', '--rule-for', value);
    expect(exitCode).toBe(2);
    expect(err).toContain(message);
  });

  it.each([
    [{ validate: { 'rule-for': ['x'] } }, 'expected an object of rules by glob'],
    [{ validate: { 'rule-for': { x: 'off' } } }, 'expected an object of rules for each glob'],
    [{ list: { ignore: ['x'.repeat(301)] } }, 'has a glob of more than 300 characters'],
  ])('refuses %j in a configuration', async (config, message) => {
    await writeFiles(dir, { 'work/coppice.config.json': JSON.stringify(config) });
    const { exitCode, err } = await run('list', '..');
    expect(exitCode).toBe(2);
    expect(err).toContain(message);
  });
});
