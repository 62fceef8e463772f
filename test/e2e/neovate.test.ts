import { cp, readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { loadNeovate } from '../session/agents/neovate/neovate-loader.ts';
import { FIXTURES, getRecorded } from '../session/agents/neovate/recorded.ts';
import { makeTempDir, writeFiles } from '../temp-dir.ts';
import { runBinary } from './run-binary.ts';

const PROJECT = '.neovate/projects/home-u-demo-project';

let home: string;

beforeEach(async () => {
  home = await makeTempDir();
  await cp(join(FIXTURES, 'home'), home, { recursive: true });
  await writeFiles(home, {
    [`${PROJECT}/70a70a70.jsonl`]: getRecorded('broken-torn-last-line').text,
  });
  const project = join(home, PROJECT);
  for (const name of await readdir(project)) await utimes(join(project, name), 1.7e9, 1.7e9);
});

const run = (...args: string[]) => runBinary(args, { cwd: home, env: { HOME: home } });

describe('the binary, in a home with sessions of Neovate alone', () => {
  it('finds, checks and repairs them without being told where', async () => {
    const listed = await run('list', '--json');
    expect([listed.code, listed.err]).toEqual([0, '']);
    expect(JSON.parse(listed.out)).toMatchObject({ summary: { sessions: 5, problems: 0 } });
    expect((await run('validate')).code).toBe(1);
    const fixed = await run('validate', '--fix', '--format', 'json');
    expect(fixed.code).toBe(0);
    const path = join(home, PROJECT, '70a70a70.jsonl');
    expect(loadNeovate(await readFile(path, 'utf8'))).toHaveLength(13);
    expect(await readFile(`${path}.rejected`, 'utf8')).toContain('line-torn');
  });

  it('forks, compacts and migrates them', async () => {
    const forked = await run('fork', 'f05de3d5', '--before', '712f88b2');
    expect([forked.code, forked.err]).toEqual([
      0,
      expect.stringContaining('Text: Make it generic') as string,
    ]);
    expect(loadNeovate(await readFile(forked.out.trimEnd(), 'utf8'))).toHaveLength(4);
    const compacted = await run('compact', '80c4e9fa', '--force', '--apply');
    expect([compacted.code, compacted.err]).toEqual([0, '']);
    const path = join(home, PROJECT, '80c4e9fa.jsonl');
    expect(loadNeovate(await readFile(path, 'utf8'))).toHaveLength(1);
    expect((await run('migrate', 'cec9cd23', '--to', 'pi', '--apply')).code).toBe(0);
    const both = JSON.parse((await run('list', '--json')).out) as { results: { agent: string }[] };
    expect(new Set(both.results.map(({ agent }) => agent))).toEqual(new Set(['neovate', 'pi']));
  });
});
