import { buildOldSession, buildSession, lineOf, toText } from '../healthy-session.ts';
import { withFields, withLinesBefore, withMessage, without } from '../plant.ts';
import type { Fault } from './fault.ts';

const header = buildSession()[0] ?? {};

function fault(rule: string, what: string, session: string | Buffer, line = 1): Fault {
  return { rule, what, session, line };
}

const invalid = (what: string, changes: Parameters<typeof withFields>[1]): Fault =>
  fault('header-invalid', what, withFields('header', changes));

/** The entries as v1 has them, below a header that says otherwise. */
function buildContradicted(): string {
  const [old = {}, ...entries] = buildOldSession();
  return toText([{ ...old, version: 3 }, ...entries]);
}

export const HEADER_FAULTS: readonly Fault[] = [
  fault('header-missing', 'no header', without('header')),
  fault(
    'header-misplaced',
    'the title line of oh-my-pi',
    withLinesBefore('header', { type: 'title', title: 'x' }),
  ),
  fault(
    'header-misplaced',
    'an entry above it',
    withLinesBefore('header', {
      ...header,
      type: 'custom',
      id: 'a',
      parentId: null,
      customType: 'x',
    }),
  ),
  fault('header-duplicate', 'the same header again', withLinesBefore('model', header), 2),
  fault(
    'header-duplicate',
    'another header',
    withLinesBefore('end', { ...header, id: 'x' }),
    buildSession().length + 1,
  ),
  invalid('no id', { id: undefined }),
  invalid('an empty id', { id: '' }),
  invalid('an id that is a number', { id: 1 }),
  invalid('no cwd', { cwd: undefined }),
  invalid('a cwd that is null', { cwd: null }),
  invalid('a time that is none', { timestamp: 'yesterday' }),
  invalid('a parent session that is not a path', { parentSession: { a: 1 } }),
  fault('version-outdated', 'version 1', toText(buildOldSession())),
  fault('version-outdated', 'version 2', withFields('header', { version: 2 })),
  fault(
    'version-outdated',
    'one JSON array',
    JSON.stringify([{ type: 'session', id: 'a', timestamp: 1, cwd: '/work/api' }]),
  ),
  fault('version-unknown', 'version 4', withFields('header', { version: 4 })),
  fault(
    'version-unknown',
    'version 9, and entries that mean nothing to us',
    toText([{ ...header, version: 9 }, { type: 'message', message: 3 }, { type: 'label' }]),
  ),
  fault('version-contradicted', 'entries without ids', buildContradicted(), 2),
  fault(
    'version-contradicted',
    'messages of an old role',
    withMessage('last', { role: 'hookMessage', customType: 'x', display: true }),
    lineOf('last'),
  ),
];
