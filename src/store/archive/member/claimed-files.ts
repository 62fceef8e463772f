import { join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { orFileError, orFileErrorSync } from '../../../session/jsonl/files/file-error.ts';
import { isSidecarName } from '../../../session/model/sidecar.ts';
import { findClaimable } from '../../sessions/sidecars/claimed-sidecars.ts';
import type { ArchivedSession } from '../index/archive-index.ts';
import { type Destination, findPlace, type Place } from '../place.ts';
import { findSidecars, listOwn, type Manifest, type ManifestFile } from './manifest.ts';
import { readManifest } from './read-member.ts';

/** The newest of the files that several sessions of one run have for one path, and the member that holds it. */
interface Newest extends Pick<ManifestFile, 'mtimeMs' | 'sha256'> {
  readonly member: string;
}

/** Each is found by its path. */
export type NewestFiles = ReadonlyMap<string, Newest>;

/** Makes a test of whether a session has a file of a name only because its lines claim it. */
export function createClaimTest(
  { agent, files }: Pick<Manifest, 'agent' | 'files'>,
  { path, root }: Place,
): (name: string) => boolean {
  const names = files.map(({ name }) => name);
  const own = listOwn(findSidecars(agent), path, root, names);
  const claimed = own.filter(({ isClaimed }) => isClaimed);
  return (name) => isSidecarName(name, claimed);
}

/**
 * Finds the newest of the files that the lines of several sessions claim, as of a plan that two sessions have worked
 * on: or which of them is restored would be left to chance.
 */
export async function findNewest(
  directory: string,
  sessions: readonly ArchivedSession[],
  destination: Destination,
): Promise<NewestFiles> {
  const newest = new Map<string, Newest>();
  for (const { member, facts } of sessions) {
    const place = orFileErrorSync(() => findPlace(facts, destination));
    if (place instanceof FileError) continue;
    if (!findClaimable({ agent: facts.agent, path: place.path })) continue;
    const manifest = await orFileError(() => readManifest(join(directory, member)));
    // Its own restore says why it cannot be read.
    if (manifest instanceof FileError) continue;
    const isClaimed = createClaimTest(manifest, place);
    for (const { name, mtimeMs, sha256 } of manifest.files) {
      const path = join(place.root, name);
      const found = { mtimeMs, sha256, member };
      if (isClaimed(name) && isNewer(found, newest.get(path))) newest.set(path, found);
    }
  }
  return newest;
}

function isNewer(one: Newest, other: Newest | undefined): boolean {
  if (!other || one.mtimeMs !== other.mtimeMs) return !other || one.mtimeMs > other.mtimeMs;
  return one.sha256 > other.sha256;
}
