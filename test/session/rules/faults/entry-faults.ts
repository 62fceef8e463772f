import { lineOf, type LineName } from '../healthy-session.ts';
import { withBlock, withFields, withMessage } from '../plant.ts';
import type { Fault } from './fault.ts';

type Changes = Parameters<typeof withFields>[1];
type Table = readonly (readonly [name: LineName, changes: Changes])[];

const SHAPES: Table = [
  ['model', { provider: 3 }],
  ['model', { modelId: undefined }],
  ['thinking', { thinkingLevel: 3 }],
  ['model', { provider: undefined, modelId: undefined, model: 3 }],
  ['model', { model: 'a/b', role: 3 }],
  ['last', { message: null }],
  ['last', { message: [] }],
  ['last', { id: undefined }],
  ['last', { id: '' }],
  ['last', { type: undefined, customType: 'x' }],
  ['last', { type: 3 }],
  ['last', { parentId: 3 }],
  ['compaction', { summary: undefined }],
  ['compaction', { tokensBefore: '1000' }],
  ['compaction', { systemMessage: 'x' }],
  ['compaction', { usage: {} }],
  ['summary', { summary: undefined }],
  ['summary', { fromId: undefined }],
  ['custom', { customType: undefined }],
  ['customMessage', { customType: 1 }],
  ['customMessage', { content: 7 }],
  ['customMessage', { display: undefined }],
  ['label', { targetId: undefined }],
  ['label', { label: 7 }],
  ['name', { name: {} }],
  ['usage', { kind: undefined }],
  ['usage', { usage: { input: 1 } }],
  ['edit', { replacement: undefined }],
  ['edit', { replacement: {} }],
];

const MESSAGES: Table = [
  ['last', { role: undefined }],
  ['last', { role: 3 }],
  ['last', { content: 'text' }],
  ['last', { api: undefined }],
  ['last', { usage: undefined }],
  ['last', { usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0 } }],
  ['last', { stopReason: 1 }],
  ['last', { timestamp: '2026-03-01' }],
  ['user', { content: {} }],
  ['system', { sections: [] }],
  ['result', { toolCallId: undefined }],
  ['result', { isError: undefined }],
  ['result', { content: 'text' }],
  ['bash', { command: undefined }],
  ['bash', { exitCode: '0' }],
  ['bash', { cancelled: undefined }],
  ['bash', { role: 'custom', customType: 'x', display: true }],
  ['bash', { role: 'custom', customType: 'x', display: true, content: null }],
];

const BLOCKS: Table = [
  ['last', { text: undefined }],
  ['last', { type: undefined }],
  ['kept', { type: 'image', data: 'aGk=' }],
  ['call', { thinking: null }],
  ['secondCall', { arguments: null }],
  ['secondCall', { arguments: [] }],
  ['secondCall', { name: undefined }],
];

/** A call that has lost its id leaves its result alone. */
const lostCall: Fault = {
  ...fault('block-shape', 'secondCall', withBlock('secondCall', { id: undefined }), {
    id: undefined,
  }),
  also: [`${lineOf('secondResult')} tool-result-orphan`],
};

function fault(rule: string, name: LineName, session: string, changes: Changes): Fault {
  const fields = Object.entries(changes).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  return { rule, what: `${name} with ${fields.join(', ')}`, session, line: lineOf(name) };
}

const plant = (rule: string, table: Table, withChanges: typeof withFields): Fault[] =>
  table.map(([name, changes]) => fault(rule, name, withChanges(name, changes), changes));

export const ENTRY_FAULTS: readonly Fault[] = [
  ...plant('entry-shape', SHAPES, withFields),
  ...plant('message-shape', MESSAGES, withMessage),
  ...plant('block-shape', BLOCKS, withBlock),
  lostCall,
  ...plant('entry-parent-missing', [['last', { parentId: undefined }]], withFields),
  ...plant('entry-type-unknown', [['custom', { type: 'bookmark' }]], withFields),
  ...plant('entry-time-number', [['last', { timestamp: 1772359221000 }]], withFields),
  ...plant(
    'entry-time-unreadable',
    [
      ['last', { timestamp: undefined }],
      ['last', { timestamp: 'noon' }],
      ['last', { timestamp: {} }],
    ],
    withFields,
  ),
  ...plant(
    'message-content-missing',
    [
      ['last', { content: null }],
      ['user', { content: undefined }],
      ['result', { content: null }],
    ],
    withMessage,
  ),
  ...plant('message-content-missing', [['customMessage', { content: undefined }]], withFields),
  ...plant('role-unknown', [['bash', { role: 'narrator' }]], withMessage),
];
