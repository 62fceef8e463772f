import { toIso } from '../../session/jsonl/edit/json.ts';
import type { Subagent } from '../../session/model/summary.ts';
import { visitCounted } from '../../session/model/tree/pack-usages.ts';
import type { CountedUsage, EntryUsage } from '../../session/model/usage.ts';

/** Tokens and cost of one model. */
export interface ModelFacts {
  readonly model: string;
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
}

/** Answers of one day (UTC), as `2026-03-02`. */
export interface DayFacts {
  readonly day: string;
  readonly count: number;
}

/** The cost of single entries, by the groups of overviews. */
export interface UsageFacts {
  readonly models: readonly ModelFacts[];
  readonly days: readonly DayFacts[];
}

/** The usage of one session, as totals count it. */
export interface CountedSession {
  /** The usage of every answer in its files. */
  readonly usages?: readonly EntryUsage[] | undefined;
  /** The places of those that it has copied from another session, where they count. */
  readonly inherited?: readonly number[] | undefined;
  readonly subagents?: readonly Subagent[] | undefined;
}

/** Sums usage as `list --by` does. */
export function sumUsages({ usages = [], inherited, subagents = [] }: CountedSession): UsageFacts {
  const models = new Map<string, { tokens: number; cost: number }>();
  const days = new Map<string, number>();
  const add = ({ model = '(none)', time, usage }: CountedUsage): void => {
    const sum = models.get(model) ?? { tokens: 0, cost: 0 };
    models.set(model, { tokens: sum.tokens + usage.totalTokens, cost: sum.cost + usage.cost });
    const day = toIso(time)?.slice(0, 10);
    if (day !== undefined) days.set(day, (days.get(day) ?? 0) + 1);
  };
  visitCounted({ entryUsages: usages, subagents }, new Set(inherited), add);
  return {
    models: Array.from(models, ([model, sum]) => ({ model, ...sum })),
    days: Array.from(days, ([day, count]) => ({ day, count })),
  };
}
