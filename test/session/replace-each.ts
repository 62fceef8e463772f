import { isArray, isObject, type JsonValue } from '../../src/session/jsonl/edit/json.ts';

/** Every value in a record, wherever it is, can be replaced by `value`. */
export function* replaceEach(record: JsonValue, value: JsonValue): Generator<JsonValue> {
  yield value;
  if (isArray(record)) {
    for (const [index, item] of record.entries()) {
      for (const replaced of replaceEach(item, value)) yield record.with(index, replaced);
    }
  }
  if (!isObject(record)) return;
  for (const [key, item = null] of Object.entries(record)) {
    for (const replaced of replaceEach(item, value)) yield { ...record, [key]: replaced };
  }
}
