import { describe, expect, it } from 'vitest';
import {
  FORMAT_NAMES,
  findingsFormats,
  resolveFormat,
} from '../../../../src/report/findings/formats/formats.ts';
import { sized } from '../../../harness/runs.ts';
import { createFinding, createReport } from '../sample-report.ts';
import { inPieces } from '../../../../src/report/text/pieces.ts';

describe('resolveFormat', () => {
  it('takes auto for annotations in GitHub Actions, and for text elsewhere', () => {
    expect(resolveFormat('auto', { GITHUB_ACTIONS: 'true' })).toBe('github');
    expect(resolveFormat('auto', { GITHUB_ACTIONS: 'false' })).toBe('pretty');
    expect(resolveFormat('auto', {})).toBe('pretty');
  });

  it('keeps a format that was asked for', () => {
    expect(resolveFormat('sarif', { GITHUB_ACTIONS: 'true' })).toBe('sarif');
  });
});

describe.each(FORMAT_NAMES)('the format %s', (name) => {
  const path = '/s.jsonl';
  const findings = Array.from({ length: sized(6000, 20_000) }, (_, n) =>
    createFinding(path, { line: n + 1 }),
  );
  const report = createReport({ files: [{ path, findings }] });

  it('is the same text each time', () => {
    expect([...findingsFormats[name](report)]).toEqual([...findingsFormats[name](report)]);
  });

  it('comes in pieces that are neither tiny nor everything at once', () => {
    const pieces = [...inPieces(findingsFormats[name](report))];
    expect(pieces.length).toBeGreaterThan(3);
    for (const piece of pieces.slice(0, -1)) {
      expect(piece.length).toBeGreaterThanOrEqual(65_536);
      expect(piece.length).toBeLessThan(70_000);
    }
  });

  it('counts each finding that another stands for', () => {
    const rest = createFinding(path, { message: 'and 41 more of this kind', count: 41 });
    const one = createReport({ files: [{ path, findings: [createFinding(path), rest] }] });
    const numbers = {
      pretty: '42 problems (42 errors)',
      json: '"errors":42',
      ndjson: '"count":41',
      github: '42 problems (42 errors)',
      sarif: '"occurrenceCount":41',
      junit: '(and 41 more)',
      gitlab: 'and 41 more of this kind',
    };
    expect([...findingsFormats[name](one)].join('')).toContain(numbers[name]);
  });

  it('ends in one LF', () => {
    expect([...findingsFormats[name](createReport())].join('')).toMatch(/[^\n]\n$/);
  });
});
