import { access, constants } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { FileError } from '../../errors.ts';
import { changedError, toFileError } from '../../session/jsonl/files/file-error.ts';
import { releaseAfter, tryAll } from '../../session/jsonl/files/release-after.ts';
import { type Flushed, syncDirectory } from '../../session/jsonl/files/flush.ts';
import { inDirectoryIfKnown } from '../output/hold-directory.ts';
import { isGone, isThereNow } from '../files/stat-file.ts';
import { ignoring, removeFiles } from './remove-files.ts';
import { isSameFile, isUnchanged, stampIfThere } from '../sessions/file-tree.ts';
import { readAgain, type SessionFiles } from '../sessions/session-files.ts';
import { attempt } from '../files/attempt.ts';

/** The outcome for a session that was to be removed. */
export type Removal = 'removed' | 'changed';

/** Is called with what could not be removed of a session whose file has been removed. */
export type ReportLeft = (problem: FileError) => void;

const raise: ReportLeft = (problem) => {
  throw problem;
};

/** Makes a copy of a session and its files before they are removed. */
export type KeepCopy = (session: SessionFiles) => Promise<Flushed>;

/**
 * Makes a copy of a session and its sidecars, if they are still as they were planned.
 * @throws whatever `keepCopy` throws.
 */
export async function copySession(
  planned: SessionFiles,
  keepCopy: KeepCopy,
): Promise<'same' | 'changed'> {
  return whileAsPlanned(planned, async () => {
    await requireRemovable(planned);
    await keepCopy(planned);
    return 'same';
  });
}

/**
 * Removes a session and its sidecars, if they are still as they were planned.
 * @throws FileError that names the first file which would not go: without `report`, whichever that is; `ENOENT`
 * if another run has removed the session meanwhile.
 */
export async function removeSession(planned: SessionFiles, report = raise): Promise<Removal> {
  return whileAsPlanned(planned, async () => {
    await requireRemovable(planned);
    await reportingLeft(planned, report, () => deleteFiles(planned));
    return 'removed';
  });
}

/**
 * Moves a file or a directory away. `held`: a path to it that leads to the directory that was looked at. `look`:
 * called just before the move; throws where the file has changed.
 */
export type MoveAway = (path: string, held?: string, look?: () => void) => Promise<void>;

/**
 * Lets `move` take a session and its sidecars away, if they are still as planned, and the directories that
 * hold them still the same.
 * @throws FileError, `ENOENT` if another run has removed the session meanwhile.
 */
export async function moveSession(
  planned: SessionFiles,
  move: MoveAway,
  report = raise,
): Promise<Removal> {
  return whileAsPlanned(planned, async () => {
    const { root, holders, files, directories } = planned;
    // Folders move as a whole. The session file is the first: a session without its sidecars is not left.
    const isTop = ({ name }: { readonly name: string }): boolean => holders.has(dirname(name));
    const names = [...files.filter(isTop), ...directories.filter(isTop)];
    const moveOne = async (name: string, look?: () => void): Promise<void> => {
      const path = join(root, name);
      await inDirectoryIfKnown(dirname(path), holders.get(dirname(name)), (directory) =>
        move(path, join(directory, basename(path)), look),
      );
    };
    const moveAll = async (): Promise<void> => {
      const [first, ...rest] = names;
      // A trash first flushes a note of it: the agent may write to the session meanwhile.
      if (first) await moveOne(first.name, () => requireSame(planned));
      // Each of the rest is tried: without the session, the next run does not find them.
      await tryAll(
        ...rest.map(
          (one) => () =>
            ignoring(['ENOENT'], join(root, one.name), () =>
              moveOne(one.name, () => requireGone(planned)),
            ),
        ),
      );
    };
    await requireWritable(root, [
      ...names.map(({ name }) => dirname(name)),
      ...directories.filter(isTop).map(({ name }) => name),
    ]);
    await reportingLeft(planned, report, moveAll);
    return 'removed';
  });
}

/** @throws FileError, `ECHANGED` if a file has changed or is gone; another if it cannot be looked at. */
function requireSame({ path, root, files }: SessionFiles): void {
  for (const one of files) {
    const now = stampIfThere(root, one.name);
    if (!now || !isSameFile(one, now)) throw changedError(path, ', and is kept');
  }
}

/**
 * @throws FileError, `ECHANGED`, where another process has restored a session meanwhile: the rest is of that one; another
 * if it cannot be looked up.
 */
function requireGone({ path }: SessionFiles): void {
  if (isThereNow(path)) throw changedError(path, ', and is kept');
}

/** Directories in which nothing can be removed are seen while all is there. @throws FileError */
async function requireRemovable({ root, files, directories }: SessionFiles): Promise<void> {
  await requireWritable(
    root,
    [...files, ...directories].map(({ name }) => dirname(name)),
  );
}

async function requireWritable(root: string, names: readonly string[]): Promise<void> {
  for (const name of new Set(names)) {
    const path = join(root, name);
    await attempt(path, () => access(path, constants.W_OK | constants.X_OK), 'remove from');
  }
}

/** Reports a failure of `remove` once the session file is gone: the session is removed then. */
async function reportingLeft(
  { path }: SessionFiles,
  report: ReportLeft,
  remove: () => Promise<void>,
): Promise<void> {
  try {
    await remove();
  } catch (error) {
    const problem = toFileError(error, path, 'remove');
    // Another run may be the one that removes it; just then, the file may be seen to change.
    const isBefore = problem.code === 'ECHANGED' && problem.path === path;
    if (problem.code === 'ENOENT' || isBefore || !isGone(path)) throw problem;
    report(problem);
  }
}

async function whileAsPlanned<T extends string>(
  planned: SessionFiles,
  act: () => Promise<T>,
): Promise<T | 'changed'> {
  const { path } = planned;
  try {
    if (isUnchanged(planned, await readAgain(planned))) return await act();
  } catch (error) {
    const problem = toFileError(error, path, 'remove');
    if (problem.code !== 'ECHANGED') throw problem;
  }
  if (isGone(path)) throw new FileError(path, 'ENOENT', 'another process removed it');
  return 'changed';
}

async function deleteFiles(planned: SessionFiles): Promise<void> {
  const homes = [...planned.holders.keys()].map((name) => join(planned.root, name));
  await releaseAfter(
    () => removeFiles(planned, () => requireGone(planned)),
    // A directory may be gone by now: the last session of a project takes it along.
    ...homes.map((home) => () => ignoring(['ENOENT'], home, () => syncDirectory(home))),
  );
}
