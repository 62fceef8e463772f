import type { LineSpan } from '../model/entry.ts';
import { getString, type JsonObject } from '../jsonl/edit/json.ts';
import type { Line } from '../jsonl/read/line-splitter.ts';
import type { Place } from '../dialect/rule.ts';

/** The file as a whole: where nothing else is to be pointed at. */
export const START_OF_FILE: Place = { line: 1, offset: 0 };

/** Makes the place of a finding about a line; `record` is the entry on the line, if there is one. */
export function toPlace(line: Line, record?: JsonObject): Place {
  const id = record && getString(record, 'id');
  return { line: line.number, offset: line.offset, id };
}

/** Makes the place of a finding about a line that holds a record with a `uuid`. */
export function toUuidPlace({ number, offset }: Line, record: JsonObject): Place {
  return { line: number, offset, id: getString(record, 'uuid') };
}

/** The place of a finding that a fix must not repair, though its rule has one. */
export function withoutFix({ line, offset, id }: Place): Place {
  return { line, offset, id, fixable: false };
}

/** The first place of each of some things, and how often each is there. */
export type PlaceCounts = Map<string, { readonly place: Place; count: number }>;

/** Counts one more of a thing, which is at `place`. */
export function countPlace(counts: PlaceCounts, key: string, place: Place): void {
  const known = counts.get(key);
  if (known) known.count += 1;
  else counts.set(key, { place, count: 1 });
}

/** Makes the place of a finding about the header. */
export function toHeaderPlace(header: LineSpan | undefined): Place {
  return header ? { line: header.line, offset: header.offset } : START_OF_FILE;
}
