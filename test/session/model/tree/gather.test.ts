import { expect, it } from 'vitest';
import type { SessionSummary } from '../../../../src/session/model/summary.ts';
import { gatherSessions } from '../../../../src/session/model/tree/gather.ts';

interface Thread {
  readonly home: string;
  readonly id: string;
  readonly forkOf?: string;
  readonly messagesAt?: readonly number[];
}

/** A thread of Codex that continues the file of its parent at byte 100. */
function toSummary({ home, id, forkOf, messagesAt = [] }: Thread): SessionSummary {
  const path = `${home}/sessions/2026/11/21/${id}.jsonl`;
  const base = forkOf === undefined ? {} : { base: { id: forkOf, end: 100 }, forkOf };
  const relations = { fileId: id, messagesAt, ...base };
  const messageCount = messagesAt.length;
  const facts = { path, agent: 'codex', id, messageCount, relations, parentSessionPath: null };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else of them is looked at
  return { ...facts, name: null, created: '', modified: '', size: 1, models: [] } as never;
}

it('counts and names for a fork the parent of its own home, where a copy of that home lies beside it', () => {
  const homes = ['/store/a', '/store/b'];
  const threads = homes.flatMap((home, at) => [
    toSummary({ home, id: 'parent', messagesAt: at === 0 ? [10, 20, 30] : [10] }),
    toSummary({ home, id: 'fork', forkOf: 'parent', messagesAt: [10] }),
  ]);
  const sessions = gatherSessions(threads, { keepsSubagents: true, explicit: new Set() });
  const forks = sessions.filter(({ id }) => id === 'fork');
  expect(
    forks.map(({ messageCount, parentSessionPath }) => [messageCount, parentSessionPath]),
  ).toEqual([
    [4, '/store/a/sessions/2026/11/21/parent.jsonl'],
    [2, '/store/b/sessions/2026/11/21/parent.jsonl'],
  ]);
});
