import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runTest } from '../../memory-terminal.ts';
import { getRecorded, placeRecorded } from '../../session/agents/codex/corpus.ts';
import { makeTempDir } from '../../temp-dir.ts';

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

const readTotals = (text: string): readonly string[] =>
  Object.keys((JSON.parse(text) as Trajectory).final_metrics);

const TIME = '2026-01-01T00:00:00.000Z';
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

  it('is left out of a branch if no answer names its own', async () => {
    const path = place('codex/era-0.80-rollback');
    expect(readTotals(await exportFile(path, '--branch', 'line-23'))).toEqual(['total_steps']);
    expect(readTotals(await exportFile(path))).toContain('total_prompt_tokens');
  });

  it('is left out of a path without an answer, in a session whose answers name theirs', async () => {
    const path = join(await makeTempDir(), 'session.jsonl');
    const usage = { input: 7, output: 2, cacheRead: 0, cacheWrite: 0, totalTokens: 9 };
    const messages = [
      { role: 'user', content: 'Question' },
      { role: 'assistant', content: [{ type: 'text', text: 'Answer' }], usage },
    ].map((message, index) => {
      const parentId = index === 0 ? null : `u${index}`;
      return { type: 'message', id: `u${index + 1}`, parentId, timestamp: TIME, message };
    });
    const header = { type: 'session', version: 3, id: 's1', timestamp: TIME, cwd: '/p' };
    writeFileSync(path, [header, ...messages].map((line) => `${JSON.stringify(line)}\n`).join(''));
    expect(readTotals(await exportFile(path, '--branch', 'u1'))).toEqual(['total_steps']);
    expect(readTotals(await exportFile(path))).toContain('total_prompt_tokens');
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

describe('the release in a trajectory', () => {
  it.each([
    ['codex/linear-tools', '0.169.0'],
    ['claude-code/made-api-error-mid', '2.1.330'],
    ['neovate/forked', 'unknown'],
  ])('is the one that the lines name: %s', async (name, version) => {
    expect((await toAtif(place(name))).agent).toMatchObject({ version });
  });

  it('gives away no secret', async () => {
    const secret = 'ghp_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789';
    const path = join(await makeTempDir(), 'rollout.jsonl');
    const text = readFileSync(place('codex/linear-tools'), 'utf8');
    writeFileSync(path, text.replace('"cli_version":"0.169.0"', `"cli_version":"${secret}"`));
    expect(await exportFile(path)).not.toContain(secret);
  });
});

describe('the steps that a fork has of its parent', () => {
  const count = async (path: string): Promise<readonly [copied: number, all: number]> => {
    const { steps } = await toAtif(path);
    return [steps.filter((step) => step.is_copied_context).length, steps.length];
  };

  it('are marked in a thread of Codex, whose copy has the time of the fork', async () => {
    expect(await count(place('codex/era-0.130-fork'))).toEqual([5, 5]);
  });

  it('are marked up to the turn that is its own', async () => {
    const path = join(await makeTempDir(), 'rollout.jsonl');
    const turn = 'ffffffff-ffff-7000-8000-000000000001';
    const lines = [
      { type: 'event_msg', payload: { type: 'task_started', turn_id: turn } },
      {
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Own' }] },
      },
    ].map((line) => JSON.stringify({ timestamp: '2026-11-21T21:12:37.361Z', ...line }));
    const text = readFileSync(place('codex/era-0.130-fork'), 'utf8');
    writeFileSync(path, `${text}${lines.join('\n')}\n`);
    expect(await count(path)).toEqual([5, 6]);
  });

  it('are those of its parent alone in a thread of Codex that was reverted', async () => {
    const path = await placeRecorded(getRecorded('fork-child'));
    const [copied, all] = await count(path);
    expect(all - copied).toBe(2);
    const text = readFileSync(path, 'utf8');
    const base = {
      thread_id: '01a1fff1-79ae-74c1-abfd-a7f241941747',
      end_ordinal_exclusive: 40,
      end_byte_offset: Buffer.byteLength(text),
    };
    const reverted = path.replace('.jsonl', '_ffffffff-0000-7000-8000-000000000003.jsonl');
    const later = text
      .replace(/"history_base":\{[^}]*\}/, `"history_base":${JSON.stringify(base)}`)
      .replaceAll('T21:09:37', 'T21:09:40')
      .replaceAll('01a1fff1-79c8-', 'ffffffff-79c8-')
      .replaceAll(/"ordinal":(\d+)/g, (_, ordinal: string) => `"ordinal":${Number(ordinal) + 11}`);
    writeFileSync(reverted, later);
    expect(await count(reverted)).toEqual([copied, all + 2]);
  });

  it('are marked to the last one of a fork that was never continued', async () => {
    const from =
      '"forkedFrom":{"sessionId":"5f3d1c1e-0000-4000-8000-000000000001","messageUuid":"x"}';
    const neovate = join(await makeTempDir(), 'session.jsonl');
    const text = readFileSync(place('neovate/forked'), 'utf8');
    writeFileSync(neovate, text.replaceAll('"type":"message"', `"type":"message",${from}`));
    const [copied, all] = await count(neovate);
    expect(copied).toBe(all);
    expect(await count(place('neovate/forked'))).toEqual([0, all]);
  });

  it('are those of both kinds of forks of Claude Code', async () => {
    const [copied, all] = await count(place('claude-code/recorded-headless-fork-after-compact'));
    expect(all - copied).toBe(2);
    const path = join(await makeTempDir(), '5f3d1c1e-0000-4000-8000-000000000002.jsonl');
    const text = readFileSync(place('claude-code/made-api-error-mid'), 'utf8');
    const from = '{"sessionId":"5f3d1c1e-0000-4000-8000-000000000001","messageUuid":"x"}';
    writeFileSync(path, text.replaceAll('"isSidechain":', `"forkedFrom":${from},"isSidechain":`));
    const [marked, whole] = await count(path);
    expect(marked).toBe(whole);
  });
});
