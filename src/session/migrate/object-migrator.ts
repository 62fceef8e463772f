import type { LineProblem, Migrator } from '../dialect/migration.ts';
import { type JsonObject, toTime } from '../jsonl/edit/json.ts';
import type { Line } from '../jsonl/read/line-splitter.ts';
import { parseLine } from '../jsonl/read/parse-line.ts';

/** Makes the new bytes of a line that holds an object; undefined to keep them. */
type ObjectChange = (line: Line, value: JsonObject) => Buffer | undefined;

/** Makes a migrator that changes lines with an object, and keeps all others. `problems`: the list to which `change` adds. */
export function createObjectMigrator(
  change: ObjectChange,
  problems: readonly LineProblem[],
): Migrator {
  let lastActivity = 0;
  return {
    problems,
    get lastActivity() {
      return lastActivity;
    },
    transform(line) {
      const content = parseLine(line);
      if (content.kind !== 'object') return undefined;
      const time = toTime(content.value['timestamp']);
      if (time > lastActivity) lastActivity = time;
      const changed = change(line, content.value);
      return changed && [changed, line.terminated ? '\n' : ''];
    },
  };
}
