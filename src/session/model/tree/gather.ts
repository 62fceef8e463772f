import type { Relations, SessionSummary, Subagent } from '../summary.ts';
import { addUsage } from '../usage.ts';
import { nameCopies } from './copies.ts';
import { addTo, groupBy } from './group-by.ts';
import { byStart } from './by-start.ts';
import { createChooser } from './parents.ts';
import { joinUsages } from './pack-usages.ts';

export interface GatherOptions {
  /** Whether sub-agents whose session is here are sessions of their own, too. */
  readonly keepsSubagents: boolean;
  /** Paths of files that were asked for by name: they are shown, whatever they belong to. */
  readonly explicit: ReadonlySet<string>;
}

type Related = SessionSummary & { readonly relations: Relations };

/**
 * Makes sessions of the summaries of files, in their order: several files of one session are one, with
 * the latest file; sub-agents stand below their session; a fork names the file of its parent. Summaries
 * of agents whose files stand alone are as they were, but for parents that only their lines show.
 */
export function gatherSessions(
  found: readonly SessionSummary[],
  { keepsSubagents, explicit }: GatherOptions,
): readonly SessionSummary[] {
  const summaries = nameCopies(found);
  const related = summaries.filter(isRelated);
  if (related.length === 0) return summaries;
  const byFileId = groupBy(related, ({ relations }) => relations.fileId);
  const latest = new Map<SessionSummary, SessionSummary>();
  const hidden = new Set<string>();
  for (const files of groupById(related).values()) {
    const whole = mergeFiles(files, byFileId);
    latest.set(whole.from, whole.summary);
    for (const { path } of files) {
      if (path !== whole.from.path && !explicit.has(path)) hidden.add(path);
    }
  }
  const sessions = summaries
    .filter(({ path }) => !hidden.has(path))
    .map((one) => latest.get(one) ?? one);
  const named = nameParents(sessions);
  return keepsSubagents ? named : attachSubagents(named, explicit);
}

function isRelated(summary: SessionSummary): summary is Related {
  return summary.relations !== undefined;
}

/** Files of one session, each known by another id. A copy of a file is a session of its own. */
function groupById(related: readonly Related[]): ReadonlyMap<string, readonly Related[]> {
  const groups = new Map<string, Related[]>();
  for (const one of related) {
    const { fileId } = one.relations;
    const key = `${one.agent}:${one.id}`;
    const group = groups.get(key);
    const isCopy =
      fileId === one.path || group?.some(({ relations }) => relations.fileId === fileId);
    if (isCopy === true) groups.set(`${key}:${one.path}`, [one]);
    else addTo(groups, key, one);
  }
  return groups;
}

/** One session of several files, as its latest file says, with what all of them hold. */
function mergeFiles(
  files: readonly Related[],
  byFileId: ReadonlyMap<string, readonly Related[]>,
): { readonly from: Related; readonly summary: SessionSummary } {
  const sorted = files.toSorted((a, b) => (toOrder(a) < toOrder(b) ? -1 : 1));
  const [first] = sorted;
  const from = sorted.at(-1);
  if (!from || !first) throw new TypeError('a group of files is never empty');
  const usage = sorted.flatMap((one) => one.usage ?? []);
  // The file that a revert of a fork has made need not say that it is one.
  const fork = sorted.findLast(({ relations }) => relations.forkOf !== undefined) ?? from;
  const summary: SessionSummary = {
    ...from,
    relations: { ...from.relations, forkOf: fork.relations.forkOf },
    parentSessionPath: from.parentSessionPath ?? fork.parentSessionPath,
    name: from.name ?? sorted.findLast(({ name }) => name !== null)?.name ?? null,
    created: first.created,
    size: sum(sorted, ({ size }) => size),
    messageCount: from.messageCount + countInherited(from, byFileId),
    entryCount: sum(sorted, ({ entryCount }) => entryCount),
    leafCount: sum(sorted, (one) => one.leafCount - (endsInside(one, sorted) ? 1 : 0)),
    compactionCount: sum(sorted, ({ compactionCount }) => compactionCount),
    models: [...new Set(sorted.flatMap(({ models }) => models))],
    files: sorted.map(({ path }) => path),
    ...(from.usage && { usage: usage.reduce(addUsage), ...joinUsages(sorted) }),
  };
  return { from, summary };
}

