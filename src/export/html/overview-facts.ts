import {
  getNumber,
  getString,
  isArray,
  isObject,
  type JsonObject,
  toIso,
} from '../../session/json.ts';
import type { SessionSummary } from '../../session/summary.ts';
import { getTitle } from '../readable.ts';

/** What the overview says of one session. */
export interface OverviewFacts {
  readonly title: string;
  readonly id: string;
  readonly agent: string;
  readonly cwd: string;
  readonly modified: string;
  readonly messages: number;
  readonly tokens: number;
  /** US dollars. */
  readonly cost: number;
  /** Tokens and cost by model. */
  readonly models: readonly ModelFacts[];
  /** Answers by day (UTC), as `2026-03-02`. */
  readonly days: readonly DayFacts[];
}

interface ModelFacts {
  readonly model: string;
  readonly tokens: number;
  readonly cost: number;
}

interface DayFacts {
  readonly day: string;
  readonly count: number;
}

/** What single entries cost, by what overviews tell apart. */
export type UsageFacts = Pick<OverviewFacts, 'models' | 'days'>;

/** What a fork took over from its parent counts for the parent only: it is older than the fork. */
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

export function toOverviewFacts(summary: SessionSummary, { models, days }: UsageFacts): JsonObject {
  const { id, agent, cwd, modified, messageCount: messages } = summary;
  return {
    title: getTitle(summary),
    id,
    agent,
    cwd,
    modified,
    messages,
    tokens: models.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: models.reduce((sum, { cost }) => sum + cost, 0),
    models: models.map((model) => ({ ...model })),
    days: days.map((day) => ({ ...day })),
  };
}

/** Reads back what `toOverviewFacts` made; undefined when it is something else. */
export function parseOverviewFacts(facts: JsonObject): OverviewFacts | undefined {
  const text = (key: string): string => getString(facts, key) ?? '';
  const number = (key: string): number => getNumber(facts, key) ?? 0;
  if (getString(facts, 'title') === undefined) return undefined;
  return {
    title: text('title'),
    id: text('id'),
    agent: text('agent'),
    cwd: text('cwd'),
    modified: text('modified'),
    messages: number('messages'),
    tokens: number('tokens'),
    cost: number('cost'),
    models: listObjects(facts, 'models').map((model) => ({
      model: getString(model, 'model') ?? '',
      tokens: getNumber(model, 'tokens') ?? 0,
      cost: getNumber(model, 'cost') ?? 0,
    })),
    days: listObjects(facts, 'days').map((day) => ({
      day: getString(day, 'day') ?? '',
      count: getNumber(day, 'count') ?? 0,
    })),
  };
}

function listObjects(facts: JsonObject, key: string): readonly JsonObject[] {
  const found = facts[key];
  return isArray(found) ? found.filter((item) => isObject(item)) : [];
}
