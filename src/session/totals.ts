import type { SessionSummary } from './summary.ts';
import { addUsage, type EntryUsage, NO_USAGE, type Usage } from './usage.ts';

export const TOTAL_KEYS = ['project', 'model', 'day', 'agent'] as const;
export type TotalKey = (typeof TOTAL_KEYS)[number];

/** What sessions come to, by something they have in common. */
export interface Total {
  readonly key: string;
  readonly sessions: number;
  readonly bytes: number;
  readonly messages: number;
  /** What forks copied from their parents is counted once. */
  readonly usage: Usage;
}

const NO_MODEL = '(none)';
const UNKNOWN = '(unknown)';
const NOTHING = { sessions: 0, bytes: 0, messages: 0, usage: NO_USAGE };

/**
 * Sums sessions. By model, a session counts for each model that it used; by day, it counts on the
 * day of its last activity, and usage on the day it was spent.
 */
export function sumSessions(
  summaries: readonly SessionSummary[],
  by: TotalKey,
  inherited: ReadonlyMap<string, readonly EntryUsage[]>,
  toDay: (time: number) => string,
): Total[] {
  const totals = new Map<string, Total>();
  const add = (key: string, more: Partial<Omit<Total, 'key'>>): void => {
    const sum = totals.get(key) ?? { key, ...NOTHING };
    totals.set(key, {
      key,
      sessions: sum.sessions + (more.sessions ?? 0),
      bytes: sum.bytes + (more.bytes ?? 0),
      messages: sum.messages + (more.messages ?? 0),
      usage: more.usage ? addUsage(sum.usage, more.usage) : sum.usage,
    });
  };
  for (const summary of summaries) {
    const session = { sessions: 1, bytes: summary.size, messages: summary.messageCount };
    for (const key of getSessionKeys(summary, by, toDay)) add(key, session);
    const copied = new Set(inherited.get(summary.path));
    for (const entry of summary.entryUsages ?? []) {
      if (!copied.has(entry)) add(getUsageKey(summary, entry, by, toDay), { usage: entry.usage });
    }
  }
  return [...totals.values()];
}

function getSessionKeys(
  summary: SessionSummary,
  by: TotalKey,
  toDay: (time: number) => string,
): readonly string[] {
  if (by === 'model') return summary.models.length > 0 ? summary.models : [NO_MODEL];
  if (by === 'day') return [toDay(Date.parse(summary.modified))];
  return [by === 'agent' ? summary.agent : summary.cwd || UNKNOWN];
}

function getUsageKey(
  summary: SessionSummary,
  entry: EntryUsage,
  by: TotalKey,
  toDay: (time: number) => string,
): string {
  if (by === 'model') return entry.model ?? NO_MODEL;
  if (by === 'day') return Number.isNaN(entry.time) ? UNKNOWN : toDay(entry.time);
  return by === 'agent' ? summary.agent : summary.cwd || UNKNOWN;
}