function sum(files: readonly Related[], get: (file: Related) => number): number {
  return files.reduce((total, file) => total + get(file), 0);
}

/** Returns whether another file continues from behind the last message of this one, so that no branch ends here. */
function endsInside({ relations }: Related, files: readonly Related[]): boolean {
  const last = relations.messagesAt.at(-1) ?? -1;
  return files.some(({ relations: { base } }) => base?.id === relations.fileId && last < base.end);
}

/** Orders files by their start; the file that a revert made has a name that sorts behind. */
function toOrder({ created, path }: Related): string {
  return `${created ?? ''}\0${path}`;
}

/** Messages of the files that a file continues from, each up to where it is left. */
function countInherited(from: Related, byFileId: ReadonlyMap<string, readonly Related[]>): number {
  let count = 0;
  const seen = new Set<Related>([from]);
  for (let { base } = from.relations; base;) {
    const file = createChooser(byFileId.get(base.id) ?? [])(from.path);
    if (!file || seen.has(file)) break;
    seen.add(file);
    const { end } = base;
    count += file.relations.messagesAt.filter((at) => at < end).length;
    ({ base } = file.relations);
  }
  return count;
}

function nameParents(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  const byId = groupBy(sessions, ({ agent, id }) => `${agent}:${id}`);
  return sessions.map((one) => {
    const named = one.relations?.forkOf;
    const parents = named === undefined ? [] : (byId.get(`${one.agent}:${named}`) ?? []);
    const parent = createChooser(parents)(one.path);
    return parent ? { ...one, parentSessionPath: parent.path } : one;
  });
}

/** Sub-agents below the session that began them, or the one that began that, at any depth. */
function attachSubagents(
  sessions: readonly SessionSummary[],
  explicit: ReadonlySet<string>,
): readonly SessionSummary[] {
  const byId = new Map(sessions.map((one) => [`${one.agent}:${one.id}`, one]));
  const below = new Map<SessionSummary, Subagent[]>();
  const attached = new Set<SessionSummary>();
  for (const one of sessions) {
    const root = findStarter(one, byId);
    if (!root) continue;
    addTo(below, root, toSubagent(one, describeSubagent(one)));
    if (!explicit.has(one.path)) attached.add(one);
  }
  return sessions.flatMap((one) => {
    if (attached.has(one)) return [];
    const subagents = below.get(one);
    return subagents ? { ...one, subagents: subagents.toSorted(byStart) } : one;
  });
}

function findStarter(
  session: SessionSummary,
  byId: ReadonlyMap<string, SessionSummary>,
): SessionSummary | undefined {
  const seen = new Set([session]);
  let found: SessionSummary | undefined;
  for (let id = session.relations?.startedBy; id !== undefined; id = found.relations?.startedBy) {
    const next = byId.get(`${session.agent}:${id}`);
    if (!next || seen.has(next)) break;
    seen.add(next);
    found = next;
  }
  return found;
}

/** Makes a sub-agent of the summary of its file, and of what is known of it elsewhere. */
export function toSubagent(
  summary: Omit<SessionSummary, 'unread' | 'lastWritten'>,
  known: Pick<Subagent, 'id' | 'type' | 'description' | 'callId'>,
): Subagent {
  const { path, created, modified, messageCount, models, size } = summary;
  const { entryCount, leafCount, compactionCount } = summary;
  const { usage, entryUsages, packedUsages } = summary;
  return {
    path,
    ...known,
    created,
    modified,
    messageCount,
    entryCount,
    leafCount,
    compactionCount,
    models,
    size,
    ...(usage && { usage }),
    ...(entryUsages && { entryUsages }),
    ...(packedUsages && { packedUsages }),
  };
}

function describeSubagent({
  id,
  name,
  firstMessage,
  relations,
}: SessionSummary): Parameters<typeof toSubagent>[1] {
  const type = relations?.subagentType ?? null;
  return { id, type, description: name ?? relations?.subagentName ?? firstMessage, callId: null };
}
