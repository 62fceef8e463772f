import type { Variables } from '../../session/dialect/surroundings/world.ts';
import { randomBytes } from 'node:crypto';
import { lstat, open, realpath, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { FileError } from '../../errors.ts';
import { listAbove } from '../../session/model/paths.ts';
import { getWords, throwIfBug, toFileError } from '../../session/jsonl/files/file-error.ts';
import {
  flush,
  flushTrail,
  makeDirectory,
  syncDirectory,
} from '../../session/jsonl/files/flush.ts';
import { renameFile } from '../../session/jsonl/files/system.ts';
import { removeStaleTempFiles } from '../../session/jsonl/files/temp-file.ts';
import { getRealPath, isThere, orPath, statFile } from '../files/stat-file.ts';
import { findMountPoint } from '../files/mount-point.ts';
import { refuseSessionFolder } from '../sessions/refuse-session-folder.ts';
import { moveAcross } from './move-across.ts';
import { ignoring } from './remove-files.ts';
import type { MoveAway } from './remove-session.ts';

export interface TrashWorld {
  readonly env: Variables;
  readonly home: string;
  /** Milliseconds. */
  readonly now: () => number;
  readonly platform?: NodeJS.Platform;
  /** The trash of macOS and Windows; only tests hand one in. */
  readonly systemTrash?: (path: string) => Promise<void>;
}

/** A trash directory as in the freedesktop.org trash specification 1.0. */
interface Trash {
  readonly directory: string;
  /** The top directory of its file system, which its notes are relative to; none for the home's. */
  readonly top?: string;
}

type Move = (from: string, to: string) => Promise<void>;

/** Moves what is at a path, by one that leads there, after a last look. */
type MoveHeld = (path: string, held: string, look?: () => void) => Promise<void>;

/**
 * Returns a function that moves a file or a directory to the system's trash. Where that is on another
 * file system, it is copied, flushed and compared before it is removed. Copies that killed runs left
 * unfinished in the trash are removed.
 *
 * The returned function throws FileError when no trash takes it, or `ECHANGED` when it changes meanwhile; it
 * is then where it was. It throws `ENOENT` when another run has taken it away.
 */
export async function openTrash(world: TrashWorld): Promise<MoveAway> {
  const { platform = process.platform, systemTrash = moveWithLibrary } = world;
  const isLibrarys = platform === 'darwin' || platform === 'win32';
  const moveBySystem: MoveHeld = async (path, _held, look) => {
    look?.();
    await systemTrash(path);
  };
  const move = isLibrarys ? moveBySystem : await createMove(world);
  return async (path, held = path, look?) => {
    try {
      // The system's own says nothing of what is not there.
      if (!(await isThere(held))) throw takenError(path);
      await move(path, held, look);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      const isThereStill = await isThere(held);
      if (!isThereStill && (code === 'ENOENT' || code === 'ECHANGED')) throw takenError(path);
      // It is in the trash, and only what follows a move has failed.
      if (!isThereStill) return;
      throw code === 'ECHANGED' ? error : toTrashError(path, held, error);
    }
  };
}

/** Loaded only when it is needed: most runs need it not. */
async function moveWithLibrary(path: string): Promise<void> {
  const { default: trash } = await import('trash');
  // A path is not a pattern, whatever characters are in it.
  await trash(path, { glob: false });
}

/**
 * Moves to the trash of its own file system; where that cannot be, a copy to the one in the home directory.
 */
async function createMove({ env, home, now }: TrashWorld): Promise<MoveHeld> {
  // It may be a link of the user's own, to a larger disk; on a disk that others write to, no link is followed.
  const ofHome = { directory: getRealPath(getHomeTrash({ env, home })) };
  await refuseSessionFolder(ofHome.directory, 'the trash');
  await removeStaleTempFiles(join(ofHome.directory, 'files'), now(), { trees: true });
  const prepare = createPreparation();
  const moveTo = async (
    trash: Trash,
    [path, held, look]: Parameters<MoveHeld>,
    move: Move,
  ): Promise<string> => {
    await prepare(trash.directory);
    return moveWithNote(trash, path, now(), async (to) => {
      look?.();
      await move(held, to);
    });
  };
  return async (path, held, look) => {
    const real = join(await realpath(dirname(held)), basename(path));
    for (const trash of await findNearest(real, ofHome)) {
      const to = await orElsewhere(() => moveTo(trash, [real, held, look], renameFile));
      if (to === undefined) continue;
      // A failure from here on is none of the move. Another job may have removed a directory that is empty now.
      for (const changed of [dirname(to), dirname(held)]) {
        await ignoring(['ENOENT'], changed, () => syncDirectory(changed));
      }
      return;
    }
    await moveTo(ofHome, [real, held, look], moveAcross);
  };
}

/** The trash of a user, by the XDG base directory specification, which ignores a path that is not absolute. */
function getHomeTrash({ env, home }: Pick<TrashWorld, 'env' | 'home'>): string {
  const named = env['XDG_DATA_HOME'] ?? '';
  return join(isAbsolute(named) ? named : join(home, '.local', 'share'), 'Trash');
}

/** Lists the places in which files from a path, also one past links, may be in a trash, whatever program moved them. */
export function listTrashed(
  path: string,
  { env, home }: Pick<TrashWorld, 'env' | 'home'>,
): readonly string[] {
  const uid = String(process.getuid?.() ?? 0);
  const top = findMountPoint(orPath(getRealPath, path));
  const ofTop = top === undefined ? [] : [join(top, `.Trash-${uid}`), join(top, '.Trash', uid)];
  const own = getHomeTrash({ env, home });
  return [...[own, ...ofTop].map((trash) => join(trash, 'files')), join(home, '.Trash')];
}

/** Returns whether a file is in a trash, whatever program has moved it or a directory around it there. */
export function isTrashed(path: string): boolean {
  if (!path.includes(`${sep}files${sep}`)) return false;
  return [path, ...listAbove(path)].some((item) => {
    const files = dirname(item);
    if (basename(files) !== 'files') return false;
    return statFile(join(dirname(files), 'info', `${basename(item)}.trashinfo`)) !== undefined;
  });
}

/** Finds the trashes that a rename can reach, best first. */
async function findNearest(path: string, ofHome: Trash): Promise<readonly Trash[]> {
  makeDirectory(ofHome.directory);
  const top = findMountPoint(path);
  if (top === undefined || top === findMountPoint(await realpath(ofHome.directory)))
    return [ofHome];
  const uid = process.getuid?.() ?? 0;
  const shared = join(top, '.Trash');
  const own = { directory: `${shared}-${uid}`, top };
  return (await isShared(shared)) ? [{ directory: join(shared, String(uid)), top }, own] : [own];
}

const STICKY = 0o1000;

/**
 * Returns whether an administrator has made a trash for all, in which no other user can remove what is another's.
 */
async function isShared(directory: string): Promise<boolean> {
  try {
    const stats = await lstat(directory);
    return stats.isDirectory() && (stats.mode & STICKY) !== 0;
  } catch (error) {
    throwIfBug(error);
    return false;
  }
}

const ELSEWHERE: ReadonlySet<string> = new Set([
  'EXDEV',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOTDIR',
  'ENOSPC',
]);

/** Undefined where a trash cannot take something by a rename, and another may. */
async function orElsewhere<T>(move: () => Promise<T>): Promise<T | undefined> {
  try {
    return await move();
  } catch (error) {
    if (ELSEWHERE.has(toFileError(error, '', 'move').code)) return undefined;
    throw error;
  }
}

/** Makes the directories of a trash, and flushes those that lead there: of each trash once. */
function createPreparation(): (directory: string) => Promise<void> {
  const prepared = new Set<string>();
  return async (directory) => {
    const parts = [join(directory, 'files'), join(directory, 'info')];
    for (const part of parts) makeDirectory(part);
    await requireOwn(directory);
    if (prepared.has(directory)) return;
    await flush(parts);
    flushTrail(directory);
    prepared.add(directory);
  };
}

/** Returns the path in the trash. */
async function moveWithNote(
  trash: Trash,
  path: string,
  now: number,
  move: (to: string) => Promise<void>,
): Promise<string> {
  const [files, info] = [join(trash.directory, 'files'), join(trash.directory, 'info')];
  const name = `${cutName(basename(path))}.${randomBytes(6).toString('hex')}`;
  const note = join(info, `${name}.trashinfo`);
  try {
    await writeNote(note, trash.top === undefined ? path : relative(trash.top, path), now);
    await move(join(files, name));
    return join(files, name);
  } catch (error) {
    // A copy that is kept needs its note.
    if (!(await isThere(join(files, name)))) await rm(note, { force: true });
    throw error;
  }
}

/** The limit for the beginning of a name: with the rest, it is below the 255 bytes of file systems. */
const MAX_NAME_BYTES = 200;

/** Cuts a name to whole characters. */
function cutName(name: string): string {
  let cut = '';
  for (const char of name) {
    if (Buffer.byteLength(cut + char) > MAX_NAME_BYTES) break;
    cut += char;
  }
  return cut;
}

/**
 * Requires that a trash is ours: on a disk that others write to, somebody may have put one of his own there.
 */
async function requireOwn(directory: string): Promise<void> {
  const stats = await lstat(directory);
  const uid = process.getuid?.();
  if (stats.isDirectory() && (uid === undefined || stats.uid === uid)) return;
  const what = stats.isSymbolicLink() ? 'is a symbolic link' : 'is the trash of another user';
  throw new FileError(directory, 'EACCES', what);
}

async function writeNote(note: string, path: string, now: number): Promise<void> {
  const file = await open(note, 'wx', 0o600);
  try {
    const encoded = path.split(sep).map(encodeURIComponent).join('/');
    const localTime = new Date(now - new Date(now).getTimezoneOffset() * 60_000);
    const date = localTime.toISOString().slice(0, 19);
    await file.writeFile(`[Trash Info]\nPath=${encoded}\nDeletionDate=${date}\n`);
  } finally {
    await file.close();
  }
  await flush([note]);
}

function takenError(path: string): FileError {
  return new FileError(path, 'ENOENT', 'cannot move to the trash: another process removed it');
}

function toTrashError(path: string, held: string, error: unknown): FileError {
  const message = `cannot move to the trash: ${getCause(path, held, error)}; use --archive <dir> or --delete`;
  return new FileError(path, 'ETRASH', message, { cause: error });
}

/** Names the path only where it is another one than that of the error. `held`: leads to it, too. */
function getCause(path: string, held: string, error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof FileError) {
    const isBelow = error.path === held || error.path.startsWith(held + sep);
    const known = isBelow ? path + error.path.slice(held.length) : error.path;
    return known === path ? error.message : `${known}: ${error.message}`;
  }
  return 'code' in error ? (getWords(error.code) ?? error.message) : error.message;
}
