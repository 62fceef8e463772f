import { join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { orFileError, orFileErrorSync } from '../../../session/jsonl/files/file-error.ts';
import { findClaimable } from '../../sessions/sidecars/claimed-sidecars.ts';
import { getRealPath, isGone } from '../../files/stat-file.ts';
import type { ArchivedSession } from '../index/archive-index.ts';
import { type Destination, findPlace } from '../place.ts';
import type { NewestFiles } from './claimed-files.ts';
import { readManifest } from './read-member.ts';
import { hashIfThere } from './restore-target.ts';

/**
 * Finds the files of the sessions of one run that are there as the archive has them, by their real paths: a run before
 * may have restored them and not the plan that they share with others. None where no file that lines claim is missing.
 */
export async function findPresent(
  directory: string,
  sessions: readonly ArchivedSession[],
  destination: Destination,
  newest: NewestFiles,
): Promise<ReadonlySet<string>> {
  const present = new Set<string>();
  if (![...newest.keys()].some((path) => isGone(path))) return present;
  for (const { member, facts } of sessions) {
    const place = orFileErrorSync(() => findPlace(facts, destination));
    if (place instanceof FileError) continue;
    const { path, root } = place;
    if (isGone(path) || !findClaimable({ agent: facts.agent, path })) continue;
    const manifest = await orFileError(() => readManifest(join(directory, member)));
    if (manifest instanceof FileError) continue;
    for (const { name, sha256 } of manifest.files) {
      const target = join(root, name);
      const hash = await orFileError(() => hashIfThere(target));
      if (hash === sha256) present.add(getRealPath(target));
    }
  }
  return present;
}
