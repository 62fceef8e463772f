import type { Finding } from '../../session/rules/rule.ts';
import { formatJson, formatNdjson } from '../json.ts';
import { countFindings } from './count-findings.ts';
import type { FindingsReport } from './format.ts';

/** One document with every finding, and a summary that names what could not be read. */
export function* formatFindingsJson(report: FindingsReport): Generator<string> {
  const results = report.files.flatMap(({ findings }) => findings.map(toResult));
  const document = { command: 'validate', results, summary: countFindings(report) };
  yield* formatJson(document);
}

/** A finding a line; a file that could not be read is a line `{path, problem}` in its place. */
export function* formatFindingsNdjson(report: FindingsReport): Generator<string> {
  for (const { path, problem, findings } of report.files) {
    const results = [...(problem ? [{ path, problem }] : []), ...findings.map(toResult)];
    const document = { command: 'validate', results, summary: {} };
    yield* formatNdjson(document);
  }
}

/** The fields that were promised, always in this order. */
function toResult(finding: Finding): object {
  const { path, line, byteOffset, entryId, rule, level, message, fixable } = finding;
  return { path, line, byteOffset, entryId, rule, level, message, fixable };
}
