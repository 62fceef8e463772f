import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { LineContent } from '../../../jsonl/read/parse-line.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import { findFirstObject } from '../../../rules/find-records.ts';

/** An object that the client reads, and how many bytes of its line it takes. */
export interface ReadObject {
  readonly value: JsonObject;
  readonly length: number;
}

/** Reads a line as the client does: the first of several objects on it (2.1.332). */
export function readObject(line: Line, content: LineContent): ReadObject | undefined {
  if (content.kind === 'object') return { value: content.value, length: line.length };
  return content.kind === 'malformed' ? findFirstObject(line) : undefined;
}
