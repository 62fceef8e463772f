import { isObject, parseJson } from '../../session/jsonl/edit/json.ts';
import type { FindingsReport } from './format.ts';
import type { FormatName } from './formats/formats.ts';

/** The bytes of a file that show whether it is a report. */
export const REPORT_HEAD_BYTES = 64 * 1024;

/** The beginnings of reports of each format; ndjson has none of its own. */
const BEGINNINGS: readonly RegExp[] = [
  /^\{"schemaVersion":\d{1,9},"command":"validate","results":/,
  /^\{"\$schema":"https:\/\/json\.schemastore\.org\/sarif-2\.1\.0\.json","version":"2\.1\.0","runs":\[\{"tool":\{"driver":\{"name":"coppice"/,
  /^<\?xml version="1\.0" encoding="UTF-8"\?>\n<testsuites name="coppice validate"/,
  /^\[\n\{"description":"/,
  /^\[\]\n$/,
  /^::(?:error|warning|notice) file=/,
  /^\d[\d,]{0,20} (?:sessions?, no |of \d|problems? \()/,
];
/** The second line of a report for people: the first finding in the file that the first line names. */
const ROW = /^ {2,40}(?:\d{1,20}|-) {2}(?:error|warning|info) /;

const FIELDS: ReadonlySet<string> = new Set([
  'path',
  'line',
  'byteOffset',
  'entryId',
  'rule',
  'level',
  'message',
  'fixable',
  'count',
  'problem',
]);

/**
 * Returns whether a file that begins so is a report of findings, and no session. An empty one is, where a report of this
 * run may be empty, too.
 */
export function isFormerReport(
  head: string,
  { format, quiet }: Pick<FindingsReport, 'quiet'> & { readonly format: FormatName },
): boolean {
  if (head === '') return format === 'ndjson' || quiet;
  if (BEGINNINGS.some((beginning) => beginning.test(head))) return true;
  const [first = '', second = ''] = head.split('\n', 2);
  return ROW.test(second) || isResult(first);
}

function isResult(line: string): boolean {
  const value = line.startsWith('{') ? parseJson(line) : undefined;
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  return keys.length > 0 && keys.every((key) => FIELDS.has(key));
}
