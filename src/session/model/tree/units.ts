import type { SessionSummary } from '../summary.ts';
import { gatherSessions } from './gather.ts';
import { groupBy } from './group-by.ts';

/** A session with all of its files and sub-agents: they are removed, kept and restored together. */
export interface Unit {
  /** The session, as a listing has it. */
  readonly session: SessionSummary;
  /** The facts read from each file; those of the session's path first. */
  readonly files: readonly SessionSummary[];
  /** Paths of the sessions of other units without which this one cannot be opened. */
  readonly needs: readonly string[];
  /** Whether two files say that they are the same one. */
  readonly isDouble: boolean;
}

/**
 * Puts the files of one place together to units. `summaries` of files that are attached together with no
 * others are a unit each.
 */
export function findUnits(summaries: readonly SessionSummary[]): readonly Unit[] {
  const threads = groupBy(summaries, toKey);
  const roots = groupBy([...threads.keys()], (key) => findRoot(key, threads));
  const options = { keepsSubagents: true, explicit: new Set<string>() };
  const sessions = new Map(gatherSessions(summaries, options).map((one) => [one.path, one]));
  const drafts = [...roots].flatMap(([root, keys]) => {
    const own = (threads.get(root) ?? []).toSorted(byStart);
    const owner = own.at(-1);
    if (!owner) return [];
    const others = keys.filter((key) => key !== root).flatMap((key) => threads.get(key) ?? []);
    const files = [owner, ...own.slice(0, -1), ...others];
    return { session: sessions.get(owner.path) ?? owner, files, keys };
  });
  const owners = new Map<string, string>();
  /** The paths of units by the threads and the files in them. */
  const units = new Map<string, string>();
  for (const { session, files, keys } of drafts) {
    for (const { relations } of files) if (relations) owners.set(relations.fileId, session.path);
    for (const part of [...keys, ...files.map(({ path }) => path)]) units.set(part, session.path);
  }
  return drafts.map(({ session, files }) => {
    const ids = files.flatMap(({ relations }) => relations?.fileId ?? []);
    const bases = files.flatMap(({ relations }) => owners.get(relations?.base?.id ?? '') ?? []);
    const needs = [...new Set(bases)].filter((path) => path !== session.path);
    const isDouble = new Set(ids).size < ids.length;
    return { session: nameParents(session, files, needs, units), files, needs, isDouble };
  });
}

/** Names the units that any file of a session was forked from: a parent may be a part of one. */
function nameParents(
  session: SessionSummary,
  files: readonly SessionSummary[],
  needs: readonly string[],
  units: ReadonlyMap<string, string>,
): SessionSummary {
  if (!session.relations) return session;
  const { parentSessionPath: parent, otherParents = [] } = session;
  const named = files.flatMap(({ agent, relations }) => {
    const id = relations?.forkOf;
    return id === undefined ? [] : (units.get(`${agent}\0${id}`) ?? id);
  });
  const known = [...(parent === null ? [] : [parent]), ...otherParents];
  const all = [...known.map((path) => units.get(path) ?? path), ...named, ...needs];
  const [first = null, ...others] = new Set(all.filter((path) => path !== session.path));
  return {
    ...session,
    parentSessionPath: first,
    ...(others.length > 0 && { otherParents: others }),
  };
}

function toKey({ agent, id, path, relations }: SessionSummary): string {
  return relations ? `${agent}\0${id}` : path;
}

/** The session that began one as its sub-agent, or that began that, at any depth. */
function findRoot(key: string, threads: ReadonlyMap<string, readonly SessionSummary[]>): string {
  const seen = new Set<string>();
  let at = key;
  while (!seen.has(at)) {
    seen.add(at);
    const by = threads.get(at)?.find(({ relations }) => relations?.startedBy !== undefined);
    const above = by && `${by.agent}\0${by.relations?.startedBy}`;
    if (above === undefined || !threads.has(above)) return at;
    at = above;
  }
  // They began each other: any of them will do, as long as it is always the same.
  return [...seen].toSorted()[0] ?? key;
}

/**
 * The file that a revert has made has a name that sorts behind. A file that is known by its path alone is a copy, such as
 * one that a synchronisation has left: the session is the other one, which the agent opens.
 */
function byStart(a: SessionSummary, b: SessionSummary): number {
  const [one, other] = [a, b].map(({ created, path, relations }) => {
    const isCopy = relations?.fileId === path;
    return `${isCopy ? 0 : 1}\0${created ?? ''}\0${path}`;
  });
  return (one ?? '') < (other ?? '') ? -1 : 1;
}
