import { access, chmod, constants, lstat, mkdir, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { FileError } from '../../errors.ts';
import { limitMode, addDirectory } from '../../session/jsonl/files/keep-access.ts';
import { toFileError } from '../../session/jsonl/files/file-error.ts';
import { toUtime } from '../../session/jsonl/files/identity/file-stamp.ts';
import { makeDirectory, syncDirectory } from '../../session/jsonl/files/flush.ts';
import { isBelow, toOwnForm } from '../../session/model/paths.ts';
import { isGone } from '../files/stat-file.ts';
import { inDirectoryBelow } from '../output/hold-directory.ts';
import { findSidecars, getRoot, type Manifest, type ManifestItem } from './member/manifest.ts';
import { attempt } from '../files/attempt.ts';

/** Only its owner can enter. */
const PRIVATE = 0o700;
/**
 * The modes that files and directories from an archive may get: not writable by everybody, nor executable.
 */
const [FILE_MODES, DIRECTORY_MODES] = [0o664, 0o775] as const;

/** The place to which a session of an archive is restored. */
export interface Place {
  /** The store; whatever leads to it is the user's own business. */
  readonly base: string;
  /** The path of the session file, below `base`. */
  readonly path: string;
  /** The directory to which names are relative: above `base` for sidecars beside the store. */
  readonly root: string;
}

/**
 * The places to which sessions may be restored: one store that the user has named, or their old place if that
 * is inside one of these. An archive may be somebody else's, so it does not choose.
 */
export type Destination = { readonly store: string } | { readonly ownStores: readonly string[] };

/**
 * Finds the place to which a session of an archive is restored.
 * @throws FileError when it came from a place outside of all stores it may be restored to, or its sidecars
 * have no place beside that store.
 */
export function findPlace(
  manifest: Pick<Manifest, 'path' | 'store' | 'root' | 'agent'>,
  destination: Destination,
): Place {
  const path = toOwnForm(manifest.path);
  if ('store' in destination) {
    return requireFindable(findPlaceIn(resolve(destination.store), manifest, path));
  }
  const base = destination.ownStores.find((own) => isBelow(manifest.path, own));
  if (base !== undefined) return requireFindable({ base, path, root: getRoot(manifest) });
  throw new FileError(
    manifest.path,
    'EARCHIVE',
    "not restored: is outside of the agents' stores; name the store to restore into with --store",
  );
}

/**
 * Finds the same place in the new store, where that is laid out alike: its old place, if that is in there, also
 * where another directory was read than the store. Where sidecars have no place beside the new store, as in one of
 * another name: as it was in the home of its agent, all of it below the new store. A store of the name of one of
 * the agent's own has a home already, so no other home is made in it.
 */
function findPlaceIn(
  base: string,
  {
    path: oldPath,
    root: oldRoot,
    store,
    agent,
  }: Pick<Manifest, 'path' | 'store' | 'root' | 'agent'>,
  path: string,
): Place {
  const plain = isBelow(path, base) ? path : join(base, relative(toOwnForm(store), path));
  if (oldRoot === undefined) return { base, path: plain, root: dirname(plain) };
  const name = relative(toOwnForm(oldRoot), path);
  const sidecars = findSidecars(agent);
  const isStore = sidecars.findRoot(join(base, '-', 'x.jsonl')) === dirname(base);
  for (const newPath of [plain, join(isStore ? dirname(base) : base, name)]) {
    const root = sidecars.findRoot(newPath);
    if (isBelow(newPath, base) && join(root, name) === newPath)
      return { base, path: newPath, root };
  }
  throw new FileError(oldPath, 'EARCHIVE', describeMissingPlace(basename(base), name));
}

/** `name`: the path that the session had in the home of its agent. */
function describeMissingPlace(store: string, name: string): string {
  const [first] = name.split(sep);
  return name === first
    ? `not restored: has no place in a store that is called ${store}; name another --store`
    : `not restored: was in ${first}, and not in ${store}; name a --store that ends in ${first}`;
}

/** Other programs look into hidden directories, and no search for sessions does. */
function requireFindable(place: Place): Place {
  const { base, path } = place;
  const hidden = relative(base, path)
    .split(sep)
    .find((name) => name.startsWith('.'));
  if (hidden === undefined) return place;
  throw new FileError(
    path,
    'EARCHIVE',
    `not restored: ${hidden} is hidden, and agents look for no session there; use tar`,
  );
}

/**
 * Makes the directories from the base of a place down to `directory`: private ones, but for the last,
 * which gets this mode at once, so that a killed run leaves no other. Returns those that were missing,
 * outermost first.
 * @throws FileError when a link or a file is in the way: nothing is written through a link.
 */
export async function makeDirectories(
  base: string,
  directory: string,
  mode = PRIVATE,
): Promise<readonly string[]> {
  const made: string[] = [];
  const make = async (path: string, shown: string): Promise<void> => {
    const own = shown === directory ? (mode & DIRECTORY_MODES) | PRIVATE : PRIVATE;
    if (await makeOne({ path, shown }, own)) made.push(shown);
  };
  try {
    makeDirectory(base);
    await inDirectoryBelow(base, directory, () => Promise.resolve(), make);
    for (const one of made) await syncDirectory(dirname(one));
    return made;
  } catch (error) {
    throw toFileError(error, directory, 'make the directory');
  }
}

interface Shown {
  readonly path: string;
  /** The path in messages. */
  readonly shown: string;
}

async function makeOne({ path, shown }: Shown, mode: number): Promise<boolean> {
  try {
    await mkdir(path, { mode });
    addDirectory(path);
    return true;
  } catch (error) {
    const problem = toFileError(error, shown, 'make the directory');
    if (problem.code !== 'EEXIST') throw problem;
    await requireDirectory({ path, shown });
    return false;
  }
}

async function requireDirectory({ path, shown }: Shown): Promise<void> {
  if ((await lstat(path)).isDirectory()) return;
  const message = 'cannot restore: the path of a directory is a link or a file';
  throw new FileError(shown, 'ENOTDIR', message);
}

/**
 * Finds out whether `makeDirectories` could make a directory, and makes nothing. Returns the innermost directory on the
 * way that is there. `writable`: files are to be put into it as well.
 * @throws FileError as that would.
 */
export async function checkDirectories(
  base: string,
  directory: string,
  { writable = false } = {},
): Promise<string> {
  const names = relative(base, directory).split(sep);
  // Other directories are not made, either.
  const below =
    names[0] === '..' ? [] : names.map((_, at) => join(base, ...names.slice(0, at + 1)));
  let innermost = await findThere(base, directory);
  for (const path of below) {
    if (isGone(path)) break;
    if (path !== base) await requireDirectory({ path, shown: path });
    innermost = path;
  }
  if (!writable && innermost === directory) return innermost;
  const what = innermost === directory ? 'restore' : 'make the directory';
  await attempt(directory, () => access(innermost, constants.W_OK | constants.X_OK), what);
  return innermost;
}

/** Finds the innermost directory on the way to a store that is there; links to it are the user's own business. */
async function findThere(base: string, directory: string): Promise<string> {
  let path = base;
  while (isGone(path) && dirname(path) !== path) path = dirname(path);
  if ((await stat(path)).isDirectory()) return path;
  const message = 'cannot make the directory: a part of the path is not a directory';
  throw new FileError(directory, 'ENOTDIR', message);
}

/** Gives a file that was restored the mode and mtime that it had. */
export async function setFileFacts(path: string, item: ManifestItem): Promise<void> {
  await chmod(path, limitMode(path, item.mode & FILE_MODES));
  await setTime(path, item);
}

/** Gives a directory the mtime that it had, and one that this run has made the mode as well. */
export async function setDirectoryFacts(
  path: string,
  item: ManifestItem,
  isNew: boolean,
): Promise<void> {
  if (isNew) await chmod(path, limitMode(path, item.mode & DIRECTORY_MODES));
  await setTime(path, item);
}

async function setTime(path: string, { mtimeMs }: ManifestItem): Promise<void> {
  await utimes(path, toUtime(mtimeMs), toUtime(mtimeMs));
}
