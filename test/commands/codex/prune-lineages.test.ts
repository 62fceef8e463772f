import { expect, it } from 'vitest';
import type { PruneResult } from '../../../src/report/prune/columns.ts';
import { NOW, runTest } from '../../memory-terminal.ts';
import { makeTempDir, writeFiles } from '../../temp-dir.ts';

const DAY = 86_400_000;
const [FIRST, FORK, SIBLING, SUBAGENT] = [1, 2, 3, 4].map(
  (nth) => `0199aaaa-0000-7000-8000-00000000000${nth}`,
) as [string, string, string, string];
const GENERATION = '0199aaaa-0000-7000-8000-00000000000f';

/** The lines of a thread that was last active some days ago. */
function makeLines(id: string, days: number, facts: object): readonly object[] {
  const timestamp = new Date(NOW - days * DAY).toISOString();
  const origin = { cwd: '/p', originator: 'x', cli_version: '0.169.0', source: 'cli' };
  return [
    { timestamp, type: 'session_meta', payload: { id, timestamp, ...origin, ...facts } },
    { timestamp, type: 'event_msg', payload: { type: 'user_message', message: 'Hi' } },
  ];
}

/** Prunes a home with these threads; returns what is done with the first of them. */
async function prune(
  threads: Readonly<Record<string, readonly object[]>>,
  ...rules: readonly string[]
): Promise<string> {
  const home = await makeTempDir();
  const files = Object.entries(threads).map(([name, lines]) => [
    `.codex/sessions/2127/01/01/rollout-2127-01-01T00-00-00-${name}.jsonl`,
    lines,
  ]);
  await writeFiles(home, Object.fromEntries(files) as Record<string, object[]>);
  const always = ['--grace', '0min', '--include-pinned', '--allow-empty', '--json'];
  const { out } = await runTest(['prune', ...rules, ...always], { home, cwd: home });
  const { results } = JSON.parse(out) as { readonly results: readonly PruneResult[] };
  const first = results.find(({ id }) => id === FIRST);
  return [first?.action, ...(first?.reasons ?? [])].join(': ');
}

const OLD = ['--older-than', '30d'];
const ALL_BUT_FORK = ['--larger-than', '1B', '--keep-id', FORK];

it('prune knows a fork by its first file, where that of a revert does not say it', async () => {
  const threads = {
    [FIRST]: makeLines(FIRST, 60, {}),
    [FORK]: makeLines(FORK, 59, { forked_from_id: FIRST }),
    [`${FORK}_${GENERATION}`]: makeLines(FORK, 2, {}),
  };
  expect(await prune(threads, ...ALL_BUT_FORK)).toBe('keep: parent of a kept fork');
  expect(await prune(threads, ...OLD)).toContain('keep: not older than 30d');
});

it('prune takes the fork of a fork that was reverted for one of its lineage', async () => {
  const threads = {
    [FIRST]: makeLines(FIRST, 60, { forked_from_id: FORK }),
    [FORK]: makeLines(FORK, 59, { forked_from_id: SIBLING }),
    [`${FORK}_${GENERATION}`]: makeLines(FORK, 58, {}),
    [SIBLING]: makeLines(SIBLING, 2, {}),
  };
  expect(await prune(threads, ...OLD)).toContain('keep: not older than 30d');
});

it('prune keeps a thread of whose sub-agent there is a fork', async () => {
  const threads = {
    [FIRST]: makeLines(FIRST, 60, {}),
    [SUBAGENT]: makeLines(SUBAGENT, 60, { parent_thread_id: FIRST, thread_source: 'subagent' }),
    [FORK]: makeLines(FORK, 2, { forked_from_id: SUBAGENT }),
  };
  expect(await prune(threads, ...ALL_BUT_FORK)).toBe('keep: parent of a kept fork');
  expect(await prune(threads, ...OLD)).toContain('keep: not older than 30d');
});
