import { buildSession, lineOf, toText } from '../healthy-session.ts';
import { bytesOf, withBytes, withLinesBefore } from '../plant.ts';
import type { Fault } from './fault.ts';

const text = toText(buildSession());
const nul = Buffer.alloc(16);
const torn = bytesOf('bash').subarray(0, 90);
const end = buildSession().length + 1;

/** The last two lines in one, with something between them. */
function glue(between: Buffer | string): Buffer {
  const lines = text.trimEnd().split('\n');
  const tail = Buffer.concat([bytesOf('name'), Buffer.from(between), bytesOf('last')]);
  return Buffer.concat([
    Buffer.from(toText(buildSession().slice(0, lines.length - 2))),
    tail,
    Buffer.from('\n'),
  ]);
}

function fault(
  rule: string,
  what: string,
  session: string | Buffer,
  line = lineOf('custom'),
): Fault {
  return { rule, what, session, line };
}

const beforeCustom = (line: string | Buffer): Buffer =>
  withLinesBefore('custom', Buffer.from(line));

export const LINE_FAULTS: readonly Fault[] = [
  fault('file-bom', 'a byte order mark', `\ufeff${text}`, 1),
  fault('line-malformed', 'a line of words', beforeCustom('not JSON')),
  fault('line-malformed', 'an unfinished object', beforeCustom('{"type":"custom",')),
  fault('line-malformed', 'an object and a stray bracket', beforeCustom('{"a":1}}')),
  fault('line-malformed', 'NUL bytes within a string', beforeCustom('{"type":"cus\0\0\0tom"}')),
  fault('line-torn', 'a cut-off record at the end', Buffer.concat([Buffer.from(text), torn]), end),
  fault(
    'line-torn',
    'a torn line that is not UTF-8',
    Buffer.concat([Buffer.from(`${text}{"type":"caf`), Buffer.from([0xc3])]),
    end,
  ),
  fault(
    'line-torn',
    'a record cut off after an inner record',
    `${text}{"type":"custom","data":{"type":"custom","timestamp":1}`,
    end,
  ),
  fault('line-glued', 'two records on one line', glue(''), lineOf('name')),
  fault('line-glued', 'two records with spaces between them', glue('  '), lineOf('name')),
  fault('line-glued', 'two records with junk between them', glue('"},'), lineOf('name')),
  fault(
    'line-glued',
    'a torn record before a whole one',
    withBytes('last', Buffer.concat([torn, bytesOf('last'), Buffer.from('\n')])),
    lineOf('last'),
  ),
  fault(
    'line-glued',
    'a record torn before a value, before a whole one',
    withBytes(
      'last',
      Buffer.concat([Buffer.from('{"type":"custom","id":'), bytesOf('last'), Buffer.from('\n')]),
    ),
    lineOf('last'),
  ),
  fault(
    'line-glued',
    'a whole record before a torn one',
    withBytes('last', Buffer.concat([bytesOf('last'), torn])),
    lineOf('last'),
  ),
  fault('line-nul', 'a line of NUL bytes', beforeCustom(nul)),
  fault(
    'line-nul',
    'NUL bytes before a record',
    withBytes('last', Buffer.concat([nul, bytesOf('last'), Buffer.from('\n')])),
    lineOf('last'),
  ),
  fault(
    'line-nul',
    'NUL bytes after a record',
    withBytes('last', Buffer.concat([bytesOf('last'), nul, Buffer.from('\n')])),
    lineOf('last'),
  ),
  fault(
    'line-nul',
    'NUL bytes instead of the end of the file',
    Buffer.concat([Buffer.from(text), torn, nul]),
    end,
  ),
  fault(
    'line-nul',
    'NUL bytes between a torn record and a whole one',
    withBytes('last', Buffer.concat([torn, nul, bytesOf('last'), Buffer.from('\n')])),
    lineOf('last'),
  ),
  fault('line-not-object', 'an array', beforeCustom('[1,2]')),
  fault('line-not-object', 'null', beforeCustom('null')),
  fault(
    'line-invalid-utf8',
    'a byte that is not text',
    withBytes(
      'last',
      Buffer.concat([bytesOf('last').subarray(0, -1), Buffer.from(',"x":"\xff"}\n', 'latin1')]),
    ),
    lineOf('last'),
  ),
  {
    ...fault('line-oversized', 'a line over the limit', beforeCustom(`"${'x'.repeat(4000)}"`)),
    maxLineBytes: 4000,
  },
  fault('line-unterminated', 'no line feed at the end', text.trimEnd(), lineOf('last')),
  { rule: 'file-empty', what: 'an empty file', session: '', line: 1 },
  { rule: 'file-empty', what: 'a file of blank lines', session: '\n \n', line: 1 },
];
