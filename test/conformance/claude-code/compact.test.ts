import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { compactSession } from '../../../src/session/compact/compact-session.ts';
import { CORPUS } from './corpus.ts';
import { useClient } from './use-client.ts';

const { client, dir } = useClient();

/** Appends a compaction that keeps about so many tokens; whether there was something to do. */
async function compact(path: string, keepRecentTokens: number): Promise<boolean> {
  const { action } = await compactSession(path, {
    settingsFor: () => Promise.resolve({ enabled: true, reserveTokens: 1000, keepRecentTokens }),
    contextWindowOf: () => Promise.resolve(200_000),
    summarizer: { summarize: () => Promise.resolve({ text: 'SO FAR' }) },
    force: true,
    apply: true,
    now: () => Date.parse('2026-11-22T00:00:00Z'),
    signal: new AbortController().signal,
  });
  return action === 'compact';
}

const FILES = CORPUS.filter(({ name }) => /auto-compact|rename-rewind|hooks|siblings/.test(name));
const CASES = FILES.flatMap((recorded) => [1, 40].map((keep) => ({ ...recorded, keep })));

describe.concurrent('the client sends the summary, and the turns that are kept as before', () => {
  it.for(CASES)('$name, $keep tokens', async ({ name, path, keep }, { expect }) => {
    const copy = join(dir, `${name}-${keep}.jsonl`);
    cpSync(path, copy);
    if (!(await compact(copy, keep))) return;
    const [before, after] = await Promise.all([client.resume(path), client.resume(copy)]);
    const [first, ...others] = after.context ?? [];
    const [summary, ...kept] = first?.blocks ?? [];
    expect(summary?.['text']).toContain('\nSummary:\nSO FAR\n');
    const tail = (before.context ?? []).slice(-others.length);
    if (others.length === 0) expect(kept).toEqual([]);
    else expect(others).toEqual(tail);
  });
});
