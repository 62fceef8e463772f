import { lstat, statfs } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { FileError } from '../../../errors.ts';
import { isMissing, toFileError } from '../../../session/jsonl/files/file-error.ts';
import { withoutCompression } from '../../../session/jsonl/zstd/is-compressed.ts';
import { isBelow } from '../../../session/model/paths.ts';
import { findDatabases, findRowHome } from '../../database/database-files.ts';
import type { RowOwner } from '../../database/stored-rows.ts';
import { hashFile } from '../../files/read-regular-file.ts';
import type { Place } from '../place.ts';
import { createClaimTest, type NewestFiles } from './claimed-files.ts';
import type { Manifest, ManifestFile } from './manifest.ts';

/** Returns the path for a file of a member. */
export function toTarget(place: Place, name: string): string {
  return join(place.root, name);
}

/** Returns the directory that all files of a session are below. */
export function getTop({ base, root }: Place): string {
  return isBelow(base, root) ? root : base;
}

/** The files that a restore is about, by name. */
export interface Wanted {
  /** Those that are not there. */
  readonly missing: ReadonlySet<string>;
  /** Those that are left out, with the reasons: others may have claimed them as well, and changed them since. */
  readonly omitted: ReadonlyMap<string, FileError>;
}

/**
 * Finds the files that are to be restored.
 * @throws FileError for another file in the place of one.
 */
export async function findWanted(
  manifest: Manifest,
  place: Place,
  newest: NewestFiles,
): Promise<Wanted> {
  const [missing, omitted] = [new Set<string>(), new Map<string, FileError>()];
  const isClaimed = createClaimTest(manifest, place);
  for (const { name, sha256 } of manifest.files) {
    const target = toTarget(place, name);
    const hash = await hashIfThere(target);
    if (hash === sha256) continue;
    const { sha256: best = sha256, member = '' } = newest.get(target) ?? {};
    if (hash === undefined && best === sha256) missing.add(name);
    else if (hash === undefined) omitted.set(name, toConflict(target, `${member} has a newer one`));
    else if (isClaimed(name)) omitted.set(name, toConflict(target, OCCUPIED));
    else throw toConflict(target, OCCUPIED);
  }
  return { missing, omitted };
}

export const OCCUPIED = 'another file already exists';

/** The error for a file that is not restored. */
export function toConflict(target: string, reason: string): FileError {
  return new FileError(target, 'EEXIST', `not restored: ${reason}`);
}

/** @throws FileError where the file system of a directory has no room for files. `path`: of their session. */
export async function requireSpace(
  directory: string,
  path: string,
  files: readonly Pick<ManifestFile, 'size'>[],
): Promise<void> {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  const { bavail, bsize } = await statfs(directory);
  if (bytes <= bavail * bsize) return;
  throw new FileError(path, 'ENOSPC', `not restored: no space for its ${bytes} bytes`);
}

/** Finds the owner of a member's rows, and the directory of the databases for them, if it holds any. */
export async function findRowTarget(
  manifest: Manifest,
  { path, root }: Place,
): Promise<(RowOwner & { readonly home: string }) | undefined> {
  const found = findRowHome(manifest.agent, path);
  if (!found) return undefined;
  const { rows, home } = found;
  const { databases } = rows;
  if ((await findDatabases(home, databases)).length === 0) return undefined;
  const names = manifest.files.map(({ name }) => name);
  // Agents leave out of a path that its file is compressed.
  const targets = names.map((name) => withoutCompression(join(root, name)));
  const paths = new Map(targets.map((one) => [basename(one), one]));
  // The id that the description gives does not count: it may be of another session.
  const ids = new Set(rows.listIds(names));
  return { databases, ids, paths, path: withoutCompression(path), home };
}

/** Hashes a file that exists. Anything but a plain file gets a hash that no file has. */
export async function hashIfThere(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isFile() ? await hashFile(path) : 'no plain file';
  } catch (error) {
    const problem = toFileError(error, path, 'read');
    if (isMissing(problem)) return undefined;
    throw problem;
  }
}
