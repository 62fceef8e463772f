import { Ajv } from 'ajv';
import { describe, expect, it } from 'vitest';
import type { FindingsReport } from '../../../../src/report/findings/format.ts';
import { formatGitlab } from '../../../../src/report/findings/formats/gitlab.ts';
import { createFinding, createHostileReport, createReport, HOSTILE } from '../sample-report.ts';

interface QualityFinding {
  readonly description: string;
  readonly fingerprint: string;
  readonly location: { readonly path: string };
}

// GitLab publishes no schema: this is the table in its documentation of Code Quality reports.
const validate = new Ajv({ allErrors: true }).compile<readonly QualityFinding[]>({
  type: 'array',
  items: {
    type: 'object',
    required: ['description', 'check_name', 'fingerprint', 'severity', 'location'],
    properties: {
      description: { type: 'string', minLength: 1 },
      check_name: { type: 'string', minLength: 1 },
      fingerprint: { type: 'string', minLength: 1 },
      severity: { enum: ['info', 'minor', 'major', 'critical', 'blocker'] },
      location: {
        type: 'object',
        required: ['path', 'lines'],
        properties: {
          path: { type: 'string', not: { pattern: '^\\./' } },
          lines: {
            type: 'object',
            required: ['begin'],
            properties: { begin: { type: 'integer', minimum: 1 } },
          },
        },
      },
    },
  },
});

function render(report: FindingsReport): { text: string; found: readonly QualityFinding[] } {
  const text = [...formatGitlab(report)].join('');
  const found: unknown = JSON.parse(text);
  if (!validate(found)) throw new Error(JSON.stringify(validate.errors));
  return { text, found };
}

const fingerprint: unknown = expect.stringMatching(/^[0-9a-f]{32}$/);

describe('formatGitlab', () => {
  it('lists each finding, and what could not be read', () => {
    expect(render(createReport()).found).toEqual([
      {
        description: 'two records on one line',
        check_name: 'line-glued',
        fingerprint,
        severity: 'major',
        location: { path: 'logs/a.jsonl', lines: { begin: 440 } },
      },
      {
        description: 'parent 0b7d is not in the file: 388 of 612 entries are cut off',
        check_name: 'entry-orphan',
        fingerprint,
        severity: 'minor',
        location: { path: 'logs/a.jsonl', lines: { begin: 1611 } },
      },
      {
        description: 'cannot read: permission denied',
        check_name: 'EACCES',
        fingerprint,
        severity: 'critical',
        location: { path: '/home/u/.pi/locked #1.jsonl', lines: { begin: 1 } },
      },
    ]);
  });

  it('is an empty array without findings', () => {
    expect(render(createReport({ files: [] })).text).toBe('[]\n');
  });

  it('gives findings that are alike fingerprints of their own, the same in each run', () => {
    const files = ['/a/s.jsonl', '/b/s.jsonl'].map((path) => ({
      path,
      findings: Array.from({ length: 50 }, (_, n) => createFinding(path, { line: 1 + (n % 2) })),
    }));
    const { text, found } = render(createReport({ files }));
    expect(new Set(found.map((each) => each.fingerprint)).size).toBe(100);
    expect(render(createReport({ files })).text).toBe(text);
  });

  it.each(HOSTILE)('is valid and safe to show for %j', (hostile) => {
    const { text, found } = render(createHostileReport(hostile));
    expect(text).not.toMatch(/[^\n\P{Cc}]|\p{Cf}|\p{Surrogate}/u);
    expect(found).toHaveLength(4);
    for (const { description, location } of found) {
      expect(description).not.toMatch(/[\p{Cc}\p{Surrogate}]/u);
      expect(location.path).not.toMatch(/\p{Surrogate}/u);
    }
  });
});
