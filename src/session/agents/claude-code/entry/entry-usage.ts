import {
  getNumber,
  getObject,
  getString,
  type JsonObject,
  toTime,
} from '../../../jsonl/edit/json.ts';
import { type EntryUsage, toUsage, type Usage } from '../../../model/usage.ts';
import { getMessage } from '../format.ts';

/** The model of lines that the client has written by itself. */
export const NO_MODEL = '<synthetic>';

/** The model that answered; undefined for a line of the client. */
export function getModelName(value: JsonObject): string | undefined {
  const name = getString(getMessage(value) ?? {}, 'model');
  return name === NO_MODEL ? undefined : name;
}

/** The usage of an answer, which each of its lines repeats. */
export function getEntryUsage(value: JsonObject): EntryUsage | undefined {
  if (value['type'] !== 'assistant') return undefined;
  const model = getModelName(value);
  const usage = model === undefined ? undefined : readUsage(value);
  if (!usage) return undefined;
  return {
    key: toResponseKey(value),
    request: getString(value, 'requestId'),
    isUnique: true,
    model,
    time: toTime(value['timestamp']),
    usage,
  };
}

/** Equal for all lines of an answer, and for their copies in forks and resumed sessions. */
function toResponseKey(value: JsonObject): string {
  return getString(getMessage(value) ?? {}, 'id') ?? getString(value, 'uuid') ?? '';
}

/** Reads the usage of a line. The price is not in the file. */
export function readUsage(value: JsonObject): Usage | undefined {
  const stored = getObject(getMessage(value) ?? {}, 'usage');
  if (!stored) return undefined;
  const count = (key: string): number => getNumber(stored, key) ?? 0;
  return toUsage({
    input: count('input_tokens'),
    output: count('output_tokens'),
    cacheRead: count('cache_read_input_tokens'),
    cacheWrite: count('cache_creation_input_tokens'),
  });
}
