import { join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { REFERRED, toUnreadReason } from '../../../session/prune/referrers.ts';
import type { ArchivedSession } from '../../archive/index/archive-index.ts';
import { readManifest } from '../../archive/member/read-member.ts';
import { listAbove } from '../../../session/model/paths.ts';
import { orFileError } from '../../../session/jsonl/files/file-error.ts';
import { listFlatLogs, listNamedFolders } from '../../sessions/sidecars/folder-search.ts';
import { ArchivedFolders, type Referable } from './archived-folders.ts';
import { listLogIds, listSharers } from './archived-logs.ts';

/** The states of one session, as they were decided about. */
export interface SplitStates {
  readonly kept: readonly ArchivedSession[];
  readonly removed: readonly ArchivedSession[];
}

/**
 * Finds the states that are kept after all, with the reason of each, by member: those that alone have files
 * which the lines of a kept state name, of this session or of another. `undescribed`: a kept member that may name any.
 */
export async function findReferredStates(
  directory: string,
  sessions: readonly SplitStates[],
  {
    signal,
    undescribed,
  }: { readonly signal: AbortSignal; readonly undescribed: string | undefined },
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  const folders = new ArchivedFolders(await listLostFolders(directory, sessions));
  if (folders.keys.length === 0) return found;
  const lost = new Set(folders.keys);
  const open = sessions.flatMap(({ kept }) => kept.map(({ member }) => member));
  if (undescribed !== undefined) {
    for (const one of lost) found.set(one, toUnreadReason(undescribed));
    open.push(...lost);
  }
  // A list that grows is walked to its end.
  for (const member of open) {
    signal.throwIfAborted();
    const named = await folders.findNamed(join(directory, member));
    const isUnread = named instanceof Error;
    const reason = isUnread ? toUnreadReason(join(directory, member)) : REFERRED;
    for (const one of isUnread ? lost : named) {
      if (found.has(one)) continue;
      found.set(one, reason);
      open.push(one);
    }
  }
  return found;
}

/** Lists by member what lines may name of the files that no kept state of its session has. */
async function listLostFolders(
  directory: string,
  sessions: readonly SplitStates[],
): Promise<ReadonlyMap<string, Referable>> {
  const lost = new Map<string, Referable>();
  const ids = listLogIds(sessions.flatMap(({ kept }) => kept));
  const read = ({ member }: ArchivedSession) =>
    orFileError(() => readManifest(join(directory, member)));
  for (const { kept, removed } of sessions) {
    if (removed.length === 0) continue;
    const known = new Set<string>();
    for (const state of kept) {
      const manifest = await read(state);
      if (!(manifest instanceof FileError)) for (const { name } of manifest.files) known.add(name);
    }
    for (const state of removed) {
      const manifest = await read(state);
      if (manifest instanceof FileError) continue;
      const [own, ...others] = manifest.files;
      const files = others.filter(({ name }) => !known.has(name));
      const above = new Set(files.flatMap(({ name }) => [...listAbove(name)]));
      const directories = manifest.directories.filter(({ name }) => above.has(name));
      const names = { files: own ? [own, ...files] : [], directories };
      const nameable = listNamedFolders(manifest.agent, names);
      const logs = listFlatLogs(manifest.agent, names);
      const path = join(directory, state.member);
      const sharers = await listSharers(path, manifest, logs, ids);
      if (nameable.length > 0) lost.set(state.member, { nameable, sharers });
    }
  }
  return lost;
}
