import { escapeJson } from './escape-json.ts';

/** Raised when a field changes its meaning or goes away; new fields leave it alone. */
export const SCHEMA_VERSION = 1;

export interface JsonReport {
  readonly command: string;
  readonly results: readonly object[];
  readonly summary: object;
}

/** One document, a result a line, in pieces: a large report is never one string. */
export function* formatJson({ command, results, summary }: JsonReport): Generator<string> {
  yield `{"schemaVersion":${SCHEMA_VERSION},"command":${toJson(command)},"results":[`;
  let separator = '\n';
  for (const result of results) {
    yield `${separator}${toJson(result)}`;
    separator = ',\n';
  }
  yield `${results.length > 0 ? '\n' : ''}],"summary":${toJson(summary)}}\n`;
}

/** One result a line. */
export function* formatNdjson({ results }: JsonReport): Generator<string> {
  for (const result of results) yield `${toJson(result)}\n`;
}

function toJson(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}
