import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures');

interface Trajectory {
  readonly agent: { readonly version: string };
  readonly steps: readonly { readonly is_copied_context?: true; readonly message: unknown }[];
  readonly final_metrics: Readonly<Record<string, number>>;
}

async function exportFile(path: string, ...args: readonly string[]): Promise<string> {
  const cwd = dirname(path);
  const run = await runTest(['export', path, '--as', 'atif', ...args], { cwd, home: cwd });
  if (run.exitCode !== 0) throw new Error(run.err);
  return run.out;
}

async function toAtif(path: string): Promise<Trajectory> {
  return JSON.parse(await exportFile(path)) as Trajectory;
}

const place = (name: string): string => join(FIXTURES, `${name}.jsonl`);
const METRICS = ['total_prompt_tokens', 'total_completion_tokens', 'total_cached_tokens'];

describe('the usage of a trajectory', () => {
  it('is that of the session if no answer names its own', async () => {
    const { final_metrics: total } = await toAtif(place('codex/linear-tools'));
    expect(METRICS.map((key) => total[key])).toEqual([360, 60, 150]);
  });

  it('is left out where the session does not record it', async () => {
    const { final_metrics: total } = await toAtif(place('codex/era-0.20'));
    expect(Object.keys(total)).toEqual(['total_steps']);
  });

  it.each(['codex/linear-tools', 'neovate/forked', 'claude-code/made-api-error-mid'])(
    'has no cost where none is recorded: %s',
    async (name) => {
      expect(await exportFile(place(name))).not.toContain('cost_usd');
      const { out } = await runTest(['export', place(name), '--as', 'md'], { cwd: FIXTURES });
      expect(out).toContain('\ntokens: ');
      expect(out).not.toContain('\ncost: ');
    },
  );
});
