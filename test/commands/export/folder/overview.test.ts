import { readdirSync, readFileSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runTest, type TestWorld } from '../../../memory-terminal.ts';
import { sampleSession } from '../../../sample-session.ts';
import { makeTempDir, writeFiles } from '../../../temp-dir.ts';

const FIXTURES = fileURLToPath(new URL('../../../fixtures', import.meta.url));

it('an index shows a session whose days and models take more than the first bytes of its page', async () => {
  const cwd = await makeTempDir();
  const [header, question, answer] = sampleSession({ id: 'long', text: 'Every day' });
  const lines = Array.from({ length: 1000 }, (_, day) => {
    const timestamp = new Date(Date.UTC(2026, 0, 1 + day)).toISOString();
    const parentId = day === 0 ? 'aaaaaaa1' : `day-${day - 1}`;
    return { ...answer, id: `day-${day}`, parentId, timestamp };
  });
  await writeFiles(cwd, {
    'in/a.jsonl': [header, question, ...lines].map((line) => ({ ...line })),
    'in/b.jsonl': sampleSession({ id: 'short', text: 'Once' }),
  });
  await runTest(['export', '--store', 'in', '--as', 'html', '--out', 'out'], { cwd });
  const index = readFileSync(join(cwd, 'out/index.html'), 'utf8');
  expect(index).toContain('>Every day</a>');
  expect(index).toContain('>Once</a>');
});

/** The sessions, tokens and cost that an index says there are. */
function readSum(path: string): string {
  return /<p class="sum">([^<]*)</.exec(readFileSync(path, 'utf8'))?.[1] ?? '';
}

async function listTokens(argv: readonly string[], world: TestWorld): Promise<number> {
  const { out } = await runTest(['list', '--by', 'agent', '--json', ...argv], world);
  const { results } = JSON.parse(out) as {
    readonly results: readonly { readonly tokens: { readonly totalTokens: number } }[];
  };
  return results.reduce((sum, { tokens }) => sum + tokens.totalTokens, 0);
}

describe('the totals of an index are those of list --by', () => {
  it.each([
    ['claude-code', { CLAUDE_CONFIG_DIR: join(FIXTURES, 'claude-code/home/.claude') }],
    ['codex', { CODEX_HOME: join(FIXTURES, 'codex/home') }],
  ])('for copied answers and sub-agents of %s', async (agent, env) => {
    const home = await makeTempDir();
    const world = { cwd: home, home, env };
    const { exitCode } = await runTest(
      ['export', '--agent', agent, '--as', 'html', '--out', 'out'],
      world,
    );
    const tokens = await listTokens(['--agent', agent], world);
    expect([exitCode, tokens > 0]).toEqual([0, true]);
    expect(readSum(join(home, 'out/index.html'))).toContain(
      ` ${tokens.toLocaleString('en-US')} tokens`,
    );
  });

  it.each([['with its parent'], ['without its parent', 'a.jsonl']])(
    'for a fork of pi %s',
    async (_, ...gone) => {
      const cwd = await makeTempDir();
      const parent = sampleSession({ id: 'parent', start: '2026-03-02T09:30:00.000Z' });
      const [, ...copied] = parent;
      const [header = {}] = sampleSession({
        id: 'fork',
        start: '2026-03-03T09:30:00.000Z',
        parentSession: join(cwd, 'in/a.jsonl'),
      });
      await writeFiles(cwd, {
        'in/a.jsonl': parent,
        'in/b.jsonl': [header, ...copied],
        'in/c.jsonl': sampleSession({ id: 'other' }),
      });
      for (const name of gone) await rm(join(cwd, 'in', name));
      await runTest(['export', '--store', 'in', '--as', 'html', '--out', 'out'], { cwd });
      const tokens = await listTokens(['--store', 'in'], { cwd });
      expect(tokens).toBe(30);
      expect(readSum(join(cwd, 'out/index.html'))).toMatch(/^\d sessions · 30 tokens · /);
    },
  );

  it('for a session that has the name of one that is gone', async () => {
    const cwd = await makeTempDir();
    await writeFiles(cwd, {
      'in/a.jsonl': sampleSession({ id: 'same', start: '2026-03-02T09:30:00.000Z' }),
      'in/b.jsonl': sampleSession({ id: 'same', start: '2026-03-04T09:30:00.000Z' }),
    });
    const argv = ['export', '--store', 'in', '--as', 'html', '--out', 'out'];
    await runTest(argv, { cwd });
    await rm(join(cwd, 'in/a.jsonl'));
    await runTest(argv, { cwd });
    expect(readSum(join(cwd, 'out/index.html'))).toMatch(/^2 sessions · 30 tokens · /);
  });

  it('for a session that has moved: its earlier page is there, but counts no more', async () => {
    const cwd = await makeTempDir();
    await writeFiles(cwd, {
      'in/a.jsonl': sampleSession({ id: 'moved' }),
      'in/b.jsonl': sampleSession({ id: 'other' }),
    });
    const argv = ['export', '--store', 'in', '--as', 'html', '--out', 'out'];
    await runTest(argv, { cwd });
    await rename(join(cwd, 'in/a.jsonl'), join(cwd, 'in/z.jsonl'));
    const { out } = await runTest(argv, { cwd });
    expect(out).toContain('Exported 1 of 2 sessions');
    expect(readSum(join(cwd, 'out/index.html'))).toMatch(/^2 sessions · 30 tokens · /);
    const names = readdirSync(join(cwd, 'out')).filter((name) => name.endsWith('.html'));
    expect(names).toHaveLength(4);
    await rm(join(cwd, 'in/z.jsonl'));
    await runTest(argv, { cwd });
    expect(readSum(join(cwd, 'out/index.html'))).toMatch(/^2 sessions · 30 tokens · /);
    await writeFiles(cwd, { 'in/a.jsonl': sampleSession({ id: 'moved' }) });
    await runTest(argv, { cwd });
    expect(readSum(join(cwd, 'out/index.html'))).toMatch(/^2 sessions · 30 tokens · /);
  });
});
