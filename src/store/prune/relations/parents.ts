import { getDialect } from '../../../session/agents/index.ts';
import type { SessionSummary } from '../../../session/model/summary.ts';
import { nameCopies } from '../../../session/model/tree/copies.ts';
import { groupBy } from '../../../session/model/tree/group-by.ts';
import { toParentKey } from '../../../session/model/tree/parents.ts';
import { getRealPath, orPath } from '../../files/stat-file.ts';
import type { FoundPrunable } from '../../sessions/units/unit.ts';

/** Parents that the lines of copies show, and all that have the id of one. */
export function nameParents(read: readonly FoundPrunable[]): readonly FoundPrunable[] {
  const summaries = read.flatMap(({ summary }) => summary ?? []);
  const parents = forgetUnsureStarts(nameTwins(nameCopies(summaries)));
  if (parents === summaries) return read;
  const named = new Map(parents.map((one, index) => [summaries[index], one]));
  return read.map((one) => {
    const summary = one.summary && named.get(one.summary);
    return summary && summary !== one.summary ? { ...one, summary } : one;
  });
}

/** Takes the start from sessions of which nothing shows whether they are forks: one starts where its copied lines end. */
function forgetUnsureStarts(summaries: readonly SessionSummary[]): readonly SessionSummary[] {
  const unsure = new Set(
    summaries.flatMap(({ path, possibleForks = [] }) =>
      possibleForks.length > 0 ? [path, ...possibleForks] : [],
    ),
  );
  if (unsure.size === 0) return summaries;
  return summaries.map((one) => {
    const unread = { ...one.unread, start: true };
    return unsure.has(one.path) ? { ...one, created: null, unread } : one;
  });
}

/**
 * Adds to the parents of forks the other sessions of the same id, where forks name no more than that: the lines may be
 * from any of them, such as the one in a project that has moved.
 */
function nameTwins(summaries: readonly SessionSummary[]): readonly SessionSummary[] {
  const namesIds = ({ agent }: SessionSummary): boolean =>
    getDialect(agent).places.namesParentsById === true;
  const listParents = ({ parentSessionPath, otherParents = [] }: SessionSummary) =>
    parentSessionPath === null ? otherParents : [parentSessionPath, ...otherParents];
  if (!summaries.some((one) => namesIds(one) && listParents(one).length > 0)) return summaries;
  const byId = groupBy(
    summaries.filter(namesIds),
    ({ agent, id }) => `${agent}:${toParentKey(id)}`,
  );
  return summaries.map((one) => {
    const parents = namesIds(one) ? listParents(one) : [];
    if (parents.length === 0) return one;
    const twins = parents.flatMap((path) => byId.get(`${one.agent}:${toParentKey(path)}`) ?? []);
    const all = new Set([...parents, ...twins.map(({ path }) => path)]);
    all.delete(one.path);
    if (all.size === parents.length) return one;
    const [parentSessionPath = null, ...otherParents] = all;
    return { ...one, parentSessionPath, otherParents };
  });
}

/** The session that one is a fork of; where none was read by that path, it may be a link to one. */
export function findParent(path: string, known: ReadonlySet<string>): string {
  return known.has(path) ? path : orPath(getRealPath, path);
}
