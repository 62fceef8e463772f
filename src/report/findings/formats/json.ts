import type { FileProblem } from '../../../session/model/summary.ts';
import type { Finding } from '../../../session/dialect/rule.ts';
import { formatJson, formatNdjson, type JsonDocument, type JsonReport } from '../../text/json.ts';
import { countFindings, type FindingsSummary } from '../count-findings.ts';
import type { FindingsReport } from '../format.ts';

/** `coppice validate --format json`. */
export interface FindingsDocument extends JsonDocument<'validate', Finding, FindingsSummary> {}

/** A line of `coppice validate --format ndjson`. */
export type FindingsLine = Finding | FileProblem;

/** One document with every finding, and a summary that names what could not be read. */
export function* formatFindingsJson(report: FindingsReport): Generator<string> {
  const results = report.files.flatMap(({ findings }) => findings.map(toResult));
  const summary = countFindings(report);
  const document: JsonReport<FindingsDocument> = { command: 'validate', results, summary };
  yield* formatJson(document, report.fields);
}

/** A finding a line; a file that could not be read is a line `{path, problem}` in its place. */
export function* formatFindingsNdjson(report: FindingsReport): Generator<string> {
  for (const { path, problem, findings } of report.files) {
    const results: FindingsLine[] = [
      ...(problem ? [{ path, problem }] : []),
      ...findings.map(toResult),
    ];
    const document = { command: 'validate', results, summary: {} };
    yield* formatNdjson(document, report.fields);
  }
}

/** The fields that were promised, always in this order. */
function toResult(finding: Finding): Finding {
  const { path, line, byteOffset, entryId, rule, level, message, fixable, count } = finding;
  return {
    path,
    line,
    byteOffset,
    ...(entryId !== undefined && { entryId }),
    rule,
    level,
    message,
    fixable,
    ...(count !== undefined && { count }),
  };
}
