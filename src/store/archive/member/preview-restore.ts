import { dirname } from 'node:path';
import { toFileError } from '../../../session/jsonl/files/file-error.ts';
import { checkDirectories, type Destination, findPlace, type Place } from '../place.ts';
import type { Manifest, ManifestFile } from './manifest.ts';
import { readManifest, readToEnd, readMember } from './read-member.ts';
import { requireNoOther } from './require-own-parts.ts';
import { createRestoreStores, type KnownFiles } from './restore-stores.ts';
import type { Restored } from './restore-member.ts';
import { findWanted, findRowTarget, getTop, requireSpace, toTarget } from './restore-target.ts';

/**
 * Returns a function that finds out how a restorer would deal with a member, and writes nothing. Rows count as missing:
 * only a change of the databases shows which are there.
 *
 * That function throws FileError for anything in the way of the restorer, or a member that is damaged.
 */
export function createRestorePreview(
  destination: Destination,
  known?: Partial<KnownFiles>,
): (member: string) => Promise<Restored> {
  const around = createRestoreStores(known);
  return async (member) => {
    const manifest = await readManifest(member);
    const place = findPlace(manifest, destination);
    const { path } = place;
    try {
      await checkDirectories(place.base, dirname(path));
      const { missing, omitted } = await findWanted(manifest, place, around.newest);
      const wanted = manifest.files.filter(({ name }) => missing.has(name));
      if (wanted.length > 0) {
        await requireRoom(manifest, wanted, place);
        await readMember(member, readToEnd);
        requireNoOther({ manifest, place }, [manifest], around);
      }
      const hasRows = manifest.rows !== undefined;
      const lacksRows = hasRows && (await findRowTarget(manifest, place)) === undefined;
      const changed = wanted.length > 0 || (hasRows && !lacksRows);
      return { path, changed, lacksRows, omittedRows: [], omittedFiles: [...omitted.values()] };
    } catch (error) {
      throw toFileError(error, path, 'restore');
    }
  };
}

/** @throws FileError where a directory cannot take its files. */
async function requireRoom(
  { directories }: Manifest,
  wanted: readonly ManifestFile[],
  place: Place,
): Promise<void> {
  const { base, path } = place;
  const home = dirname(path);
  await requireSpace(await checkDirectories(base, home, { writable: true }), path, wanted);
  const top = getTop(place);
  for (const { name } of directories) await checkDirectories(top, toTarget(place, name));
  const homes = new Set(wanted.map(({ name }) => dirname(toTarget(place, name))));
  for (const one of homes) await checkDirectories(top, one, { writable: true });
}
