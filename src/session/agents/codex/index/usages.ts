import { getNumber, getObject, getString, type JsonObject } from '../../../jsonl/edit/json.ts';
import { type EntryUsage, toCount, type Usage } from '../../../model/usage.ts';

/** The totals that a `token_count` line states, as the provider counts them. */
interface Totals {
  readonly input: number;
  readonly cached: number;
  readonly written: number;
  readonly output: number;
  readonly total: number;
}

/**
 * Collects what the responses of one rollout cost, each once. Since 0.154 each response has a record;
 * before, the running totals are repeated, and count by how much they have grown.
 */
export class UsageCollector {
  readonly usages: EntryUsage[] = [];
  readonly #seen = new Set<string>();
  #hasRecords = false;
  #last: Totals | undefined;

  /** `threadId`: of the file. A copied fork holds records of its parent, which count there. */
  addRecord(record: JsonObject, threadId: string, model: string | undefined, time: number): void {
    this.#hasRecords = true;
    const usage = getObject(record, 'usage');
    if (!usage || getString(record, 'thread_id') !== threadId) return;
    const key = JSON.stringify([threadId, record['response_id'] ?? null]);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.usages.push({ key, model, time, usage: toUsage(readTotals(usage)) });
  }

  addCount(event: JsonObject, model: string | undefined, time: number): void {
    const info = getObject(event, 'info');
    const stated = info && getObject(info, 'total_token_usage');
    if (!info || !stated || this.#hasRecords) return;
    const totals = readTotals(stated);
    const last = readTotals(getObject(info, 'last_token_usage') ?? {});
    const before = this.#last;
    this.#last = totals;
    if (before && totals.total === before.total) return;
    const grown = before && totals.total > before.total ? subtract(totals, before) : last;
    // Copied with the line into a fork, where it is the parent's.
    const key = JSON.stringify(['total', ...Object.values(totals)]);
    this.usages.push({ key, model, time, usage: toUsage(grown) });
  }
}

function readTotals(usage: JsonObject): Totals {
  const count = (key: string): number => toCount(getNumber(usage, key));
  const [input, output] = [count('input_tokens'), count('output_tokens')];
  return {
    input,
    cached: count('cached_input_tokens'),
    written: count('cache_write_input_tokens'),
    output,
    total: input + output,
  };
}

function subtract(a: Totals, b: Totals): Totals {
  return {
    input: a.input - b.input,
    cached: a.cached - b.cached,
    written: a.written - b.written,
    output: a.output - b.output,
    total: a.total - b.total,
  };
}

/** Codex counts what was cached as input, too. */
function toUsage({ input, cached, written, output, total }: Totals): Usage {
  return {
    input: Math.max(0, input - cached - written),
    output,
    cacheRead: cached,
    cacheWrite: written,
    totalTokens: total,
    cost: 0,
  };
}
