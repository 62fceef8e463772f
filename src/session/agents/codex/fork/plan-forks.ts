import { dirname, join } from 'node:path';
import { type ErrorCode, CoppiceError, FileError } from '../../../../errors.ts';
import type {
  ForkNote,
  ForkPlan,
  ForkRequest,
  ForkRows,
  ForkWorld,
} from '../../../dialect/forking.ts';
import type { Entry, Header } from '../../../model/entry.ts';
import type { Session } from '../../../model/session.ts';
import { toOneLine } from '../../../model/text/cut-text.ts';
import { findEntry } from '../../../model/tree/find-entry.ts';
import {
  findLeaves,
  findLeftBehind,
  getCurrentPath,
  getPath,
  type Tree,
  treeOf,
} from '../../../model/tree/tree.ts';
import { BARE_VERSION, CURRENT_VERSION, NO_HEADER, parseName } from '../format.ts';
import { bases } from '../index/bases.ts';
import { findHome, THREAD_ID } from '../places/home.ts';
import { placePath } from '../index/place-path.ts';
import { toRolloutName, toRolloutPath } from '../places/rollout-paths.ts';
import { NAMES } from '../places/database/records.ts';
import { isPrompt } from '../entry/turn-limits.ts';
import { getPathAt, getPathBefore, getWholePath, isSpoken } from './fork-path.ts';
import { toNewSession } from './new-session.ts';
import { type ThreadRow, toThreadRow } from './thread-row.ts';

/**
 * A fork is a file that holds all of its path: never one that points into another, which would tie
 * both together. It is of the form of its source; one without envelopes gets them on the way.
 */
export function planForks(
  session: Session,
  request: ForkRequest,
  world: ForkWorld,
): readonly ForkPlan[] {
  const header = requireForkable(session, request);
  const tree = treeOf(session);
  const plan = (path: readonly Entry[]): ForkPlan =>
    planFork({ session, header, tree }, path, request, world);
  const { start } = request;
  switch (start.kind) {
    case 'leaf':
      return [plan(getWholePath(session, tree))];
    case 'at':
      return [plan(getPathAt(session, tree, findEntry(session, tree, start.entry)))];
    case 'before': {
      const found = getPathBefore(session, tree, findEntry(session, tree, start.entry));
      return [{ ...plan(found.path), message: found.message }];
    }
    case 'whole':
      return [plan(listWhole(session, tree))];
    case 'each-leaf': {
      const ends = findEnds(session, tree);
      if (ends.length === 0) return [plan(getWholePath(session, tree))];
      return ends.map((end) => plan(placePath(session, getPath(tree, end))));
    }
  }
}

/** The last entry of every branch on which something was said. */
export function findEnds(session: Session, tree: Tree): readonly Entry[] {
  const leaves = new Set(findLeaves(tree));
  const isEnd = (entry: Entry): boolean =>
    leaves.has(entry) && placePath(session, getPath(tree, entry)).some(isSpoken);
  return session.entries.filter(isEnd);
}

function requireForkable(session: Session, { cwd }: ForkRequest): Header {
  const header = requireOpened(session);
  if (session.formatVersion !== BARE_VERSION) return header;
  if (header.cwd === '' && cwd === undefined) {
    const message = 'names no working directory; pass --cwd <dir>';
    throw new FileError(session.path, 'cwd-unknown', message);
  }
  return cwd === undefined ? header : { ...header, cwd };
}

/** @throws FileError for a thread that Codex does not open, or that coppice does not know. */
export function requireOpened({ path, header, formatVersion, problem }: Session): Header {
  const refuse = (code: ErrorCode, message: string): never => {
    throw new FileError(path, code, message);
  };
  if (!header) return refuse('header-missing', NO_HEADER);
  if (formatVersion > CURRENT_VERSION) {
    return refuse('version-unknown', 'has a history mode that this coppice does not know');
  }
  return problem ? refuse('session-unusable', problem.message) : header;
}

/** Every line, with turns that were rolled back, where one file can hold them. */
function listWhole(session: Session, tree: Tree): readonly Entry[] {
  const path = getWholePath(session, tree);
  if (session.formatVersion !== CURRENT_VERSION) return session.entries;
  if (findLeaves(tree).length <= 1) return path;
  const message =
    'has turns that were reverted, which one file of Codex cannot hold: use --each-leaf';
  throw new FileError(session.path, 'not-supported', message);
}

interface Source {
  readonly session: Session;
  readonly header: Header;
  readonly tree: Tree;
}

function planFork(
  { session, header, tree }: Source,
  path: readonly Entry[],
  { start, cwd, directory, id: ownId, name }: ForkRequest,
  { now, createId }: ForkWorld,
): ForkPlan {
  const id = ownId ?? createId();
  if (!THREAD_ID.test(id)) {
    throw new CoppiceError(`--id ${id}: expected a UUID in lower case; Codex finds no other`);
  }
  const time = now();
  const timestamp = new Date(time).toISOString();
  const { path: source, formatVersion: version } = session;
  const passage = { path: source, version, header, id, timestamp, cwd };
  const file = findPlace(source, directory, { id, time });
  return {
    path: file,
    id,
    ...toNewSession(path, passage),
    ids: new Set(path.flatMap((entry) => entry.id ?? [])),
    left: start.kind === 'whole' ? undefined : findLeftBehind(getCurrentPath(tree), path),
    sameId: {
      places: [dirname(file), ...bases.listPlaces(source)],
      isNamed: (other) => parseName(other)?.threadId === id,
    },
    ...(name !== undefined &&
      keepName(file, path, { id, name, timestamp, version, cwd: cwd ?? header.cwd })),
  };
}

/** Finds the place that Codex would choose; beside a source that is in no home. */
function findPlace(
  source: string,
  directory: string | undefined,
  { id, time }: { readonly id: string; readonly time: number },
): string {
  const home = directory === undefined ? findHome(source) : undefined;
  if (home !== undefined) return toRolloutPath(home, id, time);
  return join(directory ?? dirname(source), toRolloutName(id, time));
}

interface NamedFork extends Omit<ThreadRow, 'path'> {
  readonly version: number;
}

/** Names of threads since 0.148 are in a database, and others in a file; the client writes that for all. */
function keepName(
  path: string,
  entries: readonly Entry[],
  { version, ...row }: NamedFork,
): Pick<ForkPlan, 'notes' | 'rows'> {
  const named = { ...row, name: toOneLine(row.name) };
  const notes = listNotes(path, named);
  if (version !== CURRENT_VERSION) return { notes };
  const prompt = entries.find(isPrompt);
  const toRows: ForkRows['toRows'] = (header, text) =>
    toThreadRow({ ...named, path }, header, text);
  return { notes, rows: { prompt, toRows } };
}

/** Lists the lines that Codex appends when a thread gets a name. */
function listNotes(
  path: string,
  { id, name, timestamp }: Omit<ThreadRow, 'path'>,
): readonly ForkNote[] {
  const home = findHome(path);
  if (home === undefined) {
    const message =
      'would be outside of a home of Codex, which keeps the names; fork without --name';
    throw new FileError(path, 'not-supported', message);
  }
  const line = { id, thread_name: name, updated_at: timestamp };
  return [{ path: join(home, NAMES), line: JSON.stringify(line) }];
}
