import { findEnds } from './find-ends.ts';
import { dirname, join } from 'node:path';
import { CoppiceError, FileError } from '../../../../errors.ts';
import type { Entry } from '../../../model/entry.ts';
import { planStarts } from '../../../dialect/plan-starts.ts';
import type { ForkPlan, ForkRequest, ForkWorld } from '../../../dialect/forking.ts';
import type { Session } from '../../../model/session.ts';
import {
  treeOf,
  getCurrentPath,
  getPath,
  type Tree,
  findLeftBehind,
} from '../../../model/tree/tree.ts';
import { toSessionId } from '../format.ts';
import { findProjects, toProjectDirectoryName } from '../places/surroundings.ts';
import { toPieces } from './new-session.ts';

const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const ID_LENGTH = 8;

/**
 * A fork is a file in the form of `fork session` of newer releases, which 0.17.1 loads, too: uuids
 * kept, each line with its new session and where it came from. It holds one path, or all there is.
 */
export function planForks(
  session: Session,
  request: ForkRequest,
  world: ForkWorld,
): readonly ForkPlan[] {
  const tree = treeOf(session);
  if (!tree.leaf) {
    throw new FileError(session.path, 'session-empty', 'has no messages: there is nothing to fork');
  }
  const aside = session.entries.filter((entry) => entry.aside);
  const plan = (path: readonly Entry[]): ForkPlan =>
    planFork({ session, tree, aside }, path, request, world);
  return planStarts(request.start, session, tree, {
    planPath: (at) => plan(getForkPath(session, tree, at)),
    planWhole: () => plan(session.entries.filter((entry) => !entry.aside)),
    findEnds,
  });
}

interface Source {
  readonly session: Session;
  readonly tree: Tree;
  /** The entries beside the tree. */
  readonly aside: readonly Entry[];
}

function planFork(
  { session, tree, aside }: Source,
  entries: readonly Entry[],
  { start, cwd, directory, id: ownId, name }: ForkRequest,
  { createId }: ForkWorld,
): ForkPlan {
  const id = ownId ?? createId().slice(-ID_LENGTH);
  if (!SESSION_ID.test(id) || id.endsWith('.jsonl')) {
    throw new CoppiceError(
      `--id ${id}: expected letters, digits, '-', '_' and '.', and not the name of a file`,
    );
  }
  const beside =
    cwd === undefined
      ? dirname(session.path)
      : join(findProjects(session.path), toProjectDirectoryName(cwd));
  const isWhole = start.kind === 'whole';
  const passage = { from: toSessionId(session.path), to: id };
  const ids = new Set(entries.flatMap((entry) => entry.id ?? []));
  const pieces = toPieces(aside, entries, { passage, name, isWhole });
  return {
    path: join(directory ?? beside, `${id}.jsonl`),
    id,
    pieces,
    ids,
    left: isWhole ? undefined : findLeftBehind(getCurrentPath(tree), entries),
    entryCount: pieces.length,
    leafId: entries.at(-1)?.id ?? null,
  };
}

/**
 * Returns the path of a fork in file order. A path on which the agent would go round in circles, which it
 * cannot name, or at whose end it would not continue, is refused.
 */
function getForkPath(session: Session, tree: Tree, at: Entry | undefined): readonly Entry[] {
  const path = getPath(tree, at);
  const nameless = path.find(({ id }) => id === undefined);
  if (nameless) {
    const message = `the message on line ${nameless.line} has no uuid: use --whole, or --at another message`;
    throw new FileError(session.path, 'entry-without-id', message);
  }
  const ids = new Set(path.map(({ id }) => id));
  const hasRoot = path.some(({ parentId }) => parentId === null || !ids.has(parentId));
  if (path.length > 0 && !hasRoot) {
    const message = `the path to ${at?.id} is a cycle, and has no beginning`;
    throw new FileError(session.path, 'entry-cycle', message);
  }
  const last = path.at(-1);
  if (last !== at) {
    // The agent would continue there.
    const message = `line ${last?.line} repeats the uuid of a message before ${at?.id}: use --whole, or --at another message`;
    throw new FileError(session.path, 'entry-ambiguous', message);
  }
  return path;
}
