import type { SessionSummary } from '../summary.ts';
import { addTo } from './group-by.ts';
import { findParents, type Fork, ParentIndex } from './parents.ts';

/** A session among its forks. */
export interface LineageStep {
  readonly summary: SessionSummary;
  /** 0 for a session that is not a fork of another one here. */
  readonly depth: number;
}

/** Every session once: each followed by its forks, in the given order. Safe if forks go in circles. */
export function walkLineages(
  summaries: readonly SessionSummary[],
  parents = findParents(summaries),
): readonly LineageStep[] {
  const forks = new Map<string | null, SessionSummary[]>();
  for (const summary of summaries) addTo(forks, parents.get(summary.path) ?? null, summary);
  const steps: LineageStep[] = [];
  const seen = new Set<SessionSummary>();
  // Sessions that fork each other in a circle have no root: any of them will do.
  for (const root of [...(forks.get(null) ?? []), ...summaries]) {
    const stack: LineageStep[] = [{ summary: root, depth: 0 }];
    for (let step = stack.pop(); step; step = stack.pop()) {
      if (seen.has(step.summary)) continue;
      seen.add(step.summary);
      steps.push(step);
      const depth = step.depth + 1;
      const children = forks.get(step.summary.path) ?? [];
      for (const summary of children.toReversed()) stack.push({ summary, depth });
    }
  }
  return steps;
}

/** Forks of one parent, and the sessions of which one is that parent. */
export interface Family<T> {
  readonly parents: readonly T[];
  readonly forks: readonly T[];
}

/** Groups forks with their possible parents. A walk must remember where it was: forks may form a circle. */
export function findFamilies<T extends Fork>(sessions: readonly T[]): readonly Family<T>[] {
  const known = new ParentIndex(sessions);
  const forks = new Map<string, T[]>();
  for (const session of sessions) {
    if (session.parentSessionPath === null && session.otherParents === undefined) continue;
    const paths = [session.parentSessionPath ?? [], session.otherParents ?? []].flat();
    for (const parent of new Set(paths.map((path) => known.toKey(path)))) {
      addTo(forks, parent, session);
    }
  }
  return [...forks].flatMap(([parent, some]) => {
    const parents = known.get(parent);
    return parents.length > 0 ? [{ parents, forks: some }] : [];
  });
}
