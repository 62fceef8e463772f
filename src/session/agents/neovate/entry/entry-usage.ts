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

/** Tokens of a message that reports them; providers that report none have zeros. */
export function readUsage(message: JsonObject): Usage | undefined {
  const stored = getObject(message, 'usage');
  if (!stored) return undefined;
  const count = (key: string): number => getNumber(stored, key) ?? 0;
  return toUsage({
    input: count('input_tokens'),
    output: count('output_tokens'),
    cacheRead: count('cache_read_input_tokens'),
    cacheWrite: count('cache_creation_input_tokens'),
  });
}
