import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runTest } from '../memory-terminal.ts';
import { sampleSession } from '../sample-session.ts';
import { makeTempDir, toJsonl, writeFiles } from '../temp-dir.ts';

const FIXTURES = fileURLToPath(new URL('../fixtures', import.meta.url));

/** The names of the documents of `export --all-branches`, the leaves of `fork --each-leaf`, and the count of `list`. */
async function findBranches(path: string) {
  const dir = await makeTempDir();
  const run = (...argv: string[]) => runTest([...argv, '--json'], { cwd: dir, home: dir });
  const exported = await run('export', path, '--as', 'chat', '--all-branches', '--out', 'out');
  const forked = await run('fork', path, '--each-leaf', '--out', 'forks', '--dry-run');
  const listed = await run('list', path);
  const { results: sessions } = JSON.parse(listed.out) as { results: { leafCount: number }[] };
  const { results } = JSON.parse(exported.out) as { results: { outputs: string[] }[] };
  const { results: forks } = JSON.parse(forked.out) as { results: { leafId: string }[] };
  const names = results
    .flatMap(({ outputs }) => outputs)
    .map((name) => name.slice(0, -'.jsonl'.length));
  return { names, counted: sessions[0]?.leafCount, leaves: forks.map(({ leafId }) => leafId) };
}

describe('--all-branches', () => {
  it.each([
    ['claude-code/made-branch', 2],
    ['claude-code/made-parallel-results-as-siblings', 1],
    ['claude-code/made-two-compactions', 1],
    ['neovate/cancelled-tools', 1],
  ])('exports the branches that --each-leaf forks, and list counts, of %s', async (name, count) => {
    const { names, leaves, counted } = await findBranches(join(FIXTURES, `${name}.jsonl`));
    expect(names).toHaveLength(count);
    expect(leaves).toHaveLength(count);
    expect(counted).toBe(count);
    for (const [at, leaf] of leaves.entries()) expect(names[at]).toMatch(new RegExp(`_${leaf}$`));
  });

  it('takes a label for no branch of its own, and keeps one at the end that is called as an entry', async () => {
    const dir = await makeTempDir();
    const [header = {}, question = {}, answer = {}] = sampleSession();
    const toLabel = (id: string, parentId: string) => {
      return { ...answer, type: 'label', id, parentId, targetId: 'aaaaaaa1', label: 'bbbbbbb2' };
    };
    const labels = [toLabel('bbbbbbb1', 'aaaaaaa1'), toLabel('bbbbbbb2', 'aaaaaaa2')];
    await writeFiles(dir, { 'a.jsonl': toJsonl([header, question, answer, ...labels]) });
    const { names, leaves } = await findBranches(join(dir, 'a.jsonl'));
    expect(leaves).toHaveLength(1);
    expect(names).toEqual([expect.stringMatching(/_bbbbbbb2$/)]);
  });
});
