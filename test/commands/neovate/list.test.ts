import { cp, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { sampleSession } from '../../sample-session.ts';
import { FIXTURES } from '../../session/neovate/recorded.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

interface Row {
  readonly id: string;
  readonly agent: string;
  readonly cwd: string;
  readonly name: string | null;
  readonly messageCount: number;
}

const PROJECT = '.neovate/projects/home-u-demo-project';
const REQUESTS = `${PROJECT}/requests/452a59aa-cea3-4d29-a2e0-5d557229fb37.jsonl`;
/** Latest first, as the real listing answered with these times. */
const LATEST = ['cec9cd23', 'd764940e', 'f05de3d5', '80c4e9fa'];

let home: string;

async function list(...args: string[]): Promise<readonly Row[]> {
  const { out } = await runTest(['list', '--json', ...args], { cwd: home, home });
  return (JSON.parse(out) as { results: readonly Row[] }).results;
}

beforeEach(async () => {
  home = await makeTempDir();
  await cp(join(FIXTURES, 'home'), home, { recursive: true });
  for (const [age, id] of LATEST.entries()) {
    const time = new Date(Date.parse('2026-12-01T00:00:00Z') - age * 3_600_000);
    await utimes(join(home, PROJECT, `${id}.jsonl`), time, time);
  }
});

describe('list, of a home directory of Neovate', () => {
  it('answers as the real listing did, in its order', async () => {
    const rows = await list();
    expect(rows.map(({ id }) => id)).toEqual(LATEST);
    expect(rows.map(({ messageCount }) => messageCount)).toEqual([10, 1, 11, 14]);
    expect(rows.map(({ name }) => name)).toEqual([
      'Questions on sum.js',
      null,
      'Sorting helper',
      null,
    ]);
  });

  it('knows the working directory from the history of what was typed', async () => {
    expect(new Set((await list()).map(({ cwd }) => cwd))).toEqual(
      new Set(['/home/u/demo-project']),
    );
    expect(await list('--project', '/home/u')).toHaveLength(4);
    expect(await list('--project', '/home/other')).toHaveLength(0);
  });

  it('does without that history where it is gone or broken', async () => {
    await writeFiles(home, { '.neovate/data.json': '{"projects":' });
    expect((await list()).map(({ cwd }) => cwd)).toEqual(['', '', '', '']);
  });

  it('never takes a request log for a session', async () => {
    expect((await list()).every(({ id }) => !id.startsWith('452a59aa'))).toBe(true);
    const { out, exitCode } = await runTest(['list', '--json', REQUESTS], { cwd: home, home });
    expect(exitCode).toBe(3);
    expect(out).toContain('not-a-session');
  });

  it('finds a session by its id', async () => {
    expect(await list('f05d')).toMatchObject([{ id: 'f05de3d5', agent: 'neovate' }]);
  });

  it('lists the sessions of both agents in one go', async () => {
    await writeFiles(home, { '.pi/agent/sessions/--x--/a.jsonl': sampleSession({ id: 'pi-one' }) });
    expect((await list()).map(({ agent }) => agent).toSorted()).toEqual([
      ...Array.from({ length: 4 }, () => 'neovate'),
      'pi',
    ]);
    expect((await list('--agent', 'pi')).map(({ id }) => id)).toEqual(['pi-one']);
    expect(await list('--agent', 'neovate')).toHaveLength(4);
  });

  it('shows the tree of one, with its branches, and what stands beside it when asked', async () => {
    const file = join(PROJECT, 'f05de3d5.jsonl');
    const tree = (...args: string[]) =>
      runTest(['list', file, '--entries', ...args], { cwd: home, home });
    const { out } = await tree();
    expect(out).toContain('◦ user       Use bubble sort instead');
    expect(out).toContain('• user       Use merge sort instead');
    expect(out).not.toContain('config');
    expect((await tree('--filter', 'all')).out).toContain('config');
  });
});
