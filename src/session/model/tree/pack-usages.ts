import type { SessionSummary } from '../summary.ts';
import type { EntryUsage, PackedUsages } from '../usage.ts';

const NUMBERS = 9;

/** Packs usages of which the keys are hashes, or empty. */
export function packUsages(usages: readonly EntryUsage[]): PackedUsages {
  const models = new Map<string | undefined, number>([[undefined, -1]]);
  const keys: string[] = [];
  const numbers = new Float64Array(usages.length * NUMBERS);
  let at = 0;
  for (const { key, request = '', isUnique, model, time, usage } of usages) {
    const place = models.get(model) ?? models.size - 1;
    models.set(model, place);
    keys.push(key, request);
    numbers[at] = place;
    numbers[at + 1] = time;
    numbers[at + 2] = isUnique ? 1 : 0;
    numbers[at + 3] = usage.input;
    numbers[at + 4] = usage.output;
    numbers[at + 5] = usage.cacheRead;
    numbers[at + 6] = usage.cacheWrite;
    numbers[at + 7] = usage.totalTokens;
    numbers[at + 8] = usage.cost;
    at += NUMBERS;
  }
  return {
    models: [...models.keys()].filter((one) => one !== undefined),
    keys: keys.join(),
    numbers,
  };
}

/** Makes the usages that were packed. A time that JSON has as `null` is none. */
export function unpackUsages({ models, keys, numbers }: PackedUsages): readonly EntryUsage[] {
  const texts = keys.split(',');
  const usages: EntryUsage[] = [];
  const get = (place: number): number => numbers[place] ?? 0;
  for (let at = 0; at < numbers.length; at += NUMBERS) {
    const index = usages.length * 2;
    usages.push({
      key: texts[index] ?? '',
      request: texts[index + 1] || undefined,
      isUnique: get(at + 2) === 1 ? true : undefined,
      model: models[get(at)],
      time: numbers[at + 1] ?? Number.NaN,
      usage: {
        input: get(at + 3),
        output: get(at + 4),
        cacheRead: get(at + 5),
        cacheWrite: get(at + 6),
        totalTokens: get(at + 7),
        cost: get(at + 8),
      },
    });
  }
  return usages;
}

/** Returns whether usages were summed before they were packed: then none of them has a key. */
export function areSums({ keys }: PackedUsages): boolean {
  return keys.startsWith(',');
}

/** A summary with its usages as objects again, unless they are sums, which it keeps packed. */
export function unpackSummary(summary: SessionSummary): SessionSummary {
  const { packedUsages } = summary;
  if (!packedUsages || areSums(packedUsages)) return summary;
  const { packedUsages: _, ...rest } = summary;
  return { ...rest, entryUsages: unpackUsages(packedUsages) };
}

/** Lists the usages of a summary, packed or not. */
export function listUsages({
  entryUsages,
  packedUsages,
}: Pick<SessionSummary, 'entryUsages' | 'packedUsages'>): readonly EntryUsage[] {
  return entryUsages ?? (packedUsages ? unpackUsages(packedUsages) : []);
}
