import type { SessionSummary } from '../../model/summary.ts';
import { listUsages } from '../../model/tree/pack-usages.ts';
import { addTo, type EntryUsage, type Mutable, NO_USAGE, type Usage } from '../../model/usage.ts';

export const TOTAL_KEYS = ['project', 'model', 'day', 'agent'] as const;
export type TotalKey = (typeof TOTAL_KEYS)[number];

/** The sum over sessions that have something in common. */
export interface Total {
  readonly key: string;
  readonly sessions: number;
  readonly bytes: number;
  readonly messages: number;
  /** The usage that forks copied from their parents counts once. */
  readonly usage: Usage;
}

const NO_MODEL = '(none)';
const UNKNOWN = '(unknown)';

interface Sum extends Mutable<Omit<Total, 'usage'>> {
  readonly usage: Mutable<Usage>;
}

/**
 * Sums sessions, so that the sums of all totals are those of all sessions. By model, a session with
 * its messages and bytes counts for the model that it used last; by day, on the day of its last
 * activity. Usage counts for the model that used it, and on the day it was used.
 */
export function sumSessions(
  summaries: readonly SessionSummary[],
  by: TotalKey,
  inherited: ReadonlyMap<string, readonly EntryUsage[]>,
  toDay: (time: number) => string,
): Total[] {
  const totals = new Map<string, Sum>();
  const find = (key: string): Sum => {
    const total = totals.get(key) ?? {
      key,
      sessions: 0,
      bytes: 0,
      messages: 0,
      usage: { ...NO_USAGE },
    };
    totals.set(key, total);
    return total;
  };
  for (const summary of summaries) {
    const total = find(getSessionKey(summary, by, toDay));
    total.sessions += 1;
    total.bytes += summary.size;
    total.messages += summary.messageCount;
    const copied = new Set(inherited.get(summary.path));
    const ofSubagents = summary.subagents?.flatMap(({ entryUsages = [] }) => entryUsages) ?? [];
    for (const usages of [listUsages(summary), ofSubagents]) {
      for (const entry of usages) {
        if (copied.has(entry)) continue;
        addTo(find(getUsageKey(summary, entry, by, toDay)).usage, entry.usage);
      }
    }
  }
  return [...totals.values()];
}

function getSessionKey(
  summary: SessionSummary,
  by: TotalKey,
  toDay: (time: number) => string,
): string {
  if (by === 'model') {
    const last = listUsages(summary).findLast(({ model }) => model !== undefined)?.model;
    return last ?? summary.models.at(-1) ?? NO_MODEL;
  }
  if (by === 'day') return toDay(Date.parse(summary.modified));
  return by === 'agent' ? summary.agent : summary.cwd || UNKNOWN;
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
