import { getObject, getString, type JsonObject, toTime } from '../../../jsonl/edit/json.ts';
import { type EntryUsage, toCount, toUsage, type Usage } from '../../../model/usage.ts';
import { getMessage } from '../format.ts';

const WITH_USAGE: ReadonlySet<unknown> = new Set([
  'usage',
  'model_usage',
  'compaction',
  'branch_summary',
]);

/**
 * The usage of an entry that has one: assistant messages, tool results, summaries and `usage` entries, which are the
 * ones that pi's own totals count, and `model_usage` entries of oh-my-pi. `model`: where the entry does not name it.
 */
export function getEntryUsage(entry: JsonObject, model?: string): EntryUsage | undefined {
  const own = getOwnUsage(entry, model);
  // Written out: Node 20 makes a class of its own for each object that grows after a spread.
  if (!own) return undefined;
  const { model: name, time, usage } = own;
  return { key: toUsageKey(entry), request: getString(entry, 'id'), model: name, time, usage };
}

/** The usage of an entry, where no other entry can be the same. */
export function getOwnUsage(
  entry: JsonObject,
  named?: string,
): Omit<EntryUsage, 'key'> | undefined {
  const message = getMessage(entry);
  const usage = getObject(message ?? entry, 'usage');
  if (!usage || !(message || WITH_USAGE.has(entry['type']))) return undefined;
  const model = named ?? getModelName(message ?? entry);
  return { model, time: toTime(entry['timestamp']), usage: toUsage(usage) };
}

/** Reads the usage that the scanner has written as numbers, as `toUsage` reads that of an object. */
export function readUsage(numbers: readonly number[], at: number): Usage {
  const [input, output] = [toCount(numbers[at]), toCount(numbers[at + 1])];
  const [cacheRead, cacheWrite] = [toCount(numbers[at + 2]), toCount(numbers[at + 3])];
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens: toCount(numbers[at + 4]) || input + output + cacheRead + cacheWrite,
    cost: toCount(numbers[at + 5]),
  };
}

/**
 * Returns the model that answered, if the provider chose another than was asked, as
 * `provider/model`. Undefined for a message or entry that names none.
 */
export function getModelName(from: JsonObject): string | undefined {
  const model = getString(from, 'responseModel') ?? getString(from, 'model');
  if (model === undefined) return undefined;
  const provider = getString(from, 'provider');
  return provider === undefined ? model : `${provider}/${model}`;
}

/**
 * A fork keeps the times of an entry, and the provider's response id. It keeps the id, too, but an entry of v1 has
 * none, and its copy in a fork of a later version has one. The id only distinguishes entries that both have one.
 */
function toUsageKey(entry: JsonObject): string {
  const message = getMessage(entry);
  return JSON.stringify([
    entry['timestamp'],
    message?.['timestamp'],
    message && getString(message, 'responseId'),
  ]);
}
