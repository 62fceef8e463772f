import { isObject, type JsonObject, type JsonValue } from '../../src/session/jsonl/edit/json.ts';

/**
 * Every way to take a field out of a record, or to put a value of another type in its place, but for
 * the fixed ones of the record itself.
 */
export function* mutate(
  record: JsonObject,
  fixed: readonly string[] = [],
  depth = 3,
): Generator<JsonObject> {
  const others: JsonValue[] = [null, 3, 'x', true, {}, []];
  for (const [key, value] of Object.entries(record)) {
    if (value === undefined || fixed.includes(key)) continue;
    const { [key]: _, ...rest } = record;
    yield rest;
    for (const other of others) yield { ...record, [key]: other };
    if (depth === 0) continue;
    if (isObject(value)) {
      for (const changed of mutate(value, [], depth - 1)) yield { ...record, [key]: changed };
    }
    const [first, ...more] = Array.isArray(value) ? value : [];
    if (!isObject(first)) continue;
    for (const changed of mutate(first, [], depth - 1))
      yield { ...record, [key]: [changed, ...more] };
  }
}
