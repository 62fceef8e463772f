import type { JsonObject } from '../../../jsonl/edit/json.ts';
import type { Line } from '../../../jsonl/read/line-splitter.ts';
import type { Check } from '../../../dialect/rule.ts';
import { CURRENT_VERSION, getFileVersion, isAnyHeader, isTitleLine } from '../format.ts';
import type { Framing } from '../../../dialect/fold.ts';

type LineCheck = NonNullable<Check['line']>;

/** The version before the header has been seen: no field is required then. */
export const NO_VERSION = 0;

/** Visits every line that is an entry, with the version of its file; none of unknown versions. */
export function checkEntries(
  framing: Framing,
  visit: (entry: JsonObject, line: Line, version: number) => void,
): LineCheck {
  let version: number | undefined;
  return (line, content) => {
    if (content.kind !== 'object') return;
    const { value } = content;
    if (isAnyHeader(value)) {
      version ??= getFileVersion(value, framing);
    } else if (version !== undefined ? version <= CURRENT_VERSION : !isTitleLine(value)) {
      visit(value, line, version ?? NO_VERSION);
    }
  };
}

/** Visits the header: the first, since the agent ignores any other. */
export function checkHeader(visit: (header: JsonObject, line: Line) => void): LineCheck {
  let seen = false;
  return (line, content) => {
    if (seen || content.kind !== 'object') return;
    if (!isAnyHeader(content.value)) return;
    seen = true;
    visit(content.value, line);
  };
}
