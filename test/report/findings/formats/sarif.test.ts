import { createRequire } from 'node:module';
import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { FindingsReport } from '../../../../src/report/findings/format.ts';
import { formatSarif } from '../../../../src/report/findings/formats/sarif.ts';
import {
  createFinding,
  createHostileReport,
  createReport,
  CWD,
  HOSTILE,
  RULES,
} from '../sample-report.ts';

interface Result {
  readonly locations: readonly { physicalLocation: { artifactLocation: object; region: object } }[];
  readonly message: { readonly text: string };
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly properties: { readonly entryId?: string };
}

interface Log {
  readonly runs: readonly [
    {
      readonly tool: { readonly driver: { readonly rules: readonly object[] } };
      readonly invocations: readonly object[];
      readonly results: readonly Result[];
    },
  ];
}

const validate = compileSchema();

/** The schema of the standard, as Microsoft's SARIF SDK ships it. */
function compileSchema(): ValidateFunction<Log> {
  const require = createRequire(import.meta.url);
  const schema: AnySchemaObject = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json');
  // It says draft 4, which ajv no longer knows; what it uses means the same in draft 7.
  const { $schema: _draft, id: _id, ...rest } = schema;
  const ajv = new Ajv({ allErrors: true, unicodeRegExp: false });
  formats.default(ajv);
  return ajv.compile<Log>(rest);
}

function render(report: FindingsReport): { text: string; log: Log } {
  const text = [...formatSarif(report)].join('');
  const log: unknown = JSON.parse(text);
  if (!validate(log)) throw new Error(JSON.stringify(validate.errors));
  return { text, log };
}

const renderFindings = (...findings: Parameters<typeof createFinding>[1][]): readonly Result[] => {
  const path = `${CWD}/a.jsonl`;
  const files = [{ path, findings: findings.map((over) => createFinding(path, over)) }];
  return render(createReport({ files })).log.runs[0].results;
};

const getFingerprints = (results: readonly Result[]): (string | undefined)[] =>
  results.map(({ partialFingerprints }) => partialFingerprints['coppiceFinding/v1']);

describe('formatSarif', () => {
  it('writes what was found', () => {
    const { log } = render(createReport());
    const { results } = log.runs[0];
    expect(log).toMatchObject({
      version: '2.1.0',
      runs: [{ tool: { driver: { version: '1.2.3' } } }],
    });
    expect(results).toHaveLength(2);
    expect(results[1]).toEqual({
      ruleId: 'entry-orphan',
      ruleIndex: 1,
      level: 'warning',
      message: { text: 'parent 0b7d is not in the file: 388 of 612 entries are cut off' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'logs/a.jsonl', uriBaseId: '%SRCROOT%' },
            region: { startLine: 1611, byteOffset: 901_204 },
          },
        },
      ],
      partialFingerprints: { 'coppiceFinding/v1': expect.stringMatching(/^[0-9a-f]{32}$/) },
      properties: { fixable: false, entryId: '9f2c01aa' },
    });
  });

  it('describes every rule once, an info as a note', () => {
    const { log } = render(createReport({ rules: [...RULES, ...RULES] }));
    const { rules } = log.runs[0].tool.driver;
    expect(rules).toHaveLength(RULES.length);
    expect(rules[2]).toEqual({
      id: 'entry-type-unknown',
      shortDescription: { text: 'entry-type-unknown in short' },
      fullDescription: { text: 'What entry-type-unknown means. How to repair it.' },
      help: { text: 'What entry-type-unknown means. How to repair it.' },
      defaultConfiguration: { level: 'note' },
      properties: { fixable: false },
    });
  });

  it('reports files that could not be read as a run that did not fully succeed', () => {
    expect(render(createReport()).log.runs[0].invocations).toEqual([
      {
        executionSuccessful: false,
        toolExecutionNotifications: [
          {
            descriptor: { id: 'EACCES' },
            level: 'error',
            message: { text: 'cannot read: permission denied' },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: { uri: 'file:///home/u/.pi/locked%20%231.jsonl' },
                },
              },
            ],
          },
        ],
      },
    ]);
  });

  it('is valid without findings', () => {
    const { log } = render(createReport({ files: [] }));
    expect(log.runs[0].results).toEqual([]);
    expect(log.runs[0].invocations).toEqual([
      { executionSuccessful: true, toolExecutionNotifications: [] },
    ]);
  });

  it('leaves out the index of a rule that was not announced', () => {
    expect(renderFindings({ rule: 'new' })[0]).not.toHaveProperty('ruleIndex');
  });

  it('knows a finding again where an entry moved, or its message changed', () => {
    const entry = { entryId: 'e1', rule: 'entry-orphan' };
    const before = renderFindings({ ...entry, line: 7, byteOffset: 70, message: '3 are cut off' });
    const after = renderFindings({ ...entry, line: 9, byteOffset: 95, message: '4 are cut off' });
    expect(getFingerprints(after)).toEqual(getFingerprints(before));
  });

  it('tells findings apart by rule, entry, message and repetition', () => {
    const alike = { message: 'is not JSON' };
    const results = renderFindings(
      alike,
      alike,
      { message: 'e1' },
      { entryId: 'e1' },
      {
        entryId: 'e1',
        rule: 'other',
      },
    );
    expect(new Set(getFingerprints(results)).size).toBe(5);
  });

  it('makes no link and no placeholder of text from a session', () => {
    expect(renderFindings({ message: '[a](https://example.com) {0}' })[0]?.message.text).toBe(
      '[a] (https://example.com) {{0}}',
    );
  });

  it('writes a URI for any file name', () => {
    const path = `${CWD}/a:b/ü ?#%[1]|.jsonl`;
    const { log } = render(createReport({ files: [{ path, findings: [createFinding(path)] }] }));
    const location = log.runs[0].results[0]?.locations[0]?.physicalLocation.artifactLocation;
    expect(location).toEqual({
      uri: 'a%3Ab/%C3%BC%20%3F%23%25%5B1%5D%7C.jsonl',
      uriBaseId: '%SRCROOT%',
    });
  });

  it.each(HOSTILE)('is valid and safe to show for %j', (text) => {
    const output = render(createHostileReport(text));
    expect(output.text).not.toMatch(/[^\n\P{Cc}]|\p{Cf}|\p{Surrogate}/u);
    expect(JSON.stringify(output.log)).not.toMatch(/\\ud[89a-f]/u);
    for (const { message, properties } of output.log.runs[0].results) {
      expect(message.text + properties.entryId).not.toMatch(/\p{Cc}/u);
    }
  });
});
