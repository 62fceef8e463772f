import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readContext } from '../../../../../src/session/read/read-context.ts';
import { makeTempDir, toJsonl } from '../../../../temp-dir.ts';
import { readFileSync, writeFileSync } from 'node:fs';

const CLEARED = join(import.meta.dirname, '../../../../fixtures/oh-my-pi/cleared.jsonl');

async function readTexts(path: string): Promise<readonly unknown[]> {
  const { messages } = await readContext(path);
  return messages.map(({ content, summary }) => JSON.stringify(content ?? summary));
}

describe('a conversation that was cleared in oh-my-pi', () => {
  it('is not in the context any more', async () => {
    expect(await readTexts(CLEARED)).toEqual(['"fresh?"', '[{"type":"text","text":"fresh."}]']);
  });

  it('is in the context again by a compaction that keeps it', async () => {
    const text = readFileSync(CLEARED, 'utf8');
    const [, first = ''] = /"id":"(\w+)"[^\n]+secret of before\?/.exec(text) ?? [];
    const compaction = {
      type: 'compaction',
      id: 'c0ffee00',
      parentId: /"id":"(\w+)"[^\n]+"fresh\."/.exec(text)?.[1],
      timestamp: '2026-02-03T18:10:00.000Z',
      summary: 'all of it',
      firstKeptEntryId: first,
      tokensBefore: 1,
    };
    const path = join(await makeTempDir(), 'compacted.jsonl');
    writeFileSync(path, text + toJsonl([compaction]));
    expect(await readTexts(path)).toHaveLength(5);
  });
});
