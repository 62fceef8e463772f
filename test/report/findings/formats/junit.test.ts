import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import type { FindingsReport } from '../../../../src/report/findings/format.ts';
import { formatJunit } from '../../../../src/report/findings/formats/junit.ts';
import {
  createFinding,
  createHostileReport,
  createReport,
  CWD,
  HOSTILE,
  SAMPLE_FILES,
} from '../sample-report.ts';
import { runs } from '../../../harness/runs.ts';
import { anyCharacter } from '../../../harness/any-character.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  text: string;
}

const render = (report: FindingsReport): string => [...formatJunit(report)].join('');

/** Parses strictly, and fails on whatever is not XML 1.0. */
function parse(xml: string): Element[] {
  // The parser takes one half of a surrogate pair for the whole.
  expect(xml).not.toMatch(/\p{Surrogate}/u);
  const elements: Element[] = [];
  const open: Element[] = [];
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes, text: '' };
    elements.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    const element = open.at(-1);
    if (element) element.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.write(xml).close();
  return elements;
}

describe('formatJunit', () => {
  it('writes a test case for each session', () => {
    expect(render(createReport()).split('\n')).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="coppice validate" tests="3" failures="1" errors="1" time="1.234">',
      '  <testsuite name="coppice validate" tests="3" failures="1" errors="1" skipped="0" time="1.234" timestamp="2026-03-02T10:11:12">',
      '    <testcase name="logs/a.jsonl" classname="coppice.validate" file="logs/a.jsonl" time="0">',
      '      <failure message="error: two records on one line" type="line-glued">line 440: error: two records on one line (line-glued)',
      '</failure>',
      '      <failure message="warning: parent 0b7d is not in the file: 388 of 612 entries are cut off" type="entry-orphan">line 1611, entry 9f2c01aa: warning: parent 0b7d is not in the file: 388 of 612 entries are cut off (entry-orphan)',
      '</failure>',
      '    </testcase>',
      '    <testcase name="logs/clean.jsonl" classname="coppice.validate" file="logs/clean.jsonl" time="0"/>',
      '    <testcase name="/home/u/.pi/locked #1.jsonl" classname="coppice.validate" file="/home/u/.pi/locked #1.jsonl" time="0">',
      '      <error message="cannot read: permission denied" type="EACCES"/>',
      '    </testcase>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ]);
  });

  it('gathers the findings of a rule in one failure, errors first, infos apart', () => {
    const path = `${CWD}/a.jsonl`;
    const findings = [
      createFinding(path, { rule: 'w', level: 'warning', message: 'one', line: 2 }),
      createFinding(path, { rule: 'i', level: 'info', message: 'note', line: 3 }),
      createFinding(path, { rule: 'e', message: 'bad', line: 4 }),
      createFinding(path, { rule: 'w', level: 'warning', message: 'two', line: 5 }),
    ];
    const elements = parse(render(createReport({ files: [{ path, findings }] })));
    expect(elements.slice(3).map(({ name, attributes, text }) => [name, attributes, text])).toEqual(
      [
        ['failure', { message: 'error: bad', type: 'e' }, 'line 4: error: bad (e)\n'],
        [
          'failure',
          { message: 'warning: one (and 1 more)', type: 'w' },
          'line 2: warning: one (w)\nline 5: warning: two (w)\n',
        ],
        ['system-out', {}, 'line 3: info: note (i)\n'],
      ],
    );
    expect(elements[1]?.attributes).toMatchObject({ tests: '1', failures: '1', errors: '0' });
  });

  it('passes a session that has only infos', () => {
    const path = `${CWD}/a.jsonl`;
    const files = [{ path, findings: [createFinding(path, { level: 'info' })] }];
    const elements = parse(render(createReport({ files })));
    expect(elements[0]?.attributes).toMatchObject({ tests: '1', failures: '0', errors: '0' });
    expect(elements.map(({ name }) => name)).not.toContain('failure');
  });

  it('counts a session that could not be read as an error only', () => {
    const files = SAMPLE_FILES.slice(0, 1).map((file) => ({
      ...file,
      problem: { code: 'EIO', message: 'gone' },
    }));
    const elements = parse(render(createReport({ files })));
    expect(elements[1]?.attributes).toMatchObject({ tests: '1', failures: '0', errors: '1' });
  });

  it('is valid XML for a store without sessions', () => {
    expect(parse(render(createReport({ files: [] })))).toHaveLength(2);
  });

  it('keeps a file name as it is, where XML can', () => {
    const path = `${CWD}/a\n\u001b"<b>\u202e.jsonl`;
    const elements = parse(render(createReport({ files: [{ path, findings: [] }] })));
    expect(elements[2]?.attributes['file']).toBe('a\n\ufffd"<b>\u202e.jsonl');
  });

  it.each(HOSTILE)('is XML, and safe to show, for %j', expectTestCases);

  it('is XML whatever a session holds', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), expectTestCases), {
      numRuns: runs(50),
    });
    const units = fc.integer({ min: 0, max: 0xff_ff }).map((unit) => String.fromCharCode(unit));
    fc.assert(fc.property(fc.string({ unit: units }), expectTestCases), { numRuns: runs(50) });
  });
});

function expectTestCases(text: string): void {
  const xml = render(createHostileReport(text));
  expect(xml).not.toMatch(/[^\n\P{Cc}]|[\p{Cf}\u2028\u2029\ufffe\uffff]/u);
  expect(parse(xml).map(({ name }) => name)).toEqual([
    'testsuites',
    'testsuite',
    'testcase',
    'failure',
    'failure',
    'system-out',
    'testcase',
    'error',
  ]);
}
