import type { Rule } from '../dialect/rule.ts';
import type { JsonObject } from '../jsonl/edit/json.ts';

/** Takes out the records of a kind of which only the first counts, and keeps that. */
export function takeOutLater(
  isOfKind: (record: JsonObject) => boolean,
): NonNullable<Rule['takesOut']> {
  return () => {
    let isFirst = true;
    return (record) => {
      if (!isOfKind(record)) return false;
      const isLater = !isFirst;
      isFirst = false;
      return isLater;
    };
  };
}
