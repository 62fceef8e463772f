import stringWidth from 'string-width';
import { isolate, toPlainLine } from '../../text/escape.ts';
import { formatPath } from '../../text/paths.ts';
import type { Style } from '../../text/style.ts';
import { countFindings, type FindingsSummary } from '../count-findings.ts';
import type { CheckedFile, FindingsReport } from '../format.ts';
import { formatSummaryLine } from '../summary-line.ts';
import type { FindingLevel } from '../../../session/dialect/levels.ts';
import type { Finding } from '../../../session/dialect/rule.ts';

interface Row {
  readonly line: string;
  readonly level: FindingLevel;
  readonly message: string;
  readonly rule: string;
  /** The end of the row: that it can be repaired, was, or would be. */
  readonly repair: string | undefined;
}

interface Widths {
  readonly line: number;
  readonly message: number;
  readonly rule: number;
}

/** Longer messages push the rest of their row aside rather than that of every other row. */
const MAX_MESSAGE_WIDTH = 80;
const LEVEL_WIDTH = 'warning'.length;
const PRINTABLE_ASCII = /^[ -~]*$/;

/** Formats for people: a block of aligned rows for each file, and a summary. */
export function* formatPretty(report: FindingsReport): Generator<string> {
  const shown = report.files.filter(
    ({ problem, findings, repaired = [] }) => problem || findings.length + repaired.length > 0,
  );
  for (const [index, file] of shown.entries()) {
    if (index > 0) yield '\n';
    yield `${report.style.underline(formatPath(file.path, report.home))}\n`;
    yield* formatRows(file, report);
  }
  if (!report.quiet) yield `${shown.length > 0 ? '\n' : ''}${formatSummary(report)}`;
}

/** The line that ends what people are shown. */
export function formatSummary(report: FindingsReport): string {
  const summary = countFindings(report);
  return `${paintSummary(formatSummaryLine(summary, report.fixed), summary, report.style)}\n`;
}

function* formatRows(file: CheckedFile, { style, fixed }: FindingsReport): Generator<string> {
  const widths = measure(toRows(file, fixed));
  for (const row of toRows(file, fixed)) {
    const line = style.dim(row.line.padStart(widths.line));
    const level = paintLevel(row.level, style);
    const message = isolate(row.message) + ' '.repeat(countMissing(row.message, widths.message));
    const rule =
      row.repair === undefined
        ? style.dim(row.rule)
        : `${style.dim(row.rule.padEnd(widths.rule))}  ${style.green(row.repair)}`;
    yield `  ${line}  ${level}  ${message}  ${rule}\n`;
  }
}

/** Makes the rows again for each pass: those of a file with a million findings are never all held. */
function* toRows(
  { problem, findings, repaired = [] }: CheckedFile,
  fixed: FindingsReport['fixed'],
): Generator<Row> {
  if (problem) {
    const { code, message } = problem;
    const what = { message: toPlainLine(message), rule: toPlainLine(code) };
    yield { line: '-', level: 'error', ...what, repair: undefined };
  }
  const done = fixed?.dryRun ? 'would be repaired' : 'repaired';
  for (const one of repaired) yield toRow(one, done);
  for (const one of findings) yield toRow(one, one.fixable ? 'fixable' : undefined);
}

function toRow({ line, level, message, rule }: Finding, repair: string | undefined): Row {
  return { line: String(line), level, message: toPlainLine(message), rule, repair };
}

function measure(rows: Iterable<Row>): Widths {
  const widths = { line: 0, message: 0, rule: 0 };
  for (const row of rows) {
    widths.line = Math.max(widths.line, row.line.length);
    widths.message = Math.max(widths.message, getWidth(row.message));
    widths.rule = Math.max(widths.rule, row.rule.length);
  }
  return { ...widths, message: Math.min(widths.message, MAX_MESSAGE_WIDTH) };
}

function countMissing(text: string, width: number): number {
  return Math.max(0, width - getWidth(text));
}

function getWidth(text: string): number {
  // Asking Unicode takes a hundred times as long, and messages are nearly always ASCII.
  return PRINTABLE_ASCII.test(text) ? text.length : stringWidth(text);
}

function paintLevel(level: FindingLevel, style: Style): string {
  const text = level.padEnd(LEVEL_WIDTH);
  if (level === 'error') return style.red(text);
  return level === 'warning' ? style.yellow(text) : style.blue(text);
}

function paintSummary(line: string, summary: FindingsSummary, style: Style): string {
  if (summary.errors + summary.unreadable.length + summary.unrepaired.length > 0)
    return style.red.bold(line);
  return summary.warnings > 0 ? style.yellow.bold(line) : line;
}
