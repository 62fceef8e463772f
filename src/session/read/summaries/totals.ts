import type { SessionSummary } from '../../model/summary.ts';
import { getLastModel, visitCounted } from '../../model/tree/pack-usages.ts';
import {
  addUsageTo,
  type CountedUsage,
  type InheritedUsages,
  type Mutable,
  NO_USAGE,
  QUARTER_MS,
  type Usage,
} from '../../model/usage.ts';

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
  inherited: InheritedUsages,
  toDay: (time: number) => string,
): Total[] {
  const totals = new Map<string, Sum>();
  const find = (key: string): Sum => {
    const known = totals.get(key);
    if (known) return known;
    const total = { key, sessions: 0, bytes: 0, messages: 0, usage: { ...NO_USAGE } };
    totals.set(key, total);
    return total;
  };
  const dayOf = rememberDays(toDay);
  for (const summary of summaries) {
    const total = find(getSessionKey(summary, by, dayOf));
    total.sessions += 1;
    total.bytes += summary.size;
    total.messages += summary.messageCount;
    const add = (one: CountedUsage): void =>
      addUsageTo(find(getUsageKey(summary, one, by, dayOf)).usage, one.usage);
    visitCounted(summary, inherited.get(summary.path), add);
  }
  return [...totals.values()];
}

/** Makes a function that formats the day of a time, once for each quarter of an hour. */
function rememberDays(toDay: (time: number) => string): (time: number) => string {
  const days = new Map<number, string>();
  return (time) => {
    const quarter = Math.floor(time / QUARTER_MS);
    const day = days.get(quarter) ?? toDay(time);
    days.set(quarter, day);
    return day;
  };
}

function getSessionKey(
  summary: SessionSummary,
  by: TotalKey,
  toDay: (time: number) => string,
): string {
  if (by === 'model') {
    return getLastModel(summary) ?? summary.models.at(-1) ?? NO_MODEL;
  }
  if (by === 'day') return toDay(Date.parse(summary.modified));
  return by === 'agent' ? summary.agent : summary.cwd || UNKNOWN;
}

function getUsageKey(
  summary: SessionSummary,
  entry: CountedUsage,
  by: TotalKey,
  toDay: (time: number) => string,
): string {
  if (by === 'model') return entry.model ?? NO_MODEL;
  if (by === 'day') return Number.isNaN(entry.time) ? UNKNOWN : toDay(entry.time);
  return by === 'agent' ? summary.agent : summary.cwd || UNKNOWN;
}
