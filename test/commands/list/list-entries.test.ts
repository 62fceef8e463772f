import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const RECORDED = fileURLToPath(new URL('../../fixtures/recorded', import.meta.url));

interface Listed {
  readonly id: string;
  readonly type: string;
  readonly role: string | null;
  readonly depth: number;
  readonly label: string | null;
  readonly preview: string;
  readonly onPath: boolean;
}

async function listEntries(file: string, ...args: string[]): Promise<readonly Listed[]> {
  const run = await runTest(['list', file, '--entries', '--json', ...args], { cwd: RECORDED });
  if (run.exitCode !== 0) throw new Error(run.err);
  return (JSON.parse(run.out) as { results: readonly Listed[] }).results;
}

describe('list --entries', () => {
  const file = '0.87.1-branches-and-summaries.jsonl';

  it('shows the whole tree, depth first, with its current path', async () => {
    const all = await listEntries(file, '--filter', 'all');
    expect(all[0]).toMatchObject({ depth: 0 });
    expect(all.some(({ onPath }) => !onPath)).toBe(true);
    // Answers without words are left out, whatever the filter.
    const depths = all.filter(({ onPath }) => onPath).map(({ depth }) => depth);
    expect(depths).toEqual([...new Set(depths)].toSorted((a, b) => a - b));
  });

  it('filters as the tree view of pi does', async () => {
    const users = await listEntries(file, '--filter', 'user-only');
    expect(new Set(users.map(({ role }) => role))).toEqual(new Set(['user']));
    const labelled = await listEntries('0.73.1-roots-and-labels.jsonl', '--filter', 'labeled-only');
    expect(labelled.length).toBeGreaterThan(0);
    expect(labelled.every(({ label }) => label !== null)).toBe(true);
    const shown = await listEntries('0.87.1-every-message.jsonl');
    expect(shown.map(({ type }) => type)).not.toContain('model_change');
    expect(shown.map(({ role }) => role)).toContain('toolResult');
    const noTools = await listEntries('0.87.1-every-message.jsonl', '--filter', 'no-tools');
    expect(noTools.map(({ role }) => role)).not.toContain('toolResult');
  });

  it('never shows usage, which is no part of the conversation', async () => {
    const all = await listEntries('0.87.1-system-messages.jsonl', '--filter', 'all');
    expect(all.map(({ type }) => type)).not.toContain('usage');
  });

  it('gives old sessions the ids that they will have', async () => {
    const entries = await listEntries('0.30.2-two-compactions.jsonl', '--filter', 'all');
    expect(entries.every(({ id }) => /^[0-9a-f]{8}$/.test(id))).toBe(true);
    expect(entries.every(({ onPath }) => onPath)).toBe(true);
  });

  it('wants one session, and one that is there', async () => {
    const several = await runTest(['list', '.', '--entries'], { cwd: RECORDED });
    expect(several).toMatchObject({ exitCode: 2, out: '' });
    expect(several.err).toContain('--entries shows one session');
    const dir = await makeTempDir();
    await writeFiles(dir, { 'a.jsonl': '{"x":1}\n' });
    const foreign = await runTest(['list', 'a.jsonl', '--entries'], { cwd: dir });
    expect(foreign.exitCode).toBe(3);
    expect(foreign.err).toContain('a.jsonl: is no session file of a known agent');
    const filter = await runTest(['list', '--filter', 'all'], { cwd: RECORDED });
    expect(filter).toMatchObject({ exitCode: 2 });
  });
});
