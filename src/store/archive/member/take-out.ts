import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { toFileError } from '../../../session/jsonl/files/file-error.ts';
import { syncDirectory } from '../../../session/jsonl/files/flush.ts';
import { renameFile } from '../../../session/jsonl/files/system.ts';
import { ignoreMissing, linkExclusively } from '../../../session/jsonl/write/create-file.ts';
import { readMtime } from '../../files/stat-file.ts';
import { appendToIndex } from '../index/index-file.ts';
import { toNameOfKind } from './manifest.ts';
import { attempt } from '../../files/attempt.ts';

/** A member as it was when it was decided to take it out. */
export interface RemovedMember {
  readonly member: string;
  /** Its mtime, as `readMtime` gives it. */
  readonly mtime: bigint | undefined;
}

/**
 * Takes a state that a backup has copied out of an archive, since a newer state there holds all its bytes.
 * Another run that needs the member gives it another name, and then it is kept.
 */
export async function removeCopied(
  directory: string,
  members: readonly string[],
  now: number,
): Promise<void> {
  if (members.length === 0) return;
  // The index first: a state that it names and that is gone would count as lost.
  await appendToIndex(
    directory,
    members.map((member) => ({ member, removedAt: now })),
  );
  for (const member of members) await remove(join(directory, member));
  await syncDirectory(directory);
}

/**
 * Takes any state out of an archive permanently; false where another run has put it there again or taken
 * it out meanwhile. It gets the name of a leaving one first, under which it can still be restored: so
 * a run that finds it in use has either shown that by a new mtime before, and the state is kept, or
 * does not find it any more, and writes it again.
 */
export async function takeOut(
  directory: string,
  { member, mtime }: RemovedMember,
  now: number,
): Promise<boolean> {
  const path = join(directory, member);
  const leaving = join(directory, toNameOfKind(member, 'leaving'));
  try {
    await renameFile(path, leaving);
  } catch (error) {
    const problem = toFileError(error, path, 'remove');
    if (problem.code === 'ENOENT') return false;
    throw problem;
  }
  if (readMtime(leaving) !== mtime) {
    await restoreName(leaving, path);
    return false;
  }
  await appendToIndex(directory, [{ member, removedAt: now }]);
  await remove(leaving);
  await syncDirectory(directory);
  return true;
}

async function restoreName(from: string, to: string): Promise<void> {
  try {
    await linkExclusively(from, to);
  } catch (error) {
    // The run that needs it was quicker.
    const problem = toFileError(error, to, 'rename');
    if (problem.code !== 'EEXIST') throw problem;
  }
  if (from !== to) await remove(from);
}

function remove(path: string): Promise<void> {
  return attempt(path, () => unlink(path).catch(ignoreMissing), 'remove');
}
