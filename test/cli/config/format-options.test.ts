import { beforeEach, describe, expect, it } from 'vitest';
import { runTest, type TestRun } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, { 's.jsonl': sampleSession() });
});

async function run(config: object, argv: readonly string[]): Promise<TestRun> {
  await writeFiles(dir, { 'coppice.config.json': JSON.stringify({ export: config }) });
  return runTest(['export', 's.jsonl', ...argv], { cwd: dir, home: dir });
}

describe('a configuration that says what documents hold', () => {
  it.each([
    [{ images: 'inline' }, ['--as', 'text']],
    [{ images: 'extract' }, ['--as', 'md']],
    [{ images: 'extract' }, ['--as', 'jsonl']],
    [{ thinking: false }, ['--as', 'jsonl', '--thinking']],
    [{ thinking: false }, ['--as', 'text']],
    [{ tools: false, images: 'drop' }, ['--as', 'context', '--tools']],
  ])('is no obstacle to a format that cannot follow it: %j, %j', async (config, argv) => {
    const { exitCode, err } = await run(config, argv);
    expect([exitCode, err]).toEqual([0, '']);
  });

  it.each([
    [
      { thinking: false },
      ['--as', 'jsonl'],
      /^coppice: thinking: false in a .*; add --thinking\n$/,
    ],
    [
      { tools: false },
      ['--as', 'parquet', '--out', 'o'],
      /^coppice: tools: false in a .*--tools\n$/,
    ],
    [
      { images: 'drop' },
      ['--as', 'jsonl'],
      /^coppice: images: drop in a .*; add --images inline\n$/,
    ],
    [{ images: 'drop' }, ['--as', 'text', '--images', 'inline'], /^coppice: --images inline: --as/],
  ])('is obeyed where it leaves something out: %j, %j', async (config, argv, message) => {
    const { exitCode, out, err } = await run(config, argv);
    expect([exitCode, out]).toEqual([2, '']);
    expect(err).toMatch(message);
  });
});
