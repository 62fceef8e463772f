import type { CheckedFile, FindingsReport } from '../../../src/report/findings/format.ts';
import { createStyle } from '../../../src/report/text/style.ts';
import type { Finding, Rule } from '../../../src/session/dialect/rule.ts';
import type { FindingLevel } from '../../../src/session/dialect/levels.ts';

export const CWD = '/home/u/src/api';

/** What a session file, its name or its ids may contain to break a report. */
export const HOSTILE = [
  '\u001b[31mred\u001b[0m \u009b2J \u0007',
  ']]><!--</failure></testcase>&amp;&#0;',
  '%0A::error::pwned%25',
  'a,b,title=x::y:z',
  `"quoted" 'single' \`tick\` \\ \\u0000`,
  'one\ntwo\r\nthree\u2028four\t',
  '\ud800lone\udfff',
  '\u0000NUL\u0008 \ufffe\uffff\ufeff',
  '\u202egnp.exe \u2066x \u061c',
  '[click](https://example.com) {0}',
  '\u{1f469}\u200d\u{1f4bb} \u{e0041}日本語',
];

const rule = (id: string, level: FindingLevel, fixable: boolean): Rule => ({
  id,
  level,
  fixable,
  summary: `${id} in short`,
  help: `What ${id} means. How to repair it.`,
  check: () => ({}),
});

export const RULES: readonly Rule[] = [
  rule('line-glued', 'error', true),
  rule('entry-orphan', 'warning', false),
  rule('entry-type-unknown', 'info', false),
];

export function createFinding(path: string, over: Partial<Finding> = {}): Finding {
  return {
    path,
    line: 1,
    byteOffset: 0,
    rule: 'line-glued',
    level: 'error',
    message: 'two records on one line',
    fixable: true,
    ...over,
  };
}

const BROKEN = `${CWD}/logs/a.jsonl`;

/** An error and a warning in one file, a clean file, and one outside `CWD` that cannot be read. */
export const SAMPLE_FILES: readonly CheckedFile[] = [
  {
    path: BROKEN,
    findings: [
      createFinding(BROKEN, { line: 440, byteOffset: 182_333 }),
      createFinding(BROKEN, {
        line: 1611,
        byteOffset: 901_204,
        entryId: '9f2c01aa',
        rule: 'entry-orphan',
        level: 'warning',
        message: 'parent 0b7d is not in the file: 388 of 612 entries are cut off',
        fixable: false,
      }),
    ],
  },
  { path: `${CWD}/logs/clean.jsonl`, findings: [] },
  {
    path: '/home/u/.pi/locked #1.jsonl',
    findings: [],
    problem: { code: 'EACCES', message: 'cannot read: permission denied' },
  },
];

export function createReport(over: Partial<FindingsReport> = {}): FindingsReport {
  return {
    files: SAMPLE_FILES,
    rules: RULES,
    cwd: CWD,
    home: '/home/u',
    version: '1.2.3',
    startedAt: Date.UTC(2026, 2, 2, 10, 11, 12, 345),
    elapsedMs: 1234.4,
    fixed: undefined,
    quiet: false,
    style: createStyle({ color: false, isTerminal: false, env: {} }),
    ...over,
  };
}

/** A report in which every text that can come from a session is `text`. */
export function createHostileReport(text: string): FindingsReport {
  const path = `${CWD}/x${text.replaceAll('/', '|')}.jsonl`;
  const outside = `/srv/${text}`;
  const findings = (['error', 'warning', 'info'] as const).map((level) =>
    createFinding(path, { level, rule: `rule-${level}`, message: text, entryId: text }),
  );
  const problem = { code: 'EIO', message: text };
  return createReport({
    files: [
      { path, findings },
      { path: outside, findings: [], problem },
    ],
  });
}
