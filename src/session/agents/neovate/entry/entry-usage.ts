import {
  getNumber,
  getObject,
  getString,
  type JsonObject,
  toTime,
} from '../../../jsonl/edit/json.ts';
import { type EntryUsage, toUsage, type Usage } from '../../../model/usage.ts';
import { isMessage } from '../format.ts';

/** The usage of an answer; what it cost is not known. */
export function getEntryUsage(entry: JsonObject): EntryUsage | undefined {
  const usage = isMessage(entry) ? readUsage(entry) : undefined;
  if (!usage) return undefined;
  return {
    // A fork keeps both.
    key: JSON.stringify([getString(entry, 'uuid'), entry['timestamp']]),
    model: getString(entry, 'model'),
    time: toTime(entry['timestamp']),
    usage,
  };
}

/** The names of each number: as 0.17.1 stores it, and as the agent holds it in memory. */
const NAMES = {
  input: ['input_tokens', 'promptTokens'],
  output: ['output_tokens', 'completionTokens'],
  cacheRead: ['cache_read_input_tokens'],
  cacheWrite: ['cache_creation_input_tokens'],
} as const;

/** Every field of a usage whose meaning is known. `totalTokens` is the sum of the others. */
export const USAGE_FIELDS: ReadonlySet<string> = new Set([
  ...Object.values(NAMES).flat(),
  'totalTokens',
]);

/** Tokens of a message that reports them, in either spelling; providers that report none have zeros. */
export function readUsage(message: JsonObject): Usage | undefined {
  const stored = getObject(message, 'usage');
  if (!stored) return undefined;
  const count = (names: readonly string[]): number => {
    for (const name of names) {
      const found = getNumber(stored, name);
      if (found !== undefined) return found;
    }
    return 0;
  };
  return toUsage({
    input: count(NAMES.input),
    output: count(NAMES.output),
    cacheRead: count(NAMES.cacheRead),
    cacheWrite: count(NAMES.cacheWrite),
  });
}
