import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

let home: string;

const write = (name: string, start: string): Promise<void> => {
  const session = sampleSession({ id: name, start, text: `password=leaves-${name}-4711` });
  return writeFiles(home, { [`s/${name}.jsonl`]: session });
};

beforeEach(async () => {
  home = await makeTempDir();
  await write('ash', '2026-03-02T09:30:00.000Z');
  await write('birch', '2026-04-02T09:30:00.000Z');
});

const exportTo = async (as: string, ...args: string[]) => {
  const argv = ['export', '--store', 's', '--as', as, '--out', 'out', ...args];
  const { exitCode, err } = await runTest(argv, { cwd: home, home });
  return { exitCode, err };
};

const WARNING =
  /^coppice: ~[/\\]out: 1 file of earlier exports is still there, made without this redaction; remove before you share: 2026-04-02_orchard_birch_\w+\.md\n$/;

describe('an export with redaction into the folder of one without', () => {
  it('warns of the files of a session that is gone, each time, also if it is to be quiet', async () => {
    await exportTo('md');
    await rm(join(home, 's/birch.jsonl'));
    expect(await exportTo('md')).toEqual({ exitCode: 0, err: '' });
    expect((await exportTo('md', '--redact', '--dry-run')).err).toBe('');
    for (const more of [[], ['--quiet'], ['--json']]) {
      const run = await exportTo('md', '--redact', ...more);
      expect(run).toEqual({ exitCode: 0, err: expect.stringMatching(WARNING) });
    }
  });

  it('warns of other formats and of sessions that are not selected, until they are gone', async () => {
    await exportTo('md');
    const part = await exportTo('md', '--redact', '--last', '1');
    expect(part.err).toContain('out: 1 file of earlier exports is still there');
    const other = await exportTo('text', '--redact');
    expect(other.err).toContain('_ash_');
    expect((await exportTo('md', '--redact')).err).toBe('');
  });

  it('warns of months of a data set that a run cannot remove, since it could not read everything', async () => {
    await exportTo('parquet');
    const [header = {}, ...rest] = sampleSession({ id: 'birch' });
    await writeFiles(home, { 's/birch.jsonl': [{ ...header, version: 99 }, ...rest] });
    const run = await exportTo('parquet', '--redact');
    expect(run).toEqual({
      exitCode: 3,
      err: expect.stringContaining('3 files of earlier exports are still there'),
    });
  });
});
