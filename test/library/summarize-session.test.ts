import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { summarizeSession } from '../../src/index.ts';
import { runTest } from '../memory-terminal.ts';
import { makeTempDir } from '../temp-dir.ts';

const FIXTURES = join(import.meta.dirname, '../fixtures');

/** The name of a thread, the directory of a project, and the sub-agents are in other files. */
it.each([
  ['codex', 'home', '.codex'],
  ['neovate', 'home/.neovate', '.neovate'],
  ['claude-code', 'home/.claude', '.claude'],
] as const)('summarizeSession has the facts of a listing: %s', async (agent, from, to) => {
  const home = await makeTempDir();
  cpSync(join(FIXTURES, agent, from), join(home, to), { recursive: true });
  const { out } = await runTest(['list', '--usage', '--json'], { cwd: home, home, env: {} });
  const { results } = JSON.parse(out) as { results: readonly Facts[] };
  expect(results.length).toBeGreaterThan(1);
  for (const { path, cwd, name, messageCount, files, expires, subagents } of results) {
    const summary = await summarizeSession(path, { usage: true });
    expect(summary).toMatchObject({ path, cwd, name, messageCount });
    if (!('path' in summary)) continue;
    expect(summary.expires).toBe(expires);
    expect(summary.files).toEqual(files);
    const logs = subagents?.map((one) => one.path);
    expect(summary.subagents?.map((one) => one.path)).toEqual(logs);
  }
});

interface Facts {
  readonly path: string;
  readonly cwd: string;
  readonly name: string | null;
  readonly messageCount: number;
  readonly files?: readonly string[];
  readonly expires?: string;
  readonly subagents?: readonly { readonly path: string }[];
}
