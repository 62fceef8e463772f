import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

let home: string;
const MINE = '<!doctype html><title>Sessions</title>My pages\n';
const FOREIGN = 'coppice has not made what is at this path; use another directory';

beforeEach(async () => {
  home = await makeTempDir();
  await writeFiles(home, {
    's/ash.jsonl': sampleSession({ id: 'ash' }),
    's/birch.jsonl': sampleSession({ id: 'birch' }),
  });
});

const exportTo = async (as: string, ...args: string[]) => {
  const argv = ['export', '--store', 's', '--as', as, '--out', 'out', ...args];
  const { exitCode, out, err } = await runTest(argv, { cwd: home, home });
  return { exitCode, out, err };
};
const read = (name: string): Promise<string> => readFile(join(home, 'out', name), 'utf8');

describe('an index.html that somebody else has made', () => {
  it.each([[], ['--quiet'], ['--shard', '1/2'], ['--dry-run']])(
    'is left, and named as a problem, beside pages that do not link to it: %s',
    async (...more) => {
      await writeFiles(home, { 'out/index.html': MINE });
      const run = await exportTo('html', ...more);
      expect([run.exitCode, run.err]).toEqual([3, expect.stringContaining(FOREIGN)]);
      expect(run.err).toContain('index.html');
      expect(await read('index.html')).toBe(MINE);
    },
  );

  it('is no problem of a single page, which links to none', async () => {
    await writeFiles(home, { 'out/index.html': MINE });
    const { exitCode, out } = await exportTo('html', '--last', '1', '--json');
    const { results } = JSON.parse(out) as { results: { outputs: string[] }[] };
    expect([exitCode, await read('index.html')]).toEqual([0, MINE]);
    expect(await readFile(results[0]?.outputs[0] ?? '', 'utf8')).not.toContain('index.html');
  });

  it('is also a link, which is not replaced', async () => {
    await writeFiles(home, { 'out/other.html': MINE });
    await symlink('other.html', join(home, 'out/index.html'));
    expect((await exportTo('html')).exitCode).toBe(3);
    expect(await read('index.html')).toBe(MINE);
  });

  it('is not one that coppice has made, also without a record', async () => {
    expect((await exportTo('html')).exitCode).toBe(0);
    const before = await read('index.html');
    await rm(join(home, 'out/.coppice-export.json'));
    await writeFiles(home, { 's/cherry.jsonl': sampleSession({ id: 'cherry' }) });
    expect((await exportTo('html')).exitCode).toBe(0);
    expect(await read('index.html')).not.toBe(before);
  });
});

describe('a table that somebody else has made', () => {
  const NAME = 'usage/agent=pi/month=2026-03/part.parquet';

  it('is left, and named as a problem', async () => {
    await writeFiles(home, { [`out/${NAME}`]: 'PAR1 mine PAR1' });
    const run = await exportTo('parquet');
    expect([run.exitCode, run.err]).toEqual([3, expect.stringContaining(FOREIGN)]);
    expect(await read(NAME)).toBe('PAR1 mine PAR1');
  });

  it('is not one that coppice has made, also without a record', async () => {
    expect((await exportTo('parquet')).exitCode).toBe(0);
    await rm(join(home, 'out/.coppice-export.json'));
    expect((await exportTo('parquet')).exitCode).toBe(0);
    await writeFile(join(home, 'out', NAME), '');
    expect((await exportTo('parquet')).exitCode).toBe(0);
  });
});
