import { escapeJson } from './escape-json.ts';

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

/** The parts of the document that differ by command. */
export type JsonReport<D extends AnyDocument = AnyDocument> = Omit<D, 'schemaVersion'>;

/** The only fields of each result to be printed, in their order; undefined stands for all. */
type Fields = readonly string[] | undefined;

/** One document, a result a line, in pieces: a large report is never one string. */
export function* formatJson(
  { command, results, summary }: JsonReport,
  fields?: Fields,
): Generator<string> {
  yield `{"schemaVersion":${SCHEMA_VERSION},"command":${toJson(command)},"results":[`;
  let separator = '\n';
  for (const result of results) {
    yield `${separator}${toJson(pick(result, fields))}`;
    separator = ',\n';
  }
  yield `${results.length > 0 ? '\n' : ''}],"summary":${toJson(summary)}}\n`;
}

/** One result a line. */
export function* formatNdjson({ results }: JsonReport, fields?: Fields): Generator<string> {
  for (const result of results) yield `${toJson(pick(result, fields))}\n`;
}

function pick(result: object, fields: Fields): object {
  if (!fields) return result;
  const values = new Map(Object.entries(result));
  const known = fields.filter((field) => values.has(field));
  return Object.fromEntries(known.map((field) => [field, values.get(field)]));
}

function toJson(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}
