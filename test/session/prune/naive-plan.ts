import type { Candidate } from '../../../src/session/prune/candidate.ts';
import type { Policy } from '../../../src/session/prune/policy.ts';

/**
 * The policy reckoned once more, straight from docs/prune.md and as slowly as one likes: no shared
 * code, no clever order. Without folders and budgets. Returns the paths that are kept.
 */
export function planNaively(
  sessions: readonly Candidate[],
  policy: Policy,
  now: number,
): ReadonlySet<string> {
  const related = (a: Candidate, b: Candidate) =>
    a.path === b.path ||
    a.parentSessionPath === b.path ||
    b.parentSessionPath === a.path ||
    (a.parentSessionPath !== null && a.parentSessionPath === b.parentSessionPath);
  const lineageOf = (one: Candidate): readonly Candidate[] => {
    let lineage = [one];
    for (;;) {
      const more = sessions.filter((other) => lineage.some((member) => related(member, other)));
      if (more.length === lineage.length) return lineage;
      lineage = more;
    }
  };
  const activity = (one: Candidate) => Math.max(...lineageOf(one).map((other) => other.modified));
  const latest = (one: Candidate) => Math.max(one.modified, one.fileModified);
  const isFuture = (one: Candidate) => latest(one) > now + 60_000;
  const counted = sessions.filter((one) => one.selected && !one.obstacle && !isFuture(one));
  const rivals = (one: Candidate) => counted.filter((other) => groupOf(other) === groupOf(one));
  const groupOf = (one: Candidate) =>
    ({ project: one.cwd, agent: one.agent, none: '' })[policy.groupBy];
  const isNewer = (a: Candidate, b: Candidate) =>
    a.modified > b.modified || (a.modified === b.modified && a.path < b.path);

  const keptByRank = (one: Candidate) =>
    Object.entries(policy.keep.periods).some(([period, count]) => {
      const label = (other: Candidate) => nameOf(period, other);
      const newer = rivals(one).filter((other) => isNewer(other, one));
      if (newer.some((other) => label(other) === label(one))) return false;
      return new Set(newer.map(label)).size < count;
    });
  const isWithin = (one: Candidate) => {
    const { within } = policy.keep;
    const newest = Math.max(...rivals(one).map((other) => other.modified));
    return !!within && activity(one) >= within.before(newest);
  };
  const keptByTime = (one: Candidate) =>
    lineageOf(one).some((other) => counted.includes(other) && isWithin(other));
  const keptByTimeAndRank = (one: Candidate) =>
    Object.entries(policy.keep.withinPeriods).some(([period, span]) => {
      if (!span) return false;
      const limit = span.before(Math.max(...rivals(one).map((other) => other.modified)));
      const newer = rivals(one).filter((other) => isNewer(other, one));
      const isFirst = newer.every((other) => nameOf(period, other) !== nameOf(period, one));
      return one.modified >= limit && isFirst;
    });
  const isKept = (one: Candidate) =>
    !one.selected ||
    one.obstacle !== undefined ||
    latest(one) > now - policy.grace ||
    policy.keep.paths.has(one.path) ||
    (policy.activeBefore !== undefined && activity(one) >= policy.activeBefore.value) ||
    (policy.keep.named && one.name !== null) ||
    (policy.keep.labeled && (one.labelCount ?? 1) > 0) ||
    keptByRank(one) ||
    keptByTimeAndRank(one) ||
    keptByTime(one);

  const kept = new Set(sessions.filter(isKept).map(({ path }) => path));
  addParents(sessions, kept, policy);
  const readable = sessions.filter((one) => !one.obstacle);
  if (!policy.allowEmpty && readable.length > 0 && !readable.some(({ path }) => kept.has(path))) {
    const newest = readable.reduce((best, one) => (isNewer(one, best) ? one : best));
    kept.add(newest.path);
    addParents(sessions, kept, policy);
  }
  return kept;
}

function addParents(sessions: readonly Candidate[], kept: Set<string>, policy: Policy): void {
  for (let size = -1; !policy.includeParents && size !== kept.size;) {
    size = kept.size;
    for (const one of sessions) {
      const parent = one.parentSessionPath;
      if (parent !== null && kept.has(one.path)) {
        if (sessions.some(({ path }) => path === parent)) kept.add(parent);
      }
    }
  }
}

/** By the calendar as `Intl` writes it, and weeks by walking back to Monday. */
function nameOf(period: string, { modified, path }: Candidate): string {
  const date = new Date(modified);
  const text = (length: number) =>
    `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')} ${String(date.getHours()).padStart(2, '0')}`.slice(
      0,
      length,
    );
  if (period === 'last') return path;
  if (period === 'weekly') {
    while (date.getDay() !== 1) date.setDate(date.getDate() - 1);
    return date.toDateString();
  }
  return text({ hourly: 13, daily: 10, monthly: 7, yearly: 4 }[period] ?? 0);
}
