import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import type { Check } from '../../../dialect/rule.ts';
import { isMessage } from '../format.ts';

/** Visits every line that is a message. */
export function checkMessages(
  visit: (message: JsonObject, line: Line) => void,
): NonNullable<Check['line']> {
  return (line, content) => {
    if (content.kind === 'object' && isMessage(content.value)) visit(content.value, line);
  };
}
