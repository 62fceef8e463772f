import type { Check } from '../../../dialect/rule.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import { openLine } from '../format.ts';

/** Hands over the header of a file, which is its first `session_meta`: others may follow, as in a fork. */
export function readHeader(
  use: (header: JsonObject, line: Line) => void,
): NonNullable<Check['line']> {
  let isRead = false;
  return (line, content) => {
    if (isRead || content.kind !== 'object') return;
    const { type, payload } = openLine(content.value);
    isRead = type === 'session_meta';
    if (isRead) use(payload, line);
  };
}
