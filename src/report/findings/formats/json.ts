import type { FileProblem } from '../../../session/model/summary.ts';
import type { Finding } from '../../../session/dialect/rule.ts';
import { formatJson, formatNdjson, type JsonDocument, type JsonReport } from '../../text/json.ts';
import { countFindings, type FindingsSummary } from '../count-findings.ts';
import type { FindingsReport } from '../format.ts';

type FindingsResult = Finding | FileProblem;

/** `coppice validate --format json`. */
export interface FindingsDocument extends JsonDocument<
  'validate',
  FindingsResult,
  FindingsSummary
> {}

/** One document with every finding, every file that could not be read or repaired, and a summary. */
export function* formatFindingsJson(report: FindingsReport): Generator<string> {
  const results = report.files.flatMap(listResults);
  const summary = countFindings(report);
  const document: JsonReport<FindingsDocument> = { command: 'validate', results, summary };
  yield* formatJson(document, report.fields);
}

/** The results of the document, one per line. */
export function* formatFindingsNdjson(report: FindingsReport): Generator<string> {
  for (const file of report.files) {
    const document = { command: 'validate', results: listResults(file), summary: {} };
    yield* formatNdjson(document, report.fields);
  }
}

/** A file that could not be read is a result `{path, problem}` in its place, and one that could not be repaired has such a result, too. */
function listResults({
  path,
  problem,
  findings,
}: FindingsReport['files'][number]): readonly FindingsResult[] {
  return [...(problem ? [{ path, problem }] : []), ...findings.map(toResult)];
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
