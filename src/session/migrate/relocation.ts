import { LINKED_TO_MOVE } from '../model/action.ts';
import { basename, dirname, join } from 'node:path';
import type { ProjectList } from '../dialect/migration.ts';
import type { Header } from '../model/entry.ts';
import { isInside, listAbove, movePath, type PathMove, toDirectory } from '../model/paths.ts';
import { getFolderPath } from '../model/sidecar.ts';
import { findFolder, MovedFolders, MovedPlaces } from './moved-places.ts';
import type { Relocation } from './types.ts';

type DirectoryName = (cwd: string) => string;

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
  readonly toProjectDirectoryName: DirectoryName | undefined;
  /** Finds how its store names the directories of projects, where it may do so in several ways, by its own project. */
  readonly findNaming?: ((path: string, cwd: string) => DirectoryName) | undefined;
  /** The folders of its project beside sessions. */
  readonly projectFolders?: readonly string[];
  /** See `PlaceDialect`. */
  readonly needsDirectory?: true | undefined;
  /** Files that may name its project, and are not changed. */
  readonly projectLists?: readonly ProjectList[];
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
  readonly #byPath: ReadonlyMap<string, KnownSession>;
  /** The places that this run has made, and those that an earlier one has. */
  readonly #moved = new MovedPlaces();
  readonly #movedEarlier = new MovedPlaces();
  /** The folders of the sessions that move, or have moved, by the directories that they leave. */
  readonly #folders = new MovedFolders();
  /** The old paths of all files that are to move. */
  readonly #leaving: ReadonlySet<string>;
  /**
   * Parents first, and the session in whose folder another one is: the sessions of one level do not depend on each
   * other.
   */
  readonly levels: readonly (readonly KnownSession[])[];

  constructor(sessions: readonly KnownSession[], moves: readonly PathMove[]) {
    this.#moves = moves.toSorted((a, b) => b.from.length - a.from.length);
    this.#reverse = this.#moves.map(({ from, to }) => ({ from: to, to: from }));
    this.#byPath = new Map(sessions.map((session) => [session.path, session]));
    for (const session of sessions) this.#recordEarlierMove(session);
    const planned = new MovedPlaces();
    /** Folder → session that moves with it. */
    const owners = new Map<string, string>();
    const leaving = new Set<string>();
    for (const session of sessions) {
      const move = this.#findMove(session);
      const moveTo = move?.moveTo;
      if (!move || moveTo === undefined) continue;
      planned.record(session.path, moveTo);
      if (this.#findObstacle(session, move) === undefined)
        this.#folders.record(session.path, moveTo);
      owners.set(getFolderPath(session.path) ?? session.path, session.path);
      leaving.add(session.path);
    }
    this.#leaving = leaving;
    const isAffected = (session: KnownSession): boolean => {
      const parent = getParent(session.header);
      const follows = parent !== undefined && (this.#findPlace(parent) ?? planned.find(parent));
      return this.#findMove(session) !== undefined || typeof follows === 'string';
    };
    this.levels = toLevels(sessions.filter(isAffected), ({ path, header }) => {
      const parent = getParent(header);
      const files = parent === undefined ? [path] : [path, parent];
      return [...files.slice(1), ...files.flatMap((file) => findFolder(file, owners)?.value ?? [])];
    });
  }

  /** Records that a file has got its new path; call this for every such file, before its forks are asked about. */
  recordMove(from: string, to: string): void {
    this.#moved.record(from, to);
  }

  /** Undefined when nothing about the session changes. */
  relocate(session: KnownSession): Relocation | undefined {
    const move = this.#findMove(session);
    const parent = getParent(session.header);
    const parentSession = parent === undefined ? undefined : this.#findPlace(parent);
    if (!move && parentSession === undefined) return undefined;
    const reasons = [
      ...(move ? ['its project moved'] : []),
      ...(parentSession === undefined ? [] : ['its parent session moved']),
    ];
    const obstacle = move && this.#findObstacle(session, move);
    const changes = { cwd: move?.cwd, parentSession };
    const moveTo = move?.moveTo;
    const meetsLeaving = moveTo !== undefined && this.#leaving.has(moveTo);
    const at = this.#moved.find(session.path);
    const folders = moveTo === undefined ? [] : this.#folders.list(session.path);
    return { changes, move: move?.ofProject, moveTo, folders, at, meetsLeaving, reasons, obstacle };
  }

  /** Finds where a file is that has moved; undefined for one that has not. */
  #findPlace(path: string): string | undefined {
    const place = this.#moved.find(path);
    return place ?? (this.#byPath.has(path) ? undefined : this.#movedEarlier.find(path));
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
    const toName = getNaming(session, before);
    const isInOldDirectory = directory === toName?.(before);
    const place = isInOldDirectory ? toSibling(session.path, toName(mapped ?? cwd)) : undefined;
    // The directories of both projects may have one name.
    const moveTo = place === session.path ? undefined : place;
    if (mapped === undefined && moveTo === undefined) return undefined;
    const ofProject = this.#moves.find(({ from }) => isInside(before, from));
    return { moveTo, cwd: mapped, ofProject };
  }

  /** A file that an earlier run has moved, unless there is one of its old name. */
  #recordEarlierMove(session: KnownSession): void {
    const { path, header } = session;
    const before = movePath(header.cwd, this.#reverse);
    if (before === undefined) return;
    const toName = getNaming(session, header.cwd);
    if (basename(dirname(path)) !== toName?.(header.cwd)) return;
    const old = toSibling(path, toName(before));
    if (this.#byPath.has(old)) return;
    this.#movedEarlier.record(old, path);
    this.#folders.record(old, path);
  }
}

/** `cwd`: after which the directory of the session may be named. */
function getNaming(session: KnownSession, cwd: string): DirectoryName | undefined {
  return session.findNaming?.(session.path, cwd) ?? session.toProjectDirectoryName;
}

/** Returns the path of the file in a directory beside its own. */
function toSibling(path: string, name: string): string {
  return join(dirname(dirname(path)), name, basename(path));
}

function getParent({ parentSession, branchedFrom }: Header): string | undefined {
  const parent = parentSession ?? branchedFrom;
  return parent === undefined ? undefined : toDirectory(parent, '');
}

/** Sorts sessions into levels: each behind those that `listBefore` names of them. In a circle, one of them is the first. */
function toLevels(
  sessions: readonly KnownSession[],
  listBefore: (session: KnownSession) => readonly string[],
): readonly (readonly KnownSession[])[] {
  const before = new Map(sessions.map((session) => [session.path, listBefore(session)]));
  const depths = new Map<string, number>();
  for (const { path } of sessions) {
    const pending = [path];
    const open = new Set(pending);
    for (let at = pending.at(-1); at !== undefined; at = pending.at(-1)) {
      const all = (before.get(at) ?? []).filter((one) => before.has(one));
      const next = all.find((one) => !depths.has(one) && !open.has(one));
      if (next === undefined) {
        depths.set(at, Math.max(-1, ...all.map((one) => depths.get(one) ?? -1)) + 1);
        pending.pop();
      } else {
        pending.push(next);
        open.add(next);
      }
    }
  }
  const levels: KnownSession[][] = [];
  for (const session of sessions) (levels[depths.get(session.path) ?? 0] ??= []).push(session);
  return levels;
}
