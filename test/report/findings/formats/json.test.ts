import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import {
  formatFindingsJson,
  formatFindingsNdjson,
} from '../../../../src/report/findings/formats/json.ts';
import { createHostileReport, createReport, HOSTILE } from '../sample-report.ts';

const [A, LOCKED] = ['/home/u/src/api/logs/a.jsonl', '/home/u/.pi/locked #1.jsonl'];
const GLUED = `{"path":"${A}","line":440,"byteOffset":182333,"rule":"line-glued","level":"error","message":"two records on one line","fixable":true}`;
const ORPHAN = `{"path":"${A}","line":1611,"byteOffset":901204,"entryId":"9f2c01aa","rule":"entry-orphan","level":"warning","message":"parent 0b7d is not in the file: 388 of 612 entries are cut off","fixable":false}`;
const UNREADABLE = `{"path":"${LOCKED}","problem":{"code":"EACCES","message":"cannot read: permission denied"}}`;

const string = { type: 'string' };
const count = { type: 'integer', minimum: 0 };

const closed = (properties: Record<string, unknown>, optional: readonly string[] = []): object => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
});

const FINDING = closed(
  {
    path: string,
    line: { type: 'integer', minimum: 1 },
    byteOffset: count,
    entryId: string,
    rule: string,
    level: { enum: ['info', 'warning', 'error'] },
    message: string,
    fixable: { type: 'boolean' },
  },
  ['entryId'],
);
const PROBLEM = closed({ path: string, problem: closed({ code: string, message: string }) });
const DOCUMENT = closed({
  schemaVersion: { const: 1 },
  command: { const: 'validate' },
  results: { type: 'array', items: { anyOf: [FINDING, PROBLEM] } },
  summary: closed({
    sessions: count,
    sessionsWithFindings: count,
    errors: count,
    warnings: count,
    infos: count,
    fixable: count,
    fixed: count,
    unreadable: { type: 'array', items: PROBLEM },
    unrepaired: { type: 'array', items: PROBLEM },
  }),
});

const isDocument = new Ajv().compile(DOCUMENT);
const isLine = new Ajv().compile({ anyOf: [FINDING, PROBLEM] });

describe('formatFindingsJson', () => {
  it('writes a result a line between a head and a summary', () => {
    const json = [...formatFindingsJson(createReport())].join('');
    expect(json.split('\n')).toEqual([
      '{"schemaVersion":1,"command":"validate","results":[',
      `${GLUED},`,
      `${ORPHAN},`,
      UNREADABLE,
      '],"summary":{"sessions":3,"sessionsWithFindings":1,"errors":1,"warnings":1,"infos":0,' +
        `"fixable":1,"fixed":0,"unreadable":[${UNREADABLE}],"unrepaired":[]}}`,
      '',
    ]);
    expect(isDocument(JSON.parse(json))).toBe(true);
  });

  it.each(HOSTILE)('keeps %j, in characters a terminal can be shown', (hostile) => {
    const kept = hostile.replaceAll(/\p{Surrogate}/gu, '\ufffd');
    const json = [...formatFindingsJson(createHostileReport(hostile))].join('');
    const document: unknown = JSON.parse(json);
    expect(json).not.toMatch(/[^\n\P{Cc}]|\p{Cf}|\p{Surrogate}|\u2028|\u2029/u);
    expect(isDocument(document)).toBe(true);
    expect(document).toMatchObject({
      results: [
        ...['error', 'warning', 'info'].map((level) => ({ level, message: kept, entryId: kept })),
        { path: `/srv/${kept}`, problem: { code: 'EIO', message: kept } },
      ],
      summary: { errors: 1, warnings: 1, infos: 1, unreadable: [{ path: `/srv/${kept}` }] },
    });
  });

  it('leaves text alone that only looks like half a surrogate pair', () => {
    const text = String.raw`C:\ud800 \\udfff`;
    const json = [...formatFindingsJson(createHostileReport(text))].join('');
    expect(JSON.parse(json)).toMatchObject({ summary: { unreadable: [{ path: `/srv/${text}` }] } });
  });

  it('says how many findings were repaired', () => {
    const json = [...formatFindingsJson(createReport({ fixed: { count: 7, dryRun: false } }))];
    expect(JSON.parse(json.join(''))).toMatchObject({ summary: { fixed: 7 } });
  });

  it('is a document even without findings', () => {
    const json = [...formatFindingsJson(createReport({ files: [] }))].join('');
    expect(isDocument(JSON.parse(json))).toBe(true);
  });
});

describe('formatFindingsNdjson', () => {
  it('writes a finding a line, and a line for a file that could not be read', () => {
    const text = [...formatFindingsNdjson(createReport())].join('');
    expect(text.split('\n')).toEqual([GLUED, ORPHAN, UNREADABLE, '']);
  });

  it.each(HOSTILE)('keeps to one line for %j', (hostile) => {
    const lines = [...formatFindingsNdjson(createHostileReport(hostile))].join('').split('\n');
    expect(lines.slice(0, -1).map((line) => isLine(JSON.parse(line)))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  });
});
