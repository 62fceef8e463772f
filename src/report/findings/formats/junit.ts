import { type Finding } from '../../../session/dialect/rule.ts';
import { toPlainLine } from '../../text/escape.ts';
import { escapeXml } from '../escape-xml.ts';
import { getCount } from '../count-findings.ts';
import type { CheckedFile, FindingsReport } from '../format.ts';
import { toShownPath } from '../shown-path.ts';
import { groupBy } from '../../../session/model/tree/group-by.ts';
import { LEVELS } from '../../../session/dialect/levels.ts';

/**
 * JUnit XML: a test case for each session, a failure in it for each rule that found errors or
 * warnings. Infos fail no run, so no test case either: they are its `system-out`.
 */
export function* formatJunit(report: FindingsReport): Generator<string> {
  const errors = report.files.filter(({ problem }) => problem).length;
  const failures = report.files.filter(isFailed).length;
  const time = (report.elapsedMs / 1000).toFixed(3);
  const counts = `tests="${report.files.length}" failures="${failures}" errors="${errors}"`;
  const timestamp = new Date(report.startedAt).toISOString().slice(0, 19);
  yield '<?xml version="1.0" encoding="UTF-8"?>\n';
  yield `<testsuites name="coppice validate" ${counts} time="${time}">\n`;
  yield `  <testsuite name="coppice validate" ${counts} skipped="0" time="${time}"`;
  yield ` timestamp="${timestamp}">\n`;
  for (const file of report.files) yield* formatTestCase(file, report.cwd);
  yield '  </testsuite>\n</testsuites>\n';
}

/** Counts test cases, not rules; one that could not be read, or repaired, counts as an error only. */
function isFailed({ problem, findings }: CheckedFile): boolean {
  return !problem && findings.some(isFailure);
}

function isFailure({ level }: Finding): boolean {
  return level !== 'info';
}

function* formatTestCase({ path, problem, findings }: CheckedFile, cwd: string): Generator<string> {
  const name = escapeXml(toShownPath(path, cwd));
  // Readers want a time; that of a single file is not measured.
  const start = `    <testcase name="${name}" classname="coppice.validate" file="${name}" time="0"`;
  if (!problem && findings.length === 0) return yield `${start}/>\n`;
  yield `${start}>\n`;
  if (problem) {
    const message = escapeXml(toPlainLine(problem.message));
    yield `      <error message="${message}" type="${escapeXml(problem.code)}"/>\n`;
  }
  for (const group of groupByRule(findings.filter(isFailure))) yield* formatFailure(group);
  yield* formatInfos(findings.filter((finding) => !isFailure(finding)));
  yield '    </testcase>\n';
}

/** The worst first: some readers show only the first failure of a test case. */
function groupByRule(findings: readonly Finding[]): (readonly Finding[])[] {
  const groups = groupBy(findings, ({ rule }) => rule);
  return [...groups.values()].toSorted((a, b) => getSeverity(b) - getSeverity(a));
}

function getSeverity([first]: readonly Finding[]): number {
  return first ? LEVELS.indexOf(first.level) : 0;
}

function* formatFailure(group: readonly Finding[]): Generator<string> {
  const [first] = group;
  if (!first) return;
  const others = group.reduce((sum, finding) => sum + getCount(finding), -1);
  const more = others > 0 ? ` (and ${others} more)` : '';
  const message = escapeXml(`${first.level}: ${toPlainLine(first.message)}${more}`);
  yield `      <failure message="${message}" type="${escapeXml(first.rule)}">`;
  for (const finding of group) yield formatLine(finding);
  yield '</failure>\n';
}

function* formatInfos(infos: readonly Finding[]): Generator<string> {
  if (infos.length === 0) return;
  yield '      <system-out>';
  for (const finding of infos) yield formatLine(finding);
  yield '</system-out>\n';
}

function formatLine({ line, entryId, rule, level, message }: Finding): string {
  const entry = entryId === undefined ? '' : `, entry ${toPlainLine(entryId)}`;
  return escapeXml(`line ${line}${entry}: ${level}: ${toPlainLine(message)} (${rule})`) + '\n';
}
