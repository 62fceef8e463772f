import { LINKED_TO_MOVE } from '../model/action.ts';
import { basename, dirname, join } from 'node:path';
import type { Header } from '../model/entry.ts';
import { isInside, listAbove, movePath, type PathMove, toDirectory } from '../model/paths.ts';
import type { Relocation } from './types.ts';

/** A session of the stores, as far as moving it needs. */
export interface KnownSession {
  readonly path: string;
  readonly header: Header;
  /** Other directories in which it was at work, where there is no header that says which of them is its own. */
  readonly otherCwds?: readonly string[] | undefined;
  /** Whether it may move; any session may follow its parent. */
  readonly isChosen: boolean;
  /** Reached through a symbolic link in the store: then its file is not ours to move. */
  readonly isLinked: boolean;
  /** Absent where sessions do not lie by project. */
  readonly toProjectDirectoryName: ((cwd: string) => string) | undefined;
  /** The folders of its project beside sessions. */
  readonly projectFolders?: readonly string[];
  /** See `PlaceDialect`. */
  readonly needsDirectory?: true | undefined;
  /** Files that may name its project, and are not changed. */
  readonly projectLists?: readonly string[];
}

interface Move {
  readonly moveTo: string | undefined;
  /** Undefined when the header names the new one already. */
  readonly cwd: string | undefined;
  /** The move of its project. */
  readonly ofProject: PathMove | undefined;
}

/**
 * Plans the changes to the sessions of projects that moved, and of the sessions that were forked from them:
 * the header's cwd; the file's directory, where that is named after the project; and the `parentSession` of
 * whatever points to a file that has moved. A parent is moved before its forks, which then follow to where it
 * really is. A run that was interrupted is taken up by the next: a file in the old directory whose header
 * names the new cwd already is still moved, and a fork of a file that has been moved still follows.
 */
export class RelocationPlan {
  /** The moves of projects: the innermost directory is the first, and decides. */
  readonly #moves: readonly PathMove[];
  /** The way back. */
  readonly #reverse: readonly PathMove[];
  /** Old path → new path, of files that are moved. */
  readonly #moved = new Map<string, string>();
  /** The old paths of all files that are to move. */
  readonly #leaving: ReadonlySet<string>;
  /** Parents first: the sessions of one level do not depend on each other. */
  readonly levels: readonly (readonly KnownSession[])[];

