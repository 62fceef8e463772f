import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, toJsonl, writeFiles } from '../../temp-dir.ts';

const FORMATS = ['md', 'html', 'text', 'json', 'jsonl', 'chat', 'atif', 'sts'];
const UNREAD = '/in/torn.jsonl: 1 line could not be read: the export lacks it';

let dir: string;

const run = (...args: string[]) => runTest(['export', ...args], { cwd: dir });

/** Two messages, of which the second is all that is left of a path when the first is damaged. */
function damage(lines: readonly object[], number: number): string {
  const text = toJsonl(lines).split('\n');
  text[number] = `${text[number]?.slice(0, 60)}`;
  return text.join('\n');
}

beforeEach(async () => {
  dir = await makeTempDir();
  await writeFiles(dir, {
    'in/torn.jsonl': damage(sampleSession({ id: 'torn', text: 'Plant' }), 1),
    'in/whole.jsonl': sampleSession({ id: 'whole' }),
  });
});

describe('an export of a session with a line that does not parse', () => {
  it.each(FORMATS)('is written as %s, says so, and exits 3', async (as) => {
    const { out, err, exitCode } = await run('in/torn.jsonl', '--as', as);
    expect(exitCode).toBe(3);
    expect(out).toContain('Hello.');
    expect(err).toContain('1 line could not be read');
    expect(err).toContain('is cut: the parent of the entry on line 3 is not in the file');
  });

  it.each([...FORMATS, 'parquet'])('to a directory names it each time: %s', async (as) => {
    const argv = ['--store', 'in', '--as', as, '--out', 'out'];
    for (const state of ['export', 'unchanged']) {
      const { out, exitCode } = await run(...argv, '--json');
      const { results, summary } = JSON.parse(out) as {
        results: { path: string; action: string; problems: { code: string }[] }[];
        summary: object;
      };
      expect(exitCode).toBe(3);
      expect(summary).toMatchObject({ incomplete: 1, failed: 0 });
      const [torn, whole] = results.toSorted((a, b) => (a.path < b.path ? -1 : 1));
      expect(torn).toMatchObject({ action: state });
      expect(torn?.problems.map(({ code }) => code)).toEqual(['lines-unreadable', 'path-cut']);
      expect(whole).toMatchObject({ action: state, problems: [] });
    }
    const { err, out } = await run(...argv);
    expect(err).toContain(UNREAD);
    expect(out).toContain('1 incomplete.');
    expect((await readdir(join(dir, 'out'))).length).toBeGreaterThan(2);
  });

  it('is whole where a compaction stands for what is missing', async () => {
    const [header = {}, question = {}, answer = {}] = sampleSession();
    const orphan = { ...question, parentId: 'gone' };
    const compaction = {
      type: 'compaction',
      id: 'c0c0c0c0',
      parentId: 'aaaaaaa2',
      timestamp: '2026-03-02T09:31:00.000Z',
      summary: 'Before',
      firstKeptEntryId: 'aaaaaaa2',
      tokensBefore: 10,
    };
    await writeFiles(dir, { 'c.jsonl': [header, orphan, answer, compaction] });
    expect((await run('c.jsonl')).exitCode).toBe(0);
    expect((await run('c.jsonl', '--full-history')).exitCode).toBe(3);
  });
});

describe('an export of a session that its agent would not open', () => {
  it.each([...FORMATS, 'context', 'parquet'])('fails as %s, and writes the others', async (as) => {
    const neovate = join(import.meta.dirname, '../../fixtures/neovate');
    for (const name of ['linear-tools', 'broken-torn-last-line'])
      await cp(join(neovate, `${name}.jsonl`), join(dir, `n/${name}.jsonl`));
    const { exitCode, err, out } = await run('n', '--as', as, '--out', 'out', '--json');
    expect({ exitCode, err }).toEqual({
      exitCode: 3,
      err: expect.stringContaining('line 14 does not parse: Neovate does not open it'),
    });
    const { summary } = JSON.parse(out) as { summary: object };
    expect(summary).toMatchObject({ sessions: 2, exported: 1, failed: 1 });
  });
});
