import { dirname, join } from 'node:path';
import { CoppiceError, FileError } from '../../../../errors.ts';
import { planStarts } from '../../../dialect/plan-starts.ts';
import type { ForkPlan, ForkRequest, ForkWorld } from '../../../dialect/forking.ts';
import type { Entry } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';
import { treeOf, findLeftBehind, getCurrentPath, type Tree } from '../../../model/tree/tree.ts';
import { toSessionId } from '../format.ts';
import { MAX_LOADED_BYTES } from '../index/tree/place-nodes.ts';
import { findConfig, SESSION_ID } from '../places/config.ts';
import { toFolderName } from '../places/default-stores.ts';
import { findHarm } from '../reduce/find-harm.ts';
import { findEnds } from './find-ends.ts';
import { findEnd, getForkPath } from './fork-path.ts';
import { listWhole, toPathPieces, toWholePieces } from './new-session.ts';

/**
 * A fork is a file in the form of the client's own: the path since the last compaction, each line
 * with the new session, the id that it had, and where it came from. Or all there is.
 */
export function planForks(
  session: Session,
  request: ForkRequest,
  world: ForkWorld,
): readonly ForkPlan[] {
  const tree = treeOf(session);
  const source = { session, tree };
  const { start } = request;
  if (start.kind !== 'at' && start.kind !== 'before') requireLeaf(session, tree);
  return planStarts(start, session, tree, {
    planPath: (at) => planFork(source, getForkPath(session, tree, at), request, world),
    planWhole: () => planFork(source, undefined, request, world),
    findEnds,
  });
}

function requireLeaf({ path, problem }: Session, tree: Tree): void {
  if (tree.leaf) return;
  const reason = problem?.message ?? 'its conversation is empty: there is nothing to fork';
  throw new FileError(path, 'session-empty', reason);
}

interface Source {
  readonly session: Session;
  readonly tree: Tree;
}

/** `path`: undefined for the whole. */
function planFork(
  { session, tree }: Source,
  path: readonly Entry[] | undefined,
  { cwd, directory, id: ownId, name }: ForkRequest,
  { createId }: ForkWorld,
): ForkPlan {
  const id = ownId ?? createId();
  if (!SESSION_ID.test(id)) {
    throw new CoppiceError(`--id ${id}: expected a UUID in lower case; Claude Code finds no other`);
  }
  const { entries } = session;
  const passage = { from: toSessionId(session.path), to: id, cwd };
  if (!path) requireSameWhole(session, listWhole(entries, passage), cwd);
  const pieces = path
    ? toPathPieces(entries, path, passage, name)
    : toWholePieces(entries, passage, name);
  const nodes = path ?? entries.filter(({ aside }) => !aside);
  return {
    path: join(directory ?? findDirectory(session.path, cwd), `${id}.jsonl`),
    id,
    pieces,
    ids: new Set(nodes.flatMap((entry) => entry.id ?? [])),
    left: path && findLeftBehind(getCurrentPath(tree), path),
    entryCount: pieces.length,
    leafId: (path ? findEnd(path) : tree.leaf)?.id ?? null,
  };
}

/** A line of a fork is longer by at most this, and its directory: it names the source, and its own entry there. */
const MAX_ADDED_BYTES = 256;

/**
 * @throws FileError where the client would load another part of the fork than of its source: of a large file it
 * reads only what the last compaction leaves, and the fork has another size.
 */
function requireSameWhole(
  session: Session,
  kept: readonly Entry[],
  cwd: string | undefined = '',
): void {
  const least = kept.reduce((sum, { length }) => sum + length, 0);
  const most = least + kept.length * (MAX_ADDED_BYTES + Buffer.byteLength(cwd));
  if (Math.max(most, session.stamp.size) <= MAX_LOADED_BYTES) return;
  if (findHarm(session, kept, [least, most]) === undefined) return;
  const message =
    'Claude Code loads only a part of large files, and of a fork of all branches another part than of ' +
    'this one: it might continue with another conversation; fork without --whole';
  throw new FileError(session.path, 'not-supported', message);
}

/** Finds the directory of a fork: beside its source, or in a store in the folder of its project. */
function findDirectory(path: string, cwd: string | undefined): string {
  const folder = dirname(path);
  if (cwd === undefined || findConfig(path) === undefined) return folder;
  return join(dirname(folder), toFolderName(cwd));
}
