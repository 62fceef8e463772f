import type { JsonObject } from '../../../../src/session/jsonl/edit/json.ts';
import { type ClaudeCodeFault, END } from './faults.ts';
import { boundary, summary, toNode, withMore } from './healthy-session.ts';

const kept = (anchorUuid: string): JsonObject => ({ anchorUuid, uuids: ['n1', 'n2'] });
const ends = (headUuid: string | null, tailUuid: string, anchorUuid = 's'): JsonObject => ({
  headUuid,
  tailUuid,
  anchorUuid,
});

/** What a compaction names. */
const PRESERVED: readonly ClaudeCodeFault[] = [
  { what: 'behind an entry that is not there', named: { preservedMessages: kept('gone') } },
  { what: 'behind nothing', named: { preservedMessages: { uuids: ['n1', 'n2'] } } },
  { what: 'behind an entry before it', named: { preservedMessages: kept('n1') } },
  {
    what: 'from an entry that is not above the last',
    named: { preservedSegment: ends('n3', 'n1') },
  },
  { what: 'from no entry', named: { preservedSegment: ends(null, 'n7') } },
  {
    what: 'up to an entry, behind one that is not there',
    named: { preservedSegment: ends('n6', 'n7', 'gone') },
  },
].map(({ what, named }) => ({
  rule: 'preserved-missing',
  level: 'error' as const,
  what: `a compaction that keeps entries ${what}`,
  session: withMore(toNode('b', null, 8, boundary(named)), toNode('s', 'b', 9, summary)),
  line: END,
}));

/** Faults of what lines name of each other. */
export const LINK_FAULTS: readonly ClaudeCodeFault[] = [...PRESERVED];
