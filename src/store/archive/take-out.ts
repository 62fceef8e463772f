import { unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { syncDirectory } from '../../session/jsonl/files/flush.ts';
import { ignoreMissing } from '../../session/jsonl/write/create-file.ts';
import { appendToIndex } from './index-file.ts';

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

async function remove(path: string): Promise<void> {
  try {
    await unlink(path).catch(ignoreMissing);
  } catch (error) {
    throw toFileError(error, path, 'remove');
  }
}
