import type { JsonObject } from '../../../../src/session/jsonl/edit/json.ts';
import { type ClaudeCodeFault, END } from './faults.ts';
import { boundary, summary, text, toNode, withFields, withMore } from './healthy-session.ts';

const LATE = '2026-11-20T11:00:00.000Z';

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

/** The last of the conversation. */
const LAST = 7;

/** Lines that do not say where they belong. */
const UNNAMED: readonly ClaudeCodeFault[] = [
  { what: 'a line without a uuid', fields: { uuid: undefined } },
  { what: 'a uuid that is a number', fields: { uuid: 3 } },
  { what: 'a line without a parentUuid', fields: { parentUuid: undefined } },
  { what: 'an empty parentUuid', fields: { parentUuid: '' } },
].map(({ what, fields }) => ({
  rule: 'node-unnamed',
  level: 'warning' as const,
  what,
  session: withFields(LAST, fields),
  line: LAST,
}));

/** Parents that are not text are not in the file. */
const ODD_PARENTS: readonly ClaudeCodeFault[] = [3, true, {}, []].flatMap((parentUuid) => [
  {
    rule: 'node-bridged',
    level: 'warning' as const,
    what: `a parent of another type: ${JSON.stringify(parentUuid)}`,
    session: withFields(LAST, { parentUuid }),
    line: LAST,
  },
  {
    rule: 'node-orphan',
    level: 'error' as const,
    what: `a parent of another type, long after everything else: ${JSON.stringify(parentUuid)}`,
    session: withFields(LAST, { parentUuid, timestamp: LATE }),
    line: LAST,
  },
]);

/** Blocks that the client does not read. */
const BLOCKS: readonly ClaudeCodeFault[] = [
  { what: 'a block without a type', block: { text: 'Looking.' } },
  { what: 'a block whose type is a number', block: { type: 3, text: 'Looking.' } },
  { what: 'a block that is text', block: 'Looking.' },
  { what: 'a block that is null', block: null },
  { what: 'a block of text without text', block: { type: 'text' } },
  { what: 'a text that is null', block: { type: 'text', text: null } },
  { what: 'a text that is a number', block: { type: 'text', text: 3 } },
  { what: 'a text that is an object', block: { type: 'text', text: {} } },
].map(({ what, block }) => ({
  rule: 'block-fields',
  level: 'error' as const,
  what,
  session: withFields(1, { message: { role: 'user', content: [block, text('Tidy up.')] } }),
  line: 1,
}));

/** An answer that only the newest releases read. */
const UNLISTED: readonly ClaudeCodeFault[] = ['Tidied.', ''].map((content) => ({
  rule: 'block-fields',
  level: 'error' as const,
  what: `an answer that is a text: ${JSON.stringify(content)}`,
  session: withFields(LAST, { message: { id: 'm9', type: 'message', role: 'assistant', content } }),
  line: LAST,
}));

/** Faults of what lines name of each other, and of their parts. */
export const LINK_FAULTS: readonly ClaudeCodeFault[] = [
  ...PRESERVED,
  ...UNNAMED,
  ...ODD_PARENTS,
  ...BLOCKS,
  ...UNLISTED,
];
