import type { SessionSummary } from '../../session/model/summary.ts';
import type { EntryUsage, Usage } from '../../session/model/usage.ts';

type Numbers = readonly [number, number, number, number, number, number];

/** The usage of a session in few bytes of JSON. */
export interface StoredUsage {
  readonly usage: Numbers;
  readonly models: readonly string[];
  /** Place among the models, or -1; time; key; request; whether the key is unique among all; usage. */
  readonly entries: readonly (readonly [
    number,
    number | null,
    string,
    string | null,
    0 | 1,
    ...Numbers,
  ])[];
}

type WithUsage = Required<Pick<SessionSummary, 'usage' | 'entryUsages'>>;

export function toStoredUsage({ usage, entryUsages }: WithUsage): StoredUsage {
  const models = [...new Set(entryUsages.flatMap(({ model }) => model ?? []))];
  const places = new Map(models.map((model, place) => [model, place]));
  const entries = entryUsages.map(
    ({ model, time, key, request, isUnique, usage: own }) =>
      [
        model === undefined ? -1 : (places.get(model) ?? -1),
        Number.isNaN(time) ? null : time,
        key,
        request ?? null,
        isUnique ? 1 : 0,
        ...toNumbers(own),
      ] as const,
  );
  return { usage: toNumbers(usage), models, entries };
}

export function fromStoredUsage({ usage, models, entries }: StoredUsage): WithUsage {
  return {
    usage: fromNumbers(usage),
    entryUsages: entries.map(([place, time, key, request, isUnique, ...own]): EntryUsage => {
      return {
        key,
        request: request ?? undefined,
        isUnique: isUnique === 1 ? true : undefined,
        model: models[place],
        time: time ?? Number.NaN,
        usage: fromNumbers(own),
      };
    }),
  };
}

function toNumbers(usage: Usage): Numbers {
  const { input, output, cacheRead, cacheWrite, totalTokens, cost } = usage;
  return [input, output, cacheRead, cacheWrite, totalTokens, cost];
}

function fromNumbers([input, output, cacheRead, cacheWrite, totalTokens, cost]: Numbers): Usage {
  return { input, output, cacheRead, cacheWrite, totalTokens, cost };
}
