import { join } from 'node:path';
import { type Candidate, isDamaged } from '../../../session/prune/candidate.ts';
import { listCwds, listOtherCwds, type SessionSummary } from '../../../session/model/summary.ts';
import { describeUnread } from '../../../session/read/summaries/unread.ts';
import type { SessionFiles } from '../../sessions/session-files.ts';
import type { FoundPrunable } from '../../sessions/units/unit.ts';
import { NO_PATHS } from '../../../session/model/paths.ts';
import type { SessionPaths } from './session-paths.ts';

/** Finds the sessions among the files of one. */
export function findParts(
  files: SessionFiles | undefined,
  known: SessionPaths,
): ReadonlySet<string> | undefined {
  if (!files || files.files.length < 2) return files && NO_PATHS;
  return new Set(listBeside(files).flatMap((path) => known.find(path) ?? []));
}

/**
 * Lets a session be as active as the latest of the sessions in its folder, such as its sub-agents, and as damaged as any
 * of them. A time in the future gives no place among the last. `named`: stores that may be in such a folder.
 */
export function countParts<T extends { readonly candidate: Candidate }>(
  found: readonly T[],
  { now, named }: { readonly now: number; readonly named: readonly string[] },
): readonly T[] {
  if (found.every(({ candidate: { parts } }) => (parts?.size ?? 0) === 0)) return found;
  const known = new Map(found.map(({ candidate }) => [candidate.path, candidate]));
  return found.map((one) => {
    const { candidate } = one;
    const parts = [...(candidate.parts ?? NO_PATHS)].flatMap((path) => known.get(path) ?? []);
    if (parts.length === 0) return one;
    const times = parts.map(({ modified }) => modified).filter((time) => time <= now);
    const modified = times.reduce((a, b) => Math.max(a, b), candidate.modified);
    const hasDamagedPart = parts.some(isDamaged);
    const [outermost, ...inner] = candidate.stores;
    const around = parts.flatMap((part) => part.stores).filter((store) => named.includes(store));
    const others = new Set([...inner, ...around].filter((store) => store !== outermost));
    const stores = [outermost, ...others] as const;
    return { ...one, candidate: { ...candidate, stores, modified, hasDamagedPart } };
  });
}

/** The paths of the files that a session has beside its own. */
function listBeside({ root, files }: SessionFiles): readonly string[] {
  return files.slice(1).map(({ name }) => join(root, name));
}

/**
 * Counts the work in sidecars for their session, which then is not empty, and the prompts, the unknown entries and the
 * directories of sessions among them, such as its sub-agents. Images, rejected lines and logs of unknown agents count as
 * work; so does work that was not read.
 */
export function addBeside(
  read: readonly FoundPrunable[],
  known: SessionPaths,
): readonly FoundPrunable[] {
  if (read.every(({ files }) => (files?.files.length ?? 0) < 2)) return read;
  const isWorking = (one: SessionSummary): boolean =>
    one.workCount > 0 || describeUnread(one, 'entries') !== undefined;
  const idle = new Set(
    read.flatMap(({ file, summary }) => (summary && !isWorking(summary) ? [file.path] : [])),
  );
  const byPath = new Map(read.map(({ file, summary }) => [file.path, summary]));
  return read.map((one) => {
    const { summary, files } = one;
    if (!summary || !files) return one;
    const beside = listBeside(files).map((path) => known.find(path) ?? path);
    if (beside.length === 0) return one;
    const work = beside.filter((path) => !idle.has(path)).length;
    const parts = beside.flatMap((path) => byPath.get(path) ?? []);
    const workCount = summary.workCount + work;
    const all = [summary, ...parts];
    const userMessageCount = all.reduce((sum, part) => sum + part.userMessageCount, 0);
    const entries = all.reduce((sum, part) => sum + part.unread.entries, 0);
    const counts = { workCount, userMessageCount, unread: { ...summary.unread, entries } };
    return { ...one, summary: { ...summary, ...counts, ...listDirectories(summary, parts) } };
  });
}

/** The directories of a session besides its own, and those of its parts. */
function listDirectories(
  session: SessionSummary,
  parts: readonly SessionSummary[],
): Pick<SessionSummary, 'otherCwds'> {
  const all = [session, ...parts].flatMap(listCwds);
  return listOtherCwds(session.cwd, all);
}
