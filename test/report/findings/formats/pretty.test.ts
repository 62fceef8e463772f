import { describe, expect, it } from 'vitest';
import { formatPretty } from '../../../../src/report/findings/formats/pretty.ts';
import { createStyle } from '../../../../src/report/text/style.ts';
import {
  createFinding,
  createHostileReport,
  createReport,
  CWD,
  HOSTILE,
  SAMPLE_FILES,
} from '../sample-report.ts';

const render = (over: Parameters<typeof createReport>[0] = {}): string =>
  [...formatPretty(createReport(over))].join('');

describe('formatPretty', () => {
  it('shows aligned rows for each file, then a summary', () => {
    expect(render()).toBe(
      [
        '~/src/api/logs/a.jsonl',
        '   440  error    two records on one line                                         line-glued    fixable',
        '  1611  warning  parent 0b7d is not in the file: 388 of 612 entries are cut off  entry-orphan',
        '',
        '~/.pi/locked #1.jsonl',
        '  -  error    cannot read: permission denied  EACCES',
        '',
        '2 problems (1 error, 1 warning) in 1 of 3 sessions. 1 of 3 files could not be checked. 1 can be repaired: --fix',
        '',
      ].join('\n'),
    );
  });

  it('says that there are no problems', () => {
    const files = Array.from({ length: 2725 }, (_, n) => ({ path: `/${n}`, findings: [] }));
    expect(render({ files })).toBe('2,725 sessions, no problems.\n');
    expect(render({ files: files.slice(0, 1) })).toBe('1 session, no problems.\n');
    expect(render({ files, quiet: true })).toBe('');
  });

  it('leaves out the summary, not the findings, when it is to be quiet', () => {
    const text = render({ quiet: true });
    expect(text).toContain('line-glued');
    expect(text.endsWith('permission denied  EACCES\n')).toBe(true);
  });

  it('says what was repaired, and what would be', () => {
    const files = SAMPLE_FILES.slice(1, 2);
    const fixed = (count: number, dryRun = false): string =>
      render({ files, fixed: { count, dryRun } });
    expect(fixed(1)).toBe('1 session, no other problems. 1 was repaired.\n');
    expect(fixed(1204)).toBe('1 session, no other problems. 1,204 were repaired.\n');
    expect(fixed(0)).toBe('1 session, no problems. Nothing was repaired.\n');
    expect(fixed(2, true)).toBe('1 session, no other problems. 2 would be repaired: --fix\n');
    expect(fixed(0, true)).toBe('1 session, no problems. Nothing would be repaired.\n');
  });

  it('counts infos too', () => {
    const path = `${CWD}/a.jsonl`;
    const findings = [0, 1].map(() => createFinding(path, { level: 'info', fixable: false }));
    expect(render({ files: [{ path, findings }] })).toContain(
      '\n2 problems (2 infos) in 1 of 1 session.\n',
    );
  });

  it('aligns by width on screen, and lets a long message push only its own row', () => {
    const path = '/p';
    const messages = ['日本', 'abc', 'x'.repeat(200)];
    const findings = messages.map((message) => createFinding(path, { message, fixable: false }));
    const rows = render({ files: [{ path, findings }] }).split('\n');
    expect(rows[1]).toBe(`  1  error    日本${' '.repeat(76)}  line-glued`);
    expect(rows[2]).toBe(`  1  error    abc${' '.repeat(77)}  line-glued`);
    expect(rows[3]).toBe(`  1  error    ${'x'.repeat(200)}  line-glued`);
  });

  it('colours the levels where colours are wanted', () => {
    const style = createStyle({ color: true, isTerminal: false, env: {} });
    const text = render({ style });
    expect(text).toContain('\u001b[31merror  \u001b[39m');
    expect(text).toContain('\u001b[33mwarning\u001b[39m');
  });

  it.each(HOSTILE)('lets nothing of %j steer the terminal', (text) => {
    const lines = [...formatPretty(createHostileReport(text))].join('').split('\n');
    expect(lines).toHaveLength(10);
    // What makes one sign of several is kept.
    const rest = lines.join('').replaceAll('👩‍💻', '');
    expect(rest).not.toMatch(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u);
  });

  it('shows all of a hundred thousand findings well within the time a test may take', () => {
    const path = '/p';
    const findings = Array.from({ length: 100_000 }, (_, n) =>
      createFinding(path, { line: n + 1 }),
    );
    const rows = render({ files: [{ path, findings }] }).split('\n');
    expect(rows).toHaveLength(100_004);
    expect(rows.at(-2)).toContain('100,000 problems (100,000 errors) in 1 of 1 session.');
  });
});
