import { toIso } from '../../session/jsonl/edit/json.ts';
import type { SessionSummary } from '../../session/model/summary.ts';

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

/** Sums usage. The usage that a fork copied, which is older than the fork, counts for its parent only. */
export function sumUsages(summary: SessionSummary): UsageFacts {
  const { created, entryUsages = [] } = summary;
  const isFork = summary.parentSessionPath !== null || summary.branchedFrom !== null;
  const start = isFork && created !== null ? Date.parse(created) : -Infinity;
  const models = new Map<string, { tokens: number; cost: number }>();
  const days = new Map<string, number>();
  for (const { model = '(none)', time, usage } of entryUsages) {
    if (time < start) continue;
    const sum = models.get(model) ?? { tokens: 0, cost: 0 };
    models.set(model, { tokens: sum.tokens + usage.totalTokens, cost: sum.cost + usage.cost });
    const day = toIso(time)?.slice(0, 10);
    if (day !== undefined) days.set(day, (days.get(day) ?? 0) + 1);
  }
  return {
    models: Array.from(models, ([model, sum]) => ({ model, ...sum })),
    days: Array.from(days, ([day, count]) => ({ day, count })),
  };
}
