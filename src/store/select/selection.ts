import type { Agent } from '../../session/model/agent.ts';
import { isInside } from '../../session/model/paths.ts';
import type { SessionSummary, Source, State } from '../../session/model/summary.ts';
import { getActivity, getLatest, isLikelyTime } from '../../session/read/summaries/unread.ts';
import { requireFacts } from './require-facts.ts';
import type { Shard } from './shard.ts';

/** The criteria that select sessions. Times in milliseconds, sizes in bytes. */
export interface Selection {
  readonly agent?: Agent | undefined;
  /** An absolute directory of any system. */
  readonly project?: string | undefined;
  readonly activeBefore?: number | undefined;
  readonly activeAfter?: number | undefined;
  readonly startedBefore?: number | undefined;
  readonly startedAfter?: number | undefined;
  readonly largerThan?: number | undefined;
  readonly smallerThan?: number | undefined;
  readonly named?: NameMatcher | undefined;
  readonly model?: NameMatcher | undefined;
  readonly formatVersion?: number | undefined;
  readonly source?: Source | undefined;
  readonly state?: State | undefined;
  /** The agent may delete them before then. */
  readonly expiringBefore?: number | undefined;
  readonly withoutWork?: boolean | undefined;
  readonly maxMessages?: number | undefined;
  readonly last?: number | undefined;
  readonly shard?: Shard | undefined;
}

export type NameMatcher = (text: string) => boolean;

/** Returns whether every session is selected, so that no one need look into the files. */
export function selectsAll(selection: Selection): boolean {
  return Object.entries(selection).every(([key, value]) => key === 'shard' || value === undefined);
}

/**
 * The sessions that fit; `last` counts among those, by latest activity. Keeps their order.
 * @throws UsageError for a selector about what no agent of them has.
 */
export function select(
  summaries: readonly SessionSummary[],
  selection: Selection,
): readonly SessionSummary[] {
  requireFacts(summaries, selection);
  if (selectsAll(selection)) return summaries;
  const fitting = summaries.filter((summary) => fits(summary, selection));
  if (selection.last === undefined) return fitting;
  const latest = new Set(fitting.toSorted(byLastLine).slice(0, selection.last));
  return fitting.filter((summary) => latest.has(summary));
}

/** Orders as `--last` counts in every command, also in one that removes: by the last line of any kind. */
export function byLastLine(a: SessionSummary, b: SessionSummary): number {
  return getLatest(b) - getLatest(a) || (a.path < b.path ? -1 : 1);
}

/** Orders as agents list: latest first; equal times by path, so that the order never depends on luck. */
export function byLastMessage(a: SessionSummary, b: SessionSummary): number {
  if (a.modified < b.modified) return 1;
  if (a.modified > b.modified) return -1;
  return a.path < b.path ? -1 : 1;
}

/** Returns whether a session is one of those that a selection is about, but for `last` and `shard`. */
export function fits(summary: SessionSummary, selection: Selection): boolean {
  const { formatVersion, named, model, withoutWork, maxMessages } = selection;
  return (
    isOf(summary, selection) &&
    (formatVersion === undefined || summary.formatVersion === formatVersion) &&
    (selection.source === undefined || summary.source === selection.source) &&
    (selection.state === undefined || fitsState(summary, selection.state)) &&
    fitsExpiry(summary, selection) &&
    (named === undefined || (summary.name !== null && named(summary.name))) &&
    (model === undefined || summary.models.some(model)) &&
    (withoutWork !== true || (summary.workCount === 0 && summary.name === null)) &&
    (maxMessages === undefined || summary.messageCount <= maxMessages) &&
    fitsTimes(summary, selection) &&
    isBetween(summary.size, selection.largerThan, selection.smallerThan)
  );
}

/** A session of an agent that archives none is active. */
function fitsState({ archived = false }: SessionSummary, state: State): boolean {
  return archived === (state === 'archived');
}

/** Sessions that their agent keeps for ever do not expire. */
function fitsExpiry({ expires }: SessionSummary, { expiringBefore }: Selection): boolean {
  if (expiringBefore === undefined) return true;
  return expires !== undefined && Date.parse(expires) <= expiringBefore;
}

function fitsTimes(summary: SessionSummary, selection: Selection): boolean {
  const { activeAfter, activeBefore, startedAfter, startedBefore } = selection;
  const isTimed = activeAfter !== undefined || activeBefore !== undefined;
  // A listing shows when somebody last said something, as agents do; a name or a command is a use as well.
  if (isTimed && !isBetween(getActivity(summary), activeAfter, activeBefore)) return false;
  if (startedAfter === undefined && startedBefore === undefined) return true;
  const started = Date.parse(summary.created ?? '');
  // A session whose start is unknown, or a slip of a clock, is neither before nor after any date.
  return isLikelyTime(started) && isBetween(started, startedAfter, startedBefore);
}

/** Returns whether a session is of an agent and a project, where one is asked for. */
export function isOf(
  session: { readonly agent: string; readonly cwd: string },
  { agent, project }: Pick<Selection, 'agent' | 'project'>,
): boolean {
  return (
    (agent === undefined || session.agent === agent) &&
    (project === undefined || isInside(session.cwd, project))
  );
}

/** Returns whether a number is between two bounds, each of which may be missing; NaN is only where both are. */
export function isBetween(
  value: number,
  above: number | undefined,
  below: number | undefined,
): boolean {
  return (above === undefined || value > above) && (below === undefined || value < below);
}
