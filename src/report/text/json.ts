import { escapeJson } from './escape-json.ts';
import { inPieces } from './pieces.ts';

/** Raised when a field changes its meaning or goes away; new fields leave it alone. */
export const SCHEMA_VERSION = 1;

/** The document that `--format json` prints. A result by itself is a line of `--format ndjson`. */
export interface JsonDocument<C extends string, R extends object, S extends object> {
  readonly schemaVersion: typeof SCHEMA_VERSION;
  readonly command: C;
  readonly results: readonly R[];
  readonly summary: S;
}

type AnyDocument = JsonDocument<string, object, object>;

/** The parts of the document that differ by command. Results may be made one by one as they are written. */
export type JsonReport<D extends AnyDocument = AnyDocument> = Pick<D, 'command' | 'summary'> & {
  readonly results: Iterable<D['results'][number]>;
};

/** The only fields of each result to be printed, in their order; undefined stands for all. */
type Fields = readonly string[] | undefined;

/** One document, a result a line, in pieces: a large report is never one string. */
export function formatJson(report: JsonReport, fields?: Fields): Generator<string> {
  return escapePieces(listDocument(report, fields));
}

/** One result a line. */
export function formatNdjson({ results }: JsonReport, fields?: Fields): Generator<string> {
  return escapePieces(listLines(results, fields));
}

function* listDocument(
  { command, results, summary }: JsonReport,
  fields: Fields,
): Generator<string> {
  yield `{"schemaVersion":${SCHEMA_VERSION},"command":${JSON.stringify(command)},"results":[`;
  let [separator, end] = ['\n', ''];
  for (const result of results) {
    yield `${separator}${JSON.stringify(pick(result, fields))}`;
    [separator, end] = [',\n', '\n'];
  }
  yield `${end}],"summary":${JSON.stringify(summary)}}\n`;
}

function* listLines(results: Iterable<object>, fields: Fields): Generator<string> {
  for (const result of results) yield `${JSON.stringify(pick(result, fields))}\n`;
}

/** Searches whole pieces for what to escape, since searching each line takes longer than writing it. */
function* escapePieces(json: Iterable<string>): Generator<string> {
  for (const piece of inPieces(json)) yield escapeJson(piece);
}

/** A file that could not be used has none of the fields of other results: it is whole. */
function isFileProblem(result: object): boolean {
  return 'problem' in result && 'path' in result && Object.keys(result).length === 2;
}

function pick(result: object, fields: Fields): object {
  if (!fields || isFileProblem(result)) return result;
  const values = new Map(Object.entries(result));
  const known = fields.filter((field) => values.has(field));
  return Object.fromEntries(known.map((field) => [field, values.get(field)]));
}