  constructor(sessions: readonly KnownSession[], moves: readonly PathMove[]) {
    this.#moves = moves.toSorted((a, b) => b.from.length - a.from.length);
    this.#reverse = this.#moves.map(({ from, to }) => ({ from: to, to: from }));
    const byPath = new Map(sessions.map((session) => [session.path, session]));
    for (const session of sessions) this.#recordEarlierMove(session, byPath);
    const leaving = sessions.filter((one) => this.#findMove(one)?.moveTo !== undefined);
    this.#leaving = new Set(leaving.map(({ path }) => path));
    const isAffected = (session: KnownSession): boolean => {
      const parent = getParent(session.header);
      const parentSession = parent === undefined ? undefined : byPath.get(parent);
      return (
        this.#findMove(session) !== undefined ||
        (parent !== undefined && this.#moved.has(parent)) ||
        (parentSession !== undefined && this.#findMove(parentSession)?.moveTo !== undefined)
      );
    };
    this.levels = toLevels(sessions.filter(isAffected));
  }

  /** Records that a file has got its new path; call this for every such file, before its forks are asked about. */
  recordMove(from: string, to: string): void {
    this.#moved.set(from, to);
  }

  /** Undefined when nothing about the session changes. */
  relocate(session: KnownSession): Relocation | undefined {
    const move = this.#findMove(session);
    const parent = getParent(session.header);
    const parentSession = parent === undefined ? undefined : this.#moved.get(parent);
    if (!move && parentSession === undefined) return undefined;
    const reasons = [
      ...(move ? ['its project moved'] : []),
      ...(parentSession === undefined ? [] : ['its parent session moved']),
    ];
    const obstacle = move && this.#findObstacle(session, move);
    const changes = { cwd: move?.cwd, parentSession };
    const moveTo = move?.moveTo;
    const meetsLeaving = moveTo !== undefined && this.#leaving.has(moveTo);
    return { changes, move: move?.ofProject, moveTo, meetsLeaving, reasons, obstacle };
  }

  #findObstacle({ isLinked, otherCwds = [] }: KnownSession, move: Move): string | undefined {
    if (isLinked && move.moveTo !== undefined) return LINKED_TO_MOVE;
    const others = otherCwds.map((cwd) => movePath(cwd, this.#moves));
    const again = [move.cwd, ...others].find(
      (cwd) => cwd !== undefined && movePath(cwd, this.#moves) !== undefined,
    );
    return again === undefined
      ? undefined
      : `its new directory ${again} is one that moves: a second run would move it again; move it in a command of its own`;
  }

  #findMove(session: KnownSession): Move | undefined {
    if (!session.isChosen) return undefined;
    const home = this.#findHome(session);
    const move = home === undefined ? undefined : this.#findMoveOf(session, home);
    return move ?? this.#findMoveOf(session, session.header.cwd);
  }

  /** The directory that its own is named after: the first line may name one below that, or another one. */
  #findHome({ path, header, otherCwds, ...places }: KnownSession): string | undefined {
    if (!otherCwds) return undefined;
    const name = basename(dirname(path));
    const directories = [header.cwd, ...otherCwds].flatMap((cwd) => [cwd, ...listAbove(cwd)]);
    return directories.find((cwd) =>
      [cwd, movePath(cwd, this.#reverse)].some(
        (one) => one !== undefined && places.toProjectDirectoryName?.(one) === name,
      ),
    );
  }

  #findMoveOf(session: KnownSession, cwd: string): Move | undefined {
    const mapped = movePath(cwd, this.#moves);
    const before = mapped === undefined ? movePath(cwd, this.#reverse) : cwd;
    if (before === undefined) return undefined;
    const directory = basename(dirname(session.path));
    const isInOldDirectory = directory === session.toProjectDirectoryName?.(before);
    const moveTo = isInOldDirectory ? toSibling(session, mapped ?? cwd) : undefined;
    if (mapped === undefined && moveTo === undefined) return undefined;
    const ofProject = this.#moves.find(({ from }) => isInside(before, from));
    return { moveTo, cwd: mapped, ofProject };
  }

  /** A file that an earlier run has moved, unless there is one of its old name. */
  #recordEarlierMove(session: KnownSession, known: ReadonlyMap<string, unknown>): void {
    const { path, header } = session;
    const before = movePath(header.cwd, this.#reverse);
    if (before === undefined) return;
    if (basename(dirname(path)) !== session.toProjectDirectoryName?.(header.cwd)) return;
    const old = toSibling(session, before);
    if (!known.has(old)) this.#moved.set(old, path);
  }
}

/** Returns the path of the file when its project is at `cwd`. */
function toSibling({ path, toProjectDirectoryName }: KnownSession, cwd: string): string {
  const name = toProjectDirectoryName?.(cwd);
  return name === undefined ? path : join(dirname(dirname(path)), name, basename(path));
}

function getParent({ parentSession, branchedFrom }: Header): string | undefined {
  const parent = parentSession ?? branchedFrom;
  return parent === undefined ? undefined : toDirectory(parent, '');
}

/** Sessions by the number of their ancestors among them. Parents in a circle count as none. */
function toLevels(sessions: readonly KnownSession[]): readonly (readonly KnownSession[])[] {
  const byPath = new Map(sessions.map((session) => [session.path, session]));
  const depths = new Map<string, number>();
  for (const { path } of sessions) {
    const line: string[] = [];
    const seen = new Set<string>();
    let at: string | undefined = path;
    while (at !== undefined && byPath.has(at) && !depths.has(at) && !seen.has(at)) {
      line.push(at);
      seen.add(at);
      const session = byPath.get(at);
      at = session && getParent(session.header);
    }
    let depth = at === undefined ? -1 : (depths.get(at) ?? -1);
    for (const known of line.toReversed()) depths.set(known, (depth += 1));
  }
  const levels: KnownSession[][] = [];
  for (const session of sessions) (levels[depths.get(session.path) ?? 0] ??= []).push(session);
  return levels;
}
