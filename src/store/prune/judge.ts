import type { AgentWorld } from '../../session/dialect/surroundings/world.ts';
import type { SessionSummary } from '../../session/model/summary.ts';
import { describeUnread, type FactSource } from '../../session/read/summaries/unread.ts';
import { WorkingDirectories } from '../sessions/working-directories.ts';
import { requireFacts } from '../select/require-facts.ts';
import { byLastLine, fits, type Selection } from '../select/selection.ts';

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
const SOURCES: Readonly<Record<Criterion, FactSource>> = {
  agent: 'file',
  largerThan: 'file',
  smallerThan: 'file',
  expiringBefore: 'file',
  project: 'header',
  startedBefore: 'start',
  startedAfter: 'start',
  formatVersion: 'header',
  source: 'entries',
  state: 'state',
  named: 'entries',
  model: 'entries',
  withoutWork: 'entries',
  maxMessages: 'entries',
};

/** A session that the selectors may mean. */
interface Possible {
  readonly summary: SessionSummary;
  readonly judgement: Judgement;
}

/**
 * Asks the selectors about each session; those that can be meant, by path. A fact that was not read
 * is not a fact: a session of which a selector would need one is not selected, but has its place
 * among the last n.
 * @throws UsageError for a selector about what no agent of them has.
 */
export async function judgeSessions(
  summaries: readonly SessionSummary[],
  selection: PruneSelection,
  world: AgentWorld,
): Promise<ReadonlyMap<string, Judgement>> {
  requireFacts(summaries, selection);
  const directories = new WorkingDirectories(world);
  const wanted = toWanted(selection);
  const possible: Possible[] = [];
  for (const summary of summaries) {
    const judgement = await judge(summary, wanted, directories);
    if (judgement) possible.push({ summary, judgement });
  }
  if (selection.last !== undefined) possible.sort((a, b) => byLastLine(a.summary, b.summary));
  const chosen = possible.slice(0, selection.last);
  return new Map(chosen.map(({ summary, judgement }) => [summary.path, judgement]));
}

/** A listing counts what is on the current path: here the messages of every branch and part count. */
function toWhole(summary: SessionSummary): SessionSummary {
  const { messageCount, branchMessageCount = 0, userMessageCount } = summary;
  const all = Math.max(messageCount, branchMessageCount, userMessageCount);
  return all === messageCount ? summary : { ...summary, messageCount: all };
}

interface Wanted extends Pick<PruneSelection, 'missingCwd' | 'includeDamaged' | 'project'> {
  /** The selectors that were given, each with the source of the fact that it needs. */
  readonly criteria: readonly {
    readonly source: (typeof SOURCES)[Criterion];
    readonly selection: Selection;
  }[];
}

function toWanted({
  last: _last,
  missingCwd,
  includeDamaged,
  ...criteria
}: PruneSelection): Wanted {
  const given = Object.entries(criteria).filter(([, wanted]) => wanted !== undefined);
  return {
    missingCwd,
    includeDamaged,
    project: criteria.project,
    criteria: given.map(([name, wanted]) => ({
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys of an object of ours
      source: SOURCES[name as Criterion],
      selection: { [name]: wanted },
    })),
  };
}

const SURE: Judgement = { selected: true };

/** Undefined for a session that a fact rules out. */
async function judge(
  summary: SessionSummary,
  { missingCwd, includeDamaged, project, criteria }: Wanted,
  directories: WorkingDirectories,
): Promise<Judgement | undefined> {
  const doubts = new Set<string>();
  for (const { source, selection } of criteria) {
    const doubt = describeUnread(summary, source, includeDamaged);
    if (doubt !== undefined) doubts.add(doubt);
    else if (!fits(toWhole(summary), selection)) return undefined;
  }
  if (project !== undefined) {
    const doubt = await directories.doubtProject(summary, project);
    if (doubt !== undefined) doubts.add(doubt);
  }
  if (missingCwd) {
    const doubt = describeUnread(summary, 'header', false);
    const found = doubt === undefined ? await directories.findMissing(summary) : [doubt];
    if (found === 'there') return undefined;
    for (const reason of found) doubts.add(reason);
  }
  return doubts.size === 0 ? SURE : { selected: false, unjudged: [...doubts].join(', ') };
}
