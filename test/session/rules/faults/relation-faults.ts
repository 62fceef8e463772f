import { buildSession, lineOf, type LineName, toText } from '../healthy-session.ts';
import { withFields, withMessage } from '../plant.ts';
import type { Fault } from './fault.ts';

function fault(
  rule: string,
  what: string,
  name: LineName,
  session: string,
  ...also: string[]
): Fault {
  return { rule, what, session, line: lineOf(name), also };
}

/** The healthy session with two neighbouring lines the other way round. */
function swapped(first: LineName): string {
  const records = buildSession();
  const at = lineOf(first) - 1;
  return toText([
    ...records.slice(0, at),
    ...records.slice(at, at + 2).toReversed(),
    ...records.slice(at + 2),
  ]);
}

const TREE: readonly Fault[] = [
  fault('entry-duplicate-id', 'the id of a leaf', 'last', withFields('last', { id: 'e9' })),
  fault(
    'entry-orphan',
    'a parent that was never there',
    'last',
    withFields('last', { parentId: 'gone' }),
  ),
  fault(
    'entry-cycle',
    'an entry that is its own parent',
    'last',
    withFields('last', { parentId: 'e21' }),
  ),
  fault(
    'entry-cycle',
    'an entry whose parent is its descendant',
    'name',
    withFields('name', { parentId: 'e21' }),
  ),
  fault('entry-parent-later', 'a child above its parent', 'label', swapped('label')),
  fault(
    'entry-time-backwards',
    'an entry from the day before',
    'last',
    withFields('last', { timestamp: '2026-02-28T10:00:00Z' }),
  ),
  fault('tree-several-roots', 'a second root', 'last', withFields('last', { parentId: null })),
];

const REFERENCES: readonly Fault[] = [
  fault(
    'compaction-kept-missing',
    'an id that is not there',
    'compaction',
    withFields('compaction', { firstKeptEntryId: 'gone' }),
  ),
  fault(
    'compaction-kept-missing',
    'an entry of another branch',
    'compaction',
    withFields('compaction', { firstKeptEntryId: 'e9' }),
  ),
  fault(
    'compaction-kept-missing',
    'no id at all',
    'compaction',
    withFields('compaction', { firstKeptEntryId: undefined }),
  ),
  fault(
    'label-target-missing',
    'a target that is not there',
    'label',
    withFields('label', { targetId: 'gone' }),
  ),
  fault(
    'edit-target-missing',
    'a target that is not there',
    'edit',
    withFields('edit', { targetId: 'gone' }),
  ),
  fault(
    'edit-target-missing',
    'a target on another branch',
    'edit',
    withFields('edit', { targetId: 'e9' }),
  ),
  fault(
    'summary-from-missing',
    'a branch that is not there',
    'summary',
    withFields('summary', { fromId: 'gone' }),
  ),
];

const TOOLS: readonly Fault[] = [
  fault(
    'tool-result-orphan',
    'a result of another call',
    'secondResult',
    withMessage('secondResult', { toolCallId: 'x' }),
    `${lineOf('secondCall')} tool-call-open`,
  ),
  fault(
    'tool-result-orphan',
    'a result whose call was aborted',
    'secondResult',
    withMessage('secondCall', { stopReason: 'aborted' }),
  ),
  fault(
    'tool-result-orphan',
    'a result whose call an edit takes out',
    'secondResult',
    withFields('edit', { targetId: 'e15', replacement: null }),
  ),
  fault(
    'tool-result-orphan',
    'a kept result of a call that is summed up',
    'result',
    withFields('compaction', { firstKeptEntryId: 'e7' }),
  ),
  fault(
    'tool-call-open',
    'a call without a result',
    'secondCall',
    withFields('secondResult', { type: 'custom', customType: 'x', message: undefined }),
  ),
  fault(
    'tool-call-open',
    'a call at the end',
    'last',
    withMessage('last', { content: [{ type: 'toolCall', id: 'x', name: 'bash', arguments: {} }] }),
  ),
];

const PLACES: readonly Fault[] = [
  {
    ...fault('place-file-name', 'another id in the name', 'header', toText(buildSession())),
    place: { name: '2026-03-01T10-00-01-000Z_other.jsonl' },
  },
  {
    ...fault('place-directory', "another project's directory", 'header', toText(buildSession())),
    place: { directory: '--work-web--' },
  },
  fault(
    'parent-missing',
    'a parent session that is not there',
    'header',
    withFields('header', { parentSession: '/nowhere/at/all.jsonl' }),
  ),
];

export const RELATION_FAULTS: readonly Fault[] = [...TREE, ...REFERENCES, ...TOOLS, ...PLACES];
