import { join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { type ArchivedState, listMoments, toStateAsOf } from '../../archive/choose-states.ts';
import type { ArchivedSession } from '../../archive/index/archive-index.ts';
import { EntryIds, isNamedByFile } from './common-entries.ts';

/**
 * Finds the states that are left out where the last one of each name is restored, and that are of other
 * sessions: no entry of one is in another that is restored or found. Of each such session the last is given.
 */
export async function findOmitted(
  directory: string,
  chosen: readonly ArchivedState[],
  asOf = Number.POSITIVE_INFINITY,
): Promise<readonly FileError[]> {
  const found: FileError[] = [];
  for (const { session, others } of chosen) {
    if (others.length === 0 || !isNamedByFile(session)) continue;
    const ids = new EntryIds(directory);
    const known = [session];
    for (const other of others.toReversed()) {
      if (!toStateAsOf(other, asOf)) continue;
      try {
        if (await isOfOne(ids, known, other)) continue;
        known.push(other);
        found.push(toProblem(directory, other));
      } catch (error) {
        if (!(error instanceof FileError)) throw error;
        found.push(error);
      }
    }
  }
  return found;
}

async function isOfOne(ids: EntryIds, known: readonly ArchivedSession[], other: ArchivedSession) {
  for (const one of known) if (await ids.areShared(one, other)) return true;
  return false;
}

function toProblem(directory: string, { member, facts, archivedAt }: ArchivedSession): FileError {
  const how = `--restore ${facts.id} --as-of ${listMoments([archivedAt])} --store <other directory>`;
  const message = `not restored: another session has its name and path; restore it with ${how}`;
  return new FileError(join(directory, member), 'EEXIST', message);
}
