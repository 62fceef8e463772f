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
import type { Manifest, ManifestFile } from './manifest.ts';

/** Returns the path for a file of a member. */
export function toTarget(place: Place, name: string): string {
  return join(place.root, name);
}

/** Returns the directory that all files of a session are below. */
export function getTop({ base, root }: Place): string {
  return isBelow(base, root) ? root : base;
}

/**
 * Finds the names of files that are not there.
 * @throws FileError for another file in the place of one.
 */
export async function findMissing({ files }: Manifest, place: Place): Promise<ReadonlySet<string>> {
  const missing = new Set<string>();
  for (const file of files) {
    const target = toTarget(place, file.name);
    const hash = await hashIfThere(target);
    if (hash === undefined) missing.add(file.name);
    else if (hash !== file.sha256) {
      throw new FileError(target, 'EEXIST', 'not restored: another file already exists');
    }
  }
  return missing;
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
