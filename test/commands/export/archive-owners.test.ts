import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOW, runTest, type TestRun } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

let dir: string;

beforeEach(async () => {
  dir = await makeTempDir();
});

const run = (argv: readonly string[]): Promise<TestRun> =>
  runTest(['export', '--as', 'archive', '--store', 'store', ...argv], { cwd: dir, home: dir });

interface Line {
  readonly manifest: { readonly files: readonly { readonly name: string }[] };
}

/** The names of the files in each member of an archive. */
async function listHeld(archive: string): Promise<readonly string[]> {
  const text = await readFile(join(dir, archive, 'index.ndjson'), 'utf8');
  const lines: Line[] = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  return lines.map(({ manifest }) => manifest.files.map(({ name }) => name).join(' ')).toSorted();
}

const inFolder = sampleSession({ id: 'in-folder' });

describe('a backup of a session in the folder of another file', () => {
  it.each([
    ['text', 'no session\n'],
    ['no text', ''],
    ['a line too short', '{"type":"session"'],
  ])('has it where that file is no session: %s', async (_, owner) => {
    await writeFiles(dir, { 'store/a.jsonl': owner, 'store/a/b.jsonl': inFolder });
    await run(['--out', 'o']);
    expect(await listHeld('o')).toContain('b.jsonl');
  });

  it('has it once where the other has the folder', async () => {
    await writeFiles(dir, {
      'store/a.jsonl': sampleSession({ id: 'owner' }),
      'store/a/b.jsonl': inFolder,
      'store/a/b/c.jsonl': sampleSession({ id: 'deeper' }),
    });
    const { out } = await run(['--out', 'o']);
    expect(await listHeld('o')).toEqual(['a.jsonl a/b/c.jsonl a/b.jsonl']);
    expect(out).toContain('Copied 1 of 1 session');
    expect((await run(['--out', 'o'])).out).toContain('Copied 0 of 1 session');
  });

  it('is as young as the sessions in the folder, as for prune', async () => {
    const at = (day: number) => new Date(NOW - day * 86_400_000).toISOString();
    await writeFiles(dir, {
      'store/a.jsonl': sampleSession({ id: 'owner', start: at(90) }),
      'store/a/b.jsonl': sampleSession({ id: 'in-folder', start: at(40) }),
      'store/a/c.jsonl': sampleSession({ id: 'of-a-wrong-clock', start: at(-40) }),
      'store/between.jsonl': sampleSession({ id: 'between', start: at(60) }),
    });
    await run(['--out', 'o']);
    const retain = ['prune', '--in-archive', 'o', '--keep-last', '1', '--json'];
    const { out } = await runTest(retain, { cwd: dir, home: dir });
    const { results } = JSON.parse(out) as { results: readonly { id: string; action: string }[] };
    expect(results.map(({ id, action }) => [id, action])).toEqual([
      ['owner', 'keep'],
      ['between', 'remove'],
    ]);
  });

  it('is the same from shards as from one run', async () => {
    const files: Record<string, string | readonly object[]> = {};
    for (let i = 0; i < 40; i += 1) {
      files[`store/${i}.jsonl`] = i % 2 === 0 ? 'no session\n' : sampleSession({ id: `own-${i}` });
      files[`store/${i}/in.jsonl`] = sampleSession({ id: `in-${i}` });
    }
    await writeFiles(dir, files);
    await run(['--out', 'whole']);
    for (const shard of ['1/3', '2/3', '3/3']) await run(['--out', 'parts', '--shard', shard]);
    const whole = await listHeld('whole');
    expect(whole).toHaveLength(40);
    expect(await listHeld('parts')).toEqual(whole);
  });
});

it('a backup has the array that a session was migrated from once', async () => {
  const session = sampleSession({ id: 'one' });
  await writeFiles(dir, {
    'store/a.jsonl': session,
    'store/a.json': JSON.stringify(session),
    'store/b.jsonl': session,
    'store/b.json': JSON.stringify(sampleSession({ id: 'other' })),
  });
  await run(['--out', 'o']);
  expect(await listHeld('o')).toEqual(['a.jsonl a.json', 'b.json', 'b.jsonl']);
});
