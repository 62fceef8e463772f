import type { SessionSummary } from '../../session/model/summary.ts';
import { describeUnread, getLatest } from '../../session/read/summaries/unread.ts';
import { WorkingDirectories } from '../sessions/working-directories.ts';
import { fits, type Selection } from '../select/selection.ts';

/** The answer of the selectors, except those by age, about one session. */
export interface Judgement {
  readonly selected: boolean;
  /** The reason why they could not be asked, if the known facts do not rule the session out. */
  readonly unjudged?: string | undefined;
}

/** Selectors, but for those by age, which are of whole lineages. */
export interface PruneSelection extends Omit<Selection, 'activeBefore' | 'activeAfter' | 'shard'> {
  readonly missingCwd: boolean;
  /** Selects sessions with lines that could not be read, too, by what their header says. */
  readonly includeDamaged: boolean;
}

type Criterion = keyof Omit<PruneSelection, 'last' | 'missingCwd' | 'includeDamaged'>;

/** The source of the fact that each selector needs. */
const SOURCES: Readonly<Record<Criterion, 'file' | 'header' | 'entries'>> = {
  agent: 'file',
  largerThan: 'file',
  smallerThan: 'file',
  expiringBefore: 'file',
  project: 'header',
  startedBefore: 'header',
  startedAfter: 'header',
  formatVersion: 'header',
  source: 'entries',
  state: 'file',
  named: 'entries',
  model: 'entries',
  withoutWork: 'entries',
  maxMessages: 'entries',
};

/**
 * Asks the selectors about each session; those that can be meant, by path. A fact that was not read
 * is not a fact: a session of which a selector would need one is not selected, but has its place
 * among the last n.
 */
export async function judgeSessions(
  summaries: readonly SessionSummary[],
  selection: PruneSelection,
): Promise<ReadonlyMap<string, Judgement>> {
  const directories = new WorkingDirectories();
  const possible: { readonly summary: SessionSummary; readonly judgement: Judgement }[] = [];
  for (const summary of summaries) {
    const judgement = await judge(summary, selection, directories);
    if (judgement) possible.push({ summary, judgement });
  }
  possible.sort(
    ({ summary: a }, { summary: b }) => getLatest(b) - getLatest(a) || (a.path < b.path ? -1 : 1),
  );
  const chosen = possible.slice(0, selection.last);
  return new Map(chosen.map(({ summary, judgement }) => [summary.path, judgement]));
}

/** A listing counts what is on the current path: here the messages of every branch and part count. */
function toWhole(summary: SessionSummary): SessionSummary {
  const { messageCount, userMessageCount } = summary;
  return { ...summary, messageCount: Math.max(messageCount, userMessageCount) };
}

/** Undefined for a session that a fact rules out. */
async function judge(
  summary: SessionSummary,
  { last: _last, missingCwd, includeDamaged, ...criteria }: PruneSelection,
  directories: WorkingDirectories,
): Promise<Judgement | undefined> {
  const doubts = new Set<string>();
  for (const [name, wanted] of Object.entries(criteria)) {
    if (wanted === undefined) continue;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of an object of ours
    const source = SOURCES[name as Criterion];
    const doubt = describeUnread(summary, source, includeDamaged);
    if (doubt !== undefined) doubts.add(doubt);
    else if (!fits(toWhole(summary), { [name]: wanted })) return undefined;
  }
  if (criteria.project !== undefined) {
    const doubt = await directories.doubtProject(summary, criteria.project);
    if (doubt !== undefined) doubts.add(doubt);
  }
  if (missingCwd) {
    const doubt = describeUnread(summary, 'header', false);
    const found = doubt === undefined ? await directories.findMissing(summary) : [doubt];
    if (found === 'there') return undefined;
    for (const reason of found) doubts.add(reason);
  }
  return doubts.size === 0
    ? { selected: true }
    : { selected: false, unjudged: [...doubts].join(', ') };
}
