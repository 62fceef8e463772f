import { join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { addTo, groupBy } from '../../../session/model/tree/group-by.ts';
import { BASE_KEPT } from '../../../session/prune/decide-removals.ts';
import type { Dependent } from '../../../session/prune/policy.ts';
import { REFERRED, toUnreadReason } from '../../../session/prune/referrers.ts';
import type { ArchivedSession } from '../../archive/index/archive-index.ts';
import { toSessionKey } from '../../archive/member/manifest.ts';
import { ArchivedBases } from './archived-bases.ts';
import { ArchivedFolders } from './archived-folders.ts';

/**
 * Finds which of the states that are to leave an archive go before each other one, by member: those of sessions that
 * continue from its session, or whose lines name files of that. One of them that is left after all needs it.
 */
export async function findDependents(
  directory: string,
  leaving: readonly ArchivedSession[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, readonly Dependent[]>> {
  const states = groupBy(leaving, ({ facts }) => toSessionKey(facts));
  const found = new Map<string, Dependent[]>();
  if (states.size < 2) return found;
  const bases = new ArchivedBases(directory, states);
  const folders = await ArchivedFolders.read(directory, states);
  for (const [key, own] of states) {
    signal.throwIfAborted();
    const add = (needed: string, reason: string): void => {
      if (needed === key) return;
      for (const { member } of states.get(needed) ?? []) {
        for (const { member: path } of own) addTo(found, member, { path, reason });
      }
    };
    for (const base of await bases.listNeeded(key)) add(base, BASE_KEPT);
    if (folders.keys.length === 0) continue;
    for (const { member } of own) {
      const path = join(directory, member);
      const named = await folders.findNamed(path);
      if (named instanceof FileError) continue;
      const isUnread = named instanceof Error;
      for (const one of isUnread ? folders.keys : named) {
        add(one, isUnread ? toUnreadReason(path) : REFERRED);
      }
    }
  }
  return found;
}
