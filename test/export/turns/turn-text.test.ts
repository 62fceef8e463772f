import { expect, it } from 'vitest';
import { toTurnText } from '../../../src/export/turns/exchanges.ts';
import type { Turn } from '../../../src/session/model/text/conversation.ts';
import { wrapSummary } from '../../../src/session/model/text/wrap-summary.ts';
import { convertToLlm } from '../../../src/session/agents/pi/compaction/to-model/convert-to-llm.ts';

it.each([
  ['compaction', 'compactionSummary'],
  ['branch', 'branchSummary'],
] as const)('words a summary of a %s as the agent does', (kind, role) => {
  const turn = { role: 'summary', kind, blocks: [{ type: 'text', text: 'S' }] } as unknown as Turn;
  expect(convertToLlm([{ role, summary: 'S' }])).toEqual([
    { role: 'user', content: [{ type: 'text', text: toTurnText(turn, { wrapSummary }) }] },
  ]);
});
