import { expect, it } from 'vitest';
import { exportSession } from '../../src/index.ts';
import { runTest } from '../memory-terminal.ts';
import { getRecorded, placeRecorded } from '../session/agents/codex/corpus.ts';

it.each(['md', 'context', 'atif'] as const)(
  'exportSession makes of a fork of Codex what the command prints as %s',
  async (as) => {
    const path = await placeRecorded(getRecorded('fork-child'));
    const { documents, problems } = await exportSession(path, { as });
    expect(problems).toEqual([]);
    const { out } = await runTest(['export', path, '--as', as]);
    expect(documents.map(({ text }) => text)).toEqual([out]);
    expect(out).toContain('Fork question');
  },
);
