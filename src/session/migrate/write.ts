import { keepBackup, removeBackup } from '../jsonl/write/backup-file.ts';
import { createFile } from '../jsonl/write/create-file.ts';
import { FileError } from '../../errors.ts';
import { type Flushed, NOTHING_FLUSHED } from '../jsonl/files/flush.ts';
import {
  type Match,
  matchBeginning,
  moveDirectory,
  moveFile,
  prepareMove,
  removeMatched,
} from '../jsonl/write/move-file.ts';
import { replaceFile } from '../jsonl/write/replace-file.ts';
import { requireMovable } from '../jsonl/write/set-aside.ts';
import type { LineTransform } from '../jsonl/write/line-transform.ts';
import { transformElements, transformFile } from '../jsonl/write/transform-file.ts';
import { type Destination, taken } from './destination.ts';
import type { Opening } from '../read/read-opening.ts';
import type { SidecarMove } from './types.ts';
import { countBytes } from '../jsonl/write/count-bytes.ts';

export interface ApplyOptions {
  /** False: only go through the lines. */
  readonly apply: boolean;
  /** Is called when all lines have been seen, before anything happens to the file; may throw. */
  readonly requireUnused: () => void;
  /** Is called before anything is written. */
  readonly beforeWriting?: (() => Promise<void>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Applied {
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly newPath: string | null;
  readonly backupPath: string | null;
  readonly notices: readonly string[];
}

type Replacement = Extract<Destination, { kind: 'replace' }>;
type Meeting = Extract<Destination, { kind: 'meet' }>;
type Written = Exclude<Destination, { kind: 'keep' }>;

/**
 * Writes the transformed lines to where they go; the preview does all but the writing.
 * @throws FileError, `EEXIST` if another file has the new name; the session is then as it was, or moved no further
 * than its header says.
 */
export async function applyMigration(
  opening: Opening,
  transform: LineTransform,
  destination: Written,
  options: ApplyOptions,
): Promise<Applied> {
  const { size: bytesBefore } = opening.session.stamp;
  const { newPath } = destination;
  for (const path of listMoved(opening, destination)) requireMovable(path);
  if (destination.kind === 'meet') return finishMove(opening, transform, destination, options);
  if (options.apply) await options.beforeWriting?.();
  if (options.apply && destination.kind === 'replace') {
    return replace(opening, transform, destination, options);
  }
  const backupPath =
    destination.kind === 'replace' ? destination.backupPath : (destination.keepAs ?? null);
  const chunks = toChunks(opening, transform, options);
  if (options.apply && destination.kind === 'new') {
    const { session } = opening;
    const { mtimeMs } = session.stamp;
    const { like } = destination;
    const create = { signal: options.signal, like, mtimeMs };
    const bytesAfter = await createFile(destination.newPath, chunks, create);
    if (backupPath !== null) await moveWith(destination.sidecars, session.path, backupPath);
    return { bytesBefore, bytesAfter, newPath, backupPath, notices: [] };
  }
  const bytesAfter = await countBytes(chunks);
  return { bytesBefore, bytesAfter, newPath, backupPath, notices: [] };
}

/** Lists the files whose names change if a session moves. */
function listMoved({ session }: Opening, destination: Written): readonly string[] {
  const place = destination.kind === 'new' ? destination.keepAs : destination.newPath;
  if (place === undefined || place === null) return [];
  const files = destination.sidecars.filter(({ kind }) => kind === 'file');
  return [session.path, ...files.map(({ from }) => from)];
}

/**
 * Ends the move of a session that is at its new place already, in a file of its own, which may have got more lines
 * since: of two runs at once, each has written one.
 */
async function finishMove(
  opening: Opening,
  transform: LineTransform,
  { newPath, backupPath, sidecars }: Meeting,
  options: ApplyOptions,
): Promise<Applied> {
  const { path, stamp } = opening.session;
  const match = await findWritten(opening, transform, newPath, options);
  if (!match) throw taken(path, newPath);
  const { bytes: bytesAfter } = match;
  if (options.apply) {
    await options.beforeWriting?.();
    const remove = () => removeMatched(path, match, stamp, backupPath ?? undefined);
    await moveWith(sidecars, path, newPath, remove);
  }
  const notices = [`${newPath} holds it already`];
  return { bytesBefore: stamp.size, bytesAfter, newPath, backupPath, notices };
}

/** Finds the transformed lines at the beginning of another file, which may have got more lines since. */
export function findWritten(
  opening: Opening,
  transform: LineTransform,
  newPath: string,
  options: Pick<ApplyOptions, 'signal' | 'requireUnused'>,
): Promise<Match | undefined> {
  const { stamp } = opening.session;
  return matchBeginning(newPath, toChunks(opening, transform, options), stamp);
}

/**
 * Moves sidecars, and then the file that they belong to: after an interrupted run, the next one continues as long as
 * that is at its old place.
 */
export async function moveWith(
  sidecars: readonly SidecarMove[],
  path: string,
  newPath: string,
  moveOwn = moveFile,
): Promise<void> {
  try {
    for (const { from, to, kind } of sidecars) {
      await (kind === 'directory' ? moveDirectory(from, to) : moveFile(from, to));
    }
    await moveOwn(path, newPath);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const message = `${error.message}; it has moved only in part: run this again`;
    throw new FileError(error.path, error.code, message, { cause: error });
  }
}

async function* toChunks(
  { session, framing }: Opening,
  transform: LineTransform,
  { signal, requireUnused }: Pick<ApplyOptions, 'signal' | 'requireUnused'>,
): AsyncGenerator<Buffer> {
  const read = framing === 'array' ? transformElements : transformFile;
  yield* read(session.path, transform, { planned: session.stamp, signal });
  requireUnused();
}

async function replace(
  { session }: Opening,
  transform: LineTransform,
  { newPath, backupPath, sidecars }: Replacement,
  { signal, requireUnused }: ApplyOptions,
): Promise<Applied> {
  let isFirst = true;
  let hasBackup = false;
  const beforeCommit = async (): Promise<Flushed> => {
    // Lines that another program appends from here on no longer stop the run.
    if (!isFirst) return NOTHING_FLUSHED;
    isFirst = false;
    requireUnused();
    // The session must not name a directory to which it cannot move.
    if (newPath !== null) await prepareMove(session.path, newPath);
    if (backupPath === null) return NOTHING_FLUSHED;
    const { flushed, isNew } = await keepBackup(session.path, backupPath);
    hasBackup = isNew;
    return flushed;
  };
  try {
    const options = { planned: session.stamp, signal, beforeCommit };
    const replaced = await replaceFile(session.path, transform, options);
    const { bytesBefore, bytesAfter, notices } = replaced;
    if (isFirst) requireUnused();
    if (newPath !== null) await moveWith(sidecars, session.path, newPath);
    return { bytesBefore, bytesAfter, newPath, backupPath, notices };
  } catch (error) {
    // Once the file is replaced, the backup is all there is of the old one.
    if (hasBackup && backupPath !== null) await removeBackup(backupPath, session);
    throw error;
  }
}
