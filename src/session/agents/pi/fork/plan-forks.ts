import { findEnds } from './find-ends.ts';
import { dirname, join } from 'node:path';
import { CoppiceError, type ErrorCode, FileError } from '../../../../errors.ts';
import { NewSession } from './new-session.ts';
import { CURRENT_VERSION } from '../format.ts';
import {
  isValidSessionId,
  findSiblingDirectory,
  toSessionFileName,
} from '../places/session-place.ts';
import type { ForkPlan, ForkRequest, ForkWorld } from '../../../dialect/forking.ts';
import { planStarts } from '../../../dialect/plan-starts.ts';
import type { Entry } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';
import { resolveLabels } from '../../../model/tree/labels.ts';
import { rechain } from '../../../model/tree/rechain.ts';
import {
  findLeftBehind,
  getCurrentPath,
  getPath,
  type Tree,
  treeOf,
} from '../../../model/tree/tree.ts';

/**
 * A path is forked as `createBranchedSession` of pi 1.6.0 does it: labels are taken out, the rest is
 * chained to each other, and each label still set on a kept entry is appended again at the end with
 * its old time. The whole is copied as `forkFrom` does it, but migrated.
 */
export function planForks(
  session: Session,
  request: ForkRequest,
  world: ForkWorld,
): readonly ForkPlan[] {
  assertForkable(session);
  const tree = treeOf(session);
  const plan = (fill: (fork: NewSession) => void): ForkPlan =>
    planFork(session, request, world, fill);
  const planPath = (at: Entry | undefined): ForkPlan => {
    const path = getForkPath(session, tree, at);
    const left = findLeftBehind(getCurrentPath(tree), path);
    return { ...plan((fork) => copyPath(fork, session, tree, path)), left };
  };
  return planStarts(request.start, session, tree, {
    planPath,
    planWhole: () => plan((fork) => copyAll(fork, session)),
    findEnds,
  });
}

export function assertForkable(session: Session): void {
  assertOpened(session);
  if (session.entries.length > 0) return;
  throw new FileError(session.path, 'session-empty', 'has no entries: there is nothing to fork');
}

/** @throws FileError for a session that pi does not open, or that coppice does not know. */
export function assertOpened({ path, header, formatVersion }: Session): void {
  const refuse = (code: ErrorCode, message: string): never => {
    throw new FileError(path, code, message);
  };
  if (!header) return refuse('header-missing', 'has no header: pi does not open it');
  if (formatVersion > CURRENT_VERSION) {
    const version = `is of format version ${formatVersion}`;
    return refuse('version-unknown', `${version}, newer than this coppice knows`);
  }
}

function planFork(
  session: Session,
  { cwd, directory, id: ownId, name }: ForkRequest,
  { now, createId, cwd: fallback }: ForkWorld,
  fill: (fork: NewSession) => void,
): ForkPlan {
  if (ownId !== undefined && !isValidSessionId(ownId)) {
    throw new CoppiceError(
      `--id ${ownId}: expected letters, digits, '-', '_' and '.', with a letter or digit at both ends`,
    );
  }
  const id = ownId ?? createId();
  const timestamp = new Date(now()).toISOString();
  const newCwd = cwd ?? (session.header?.cwd || fallback);
  const identity = { id, timestamp, cwd: newCwd, parentSession: session.path, createId };
  const fork = new NewSession(identity, session, name);
  fill(fork);
  fork.rename();
  const besides =
    cwd === undefined
      ? dirname(session.path)
      : findSiblingDirectory(session.path, session.header?.cwd ?? '', cwd);
  const { pieces, ids, entryCount, leafId } = fork;
  return {
    path: join(directory ?? besides, toSessionFileName(timestamp, id)),
    id,
    pieces,
    ids,
    left: undefined,
    entryCount,
    leafId,
  };
}

/** Root first. Where pi would go round in circles, or lose what it cannot name, we refuse. */
export function getForkPath(session: Session, tree: Tree, at: Entry | undefined): readonly Entry[] {
  const path = getPath(tree, at);
  requireIds(session, path);
  const [root] = path;
  if (root && tree.parentOf(root)) {
    const message = `the path to ${at?.id} is a cycle at ${root.id}, and has no beginning`;
    throw new FileError(session.path, 'entry-cycle', message);
  }
  return path;
}

function requireIds({ path }: Session, entries: readonly Entry[]): void {
  const without = entries.find(({ id }) => id === undefined);
  if (!without) return;
  const message = `the entry on line ${without.line} has no id: use --whole, or --at another entry`;
  throw new FileError(path, 'entry-without-id', message);
}

function copyAll(fork: NewSession, { entries }: Session): void {
  for (const entry of entries) fork.copy(entry);
}

function copyPath(fork: NewSession, session: Session, tree: Tree, path: readonly Entry[]): void {
  const links = rechain(
    tree,
    path.filter(({ type }) => type !== 'label'),
  );
  for (const [index, { entry, parentId, firstKeptEntryId }] of links.entries()) {
    // An orphan at the root gets no parent: the entry that it names is not in the new file.
    fork.copy(entry, { id: entry.id, parentId: index === 0 ? null : parentId, firstKeptEntryId });
  }
  const kept = new Set(links.map(({ entry }) => entry.id));
  for (const [targetId, label] of resolveLabels(session.entries)) {
    if (kept.has(targetId)) fork.repeat(label.entry);
  }
}
