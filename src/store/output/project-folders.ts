import { basename, dirname, join } from 'node:path';
import { FileError } from '../../errors.ts';
import type { CwdRule, KnownSession } from '../../session/migrate/relocation.ts';
import type { MigrationResult } from '../../session/migrate/types.ts';
import { findNamesBelow, joinNames } from '../../session/model/paths.ts';
import type { FileProblem } from '../../session/model/summary.ts';
import {
  judgeProjectFolder,
  moveProjectFolder,
  type ProjectMove,
  toProjectMove,
} from './move-project-folder.ts';
import { toProblem } from '../select/found-file.ts';

export interface MovedFolders {
  readonly results: readonly MigrationResult[];
  readonly problems: readonly FileProblem[];
}

/**
 * Moves the files that belong to a project, not to a session, after the last session has left the old
 * directory. If a run was interrupted before that, the next one moves them. If they are kept, the
 * result of a moved session reports it.
 */
export async function moveProjectFolders(
  sessions: readonly KnownSession[],
  results: readonly MigrationResult[],
  moves: readonly CwdRule[],
  apply: boolean,
): Promise<MovedFolders> {
  const changed = new Map(results.map((result) => [result.path, result]));
  const problems: FileProblem[] = [];
  for (const { session, move } of listMoves(sessions, results, moves)) {
    try {
      const fate = await judgeProjectFolder(move);
      if (fate === 'none') continue;
      if (fate === 'moves' && apply) await moveProjectFolder(move);
      const result = session && changed.get(session);
      if (result) changed.set(session, describe(result, basename(move.from), fate));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      problems.push(toProblem(error));
    }
  }
  return { results: [...changed.values()], problems };
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
  moves: readonly CwdRule[],
): readonly Candidate[] {
  const moved = results.flatMap(({ action, path, newPath }) =>
    action === 'relocate' && newPath !== null ? [{ path, newPath }] : [],
  );
  const moving = new Set(moved.map(({ path }) => basename(path)));
  const byPath = new Map(sessions.map((session) => [session.path, session]));
  const found = new Map<string, Candidate>();
  const add = (from: string, to: string, folders: readonly string[], session?: string): void => {
    for (const folder of folders) {
      const move = toProjectMove(from, to, folder, moving);
      if (from !== to && !found.has(move.from)) found.set(move.from, { move, session });
    }
  };
  for (const { path, newPath } of moved) {
    add(dirname(path), dirname(newPath), byPath.get(path)?.projectFolders ?? [], path);
  }
  for (const { header, path, projectFolders = [], toProjectDirectoryName } of sessions) {
    if (!toProjectDirectoryName) continue;
    const here = dirname(path);
    for (const { from, to } of moves) {
      const names = findNamesBelow(header.cwd, to);
      if (!names || basename(here) !== toProjectDirectoryName(header.cwd)) continue;
      const before = toProjectDirectoryName(joinNames(from, names));
      add(join(dirname(here), before), here, projectFolders);
    }
  }
  return [...found.values()];
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
