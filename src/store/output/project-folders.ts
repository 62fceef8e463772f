import { basename, dirname, join } from 'node:path';
import { FileError } from '../../errors.ts';
import type { KnownSession } from '../../session/migrate/relocation.ts';
import type { MigrationResult } from '../../session/migrate/types.ts';
import { findNamesBelow, joinNames, type PathMove } from '../../session/model/paths.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import {
  judgeProjectFolder,
  moveProjectFolder,
  type ProjectMove,
  toProjectMove,
} from './move-project-folder.ts';
import { removeEmptied } from './remove-emptied.ts';
import { toProblem } from '../select/found-file.ts';

export interface MovedFolders {
  readonly results: readonly MigrationResult[];
  readonly problems: readonly FileProblem[];
  /** The folders that move, or would, although no session does: no result reports them. */
  readonly alone: readonly Pick<ProjectMove, 'from' | 'to'>[];
}

/**
 * Moves the files that belong to a project, not to a session, after the last session has left the old
 * directory, which is removed if it is empty then. If a run was interrupted before that, the next one moves them. If they are kept, the
 * result of a moved session reports it.
 */
export async function moveProjectFolders(
  sessions: readonly KnownSession[],
  results: readonly MigrationResult[],
  moves: readonly PathMove[],
  apply: boolean,
): Promise<MovedFolders> {
  const changed = new Map(results.map((result) => [result.path, result]));
  const problems: FileProblem[] = [];
  const alone: ProjectMove[] = [];
  for (const { session, move } of listMoves(sessions, results, moves)) {
    try {
      const fate = await judgeProjectFolder(move);
      if (fate === 'none') continue;
      if (fate === 'moves' && apply) await moveProjectFolder(move);
      const result = session && changed.get(session);
      if (!result && fate === 'moves') alone.push(move);
      if (result) changed.set(session, describe(result, basename(move.from), fate));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      problems.push(toProblem(error));
    }
  }
  if (apply) await removeLeft(sessions, results);
  return { results: [...changed.values()], problems, alone };
}

async function removeLeft(
  sessions: readonly KnownSession[],
  results: readonly MigrationResult[],
): Promise<void> {
  const byPath = new Map(sessions.map((session) => [session.path, session]));
  const left = new Map(listMoved(results).map(({ path }) => [dirname(path), byPath.get(path)]));
  for (const [directory, session] of left) if (session) await removeEmptied(directory, session);
}

interface Candidate {
  readonly move: ProjectMove;
  /** One that has moved from there to there. */
  readonly session: string | undefined;
}

/** Lists moves from the directories of sessions that moved, and of projects all of whose sessions have. */
function listMoves(
  sessions: readonly KnownSession[],
  results: readonly MigrationResult[],
  moves: readonly PathMove[],
): readonly Candidate[] {
  const moved = listMoved(results);
  const moving = new Set(moved.map(({ path }) => path));
  const byPath = new Map(sessions.map((session) => [session.path, session]));
  const found = new Map<string, Candidate>();
  const add = (from: string, to: string, places: KnownSession, session?: string): void => {
    for (const folder of places.projectFolders ?? []) {
      const move = toProjectMove(from, to, folder, { moving, places });
      if (from !== to && !found.has(move.from)) found.set(move.from, { move, session });
    }
  };
  for (const { path, newPath } of moved) {
    const session = byPath.get(path);
    if (session) add(dirname(path), dirname(newPath), session, path);
  }
  for (const session of sessions) {
    const { header, path, toProjectDirectoryName } = session;
    if (!toProjectDirectoryName) continue;
    const here = dirname(path);
    for (const { from, to } of moves) {
      const names = findNamesBelow(header.cwd, to);
      if (!names || basename(here) !== toProjectDirectoryName(header.cwd)) continue;
      const before = toProjectDirectoryName(joinNames(from, names));
      add(join(dirname(here), before), here, session);
    }
  }
  return [...found.values()];
}

/** Lists the old and new paths of the files that have moved. */
function listMoved(results: readonly MigrationResult[]) {
  return results.flatMap(({ action, path, newPath }) =>
    action === 'relocate' && newPath !== null ? [{ path, newPath }] : [],
  );
}

function describe(result: MigrationResult, folder: string, fate: string): MigrationResult {
  if (fate === 'moves') {
    return { ...result, reasons: [...result.reasons, `with ${folder}/ of its project`] };
  }
  const why =
    fate === 'taken' ? 'the new directory has one of its own' : 'sessions are left in the old one';
  const message = `${folder}/ of its project is not moved: ${why}`;
  return { ...result, problems: [...result.problems, { line: 1, code: 'folder-kept', message }] };
}
