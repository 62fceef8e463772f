import { dirname, join } from 'node:path';
import { listDirectory, listNames } from '../../session/jsonl/files/list-directory.ts';
import { moveDirectory } from '../../session/jsonl/write/move-file.ts';
import { isFreeForDirectory, lookUp } from '../files/stat-file.ts';
import { type Emptied, removeEmptied } from './remove-emptied.ts';

/** The outcome for a folder that belongs to a project, and not to one of its sessions. */
export type FolderFate = 'none' | 'moves' | 'sessions-left' | 'taken';

export interface ProjectMove {
  /** The folder, in the directory of the project. */
  readonly from: string;
  readonly to: string;
  /** The paths of sessions that move as well: one of the same name in another home may be left. */
  readonly moving: ReadonlySet<string>;
  readonly places: Emptied;
}

/**
 * Returns whether the folder follows its project: when no session is left in the old directory, and the new
 * one has no such folder, or an empty one. A link is not followed. An empty one that cannot is not worth a word.
 */
export async function judgeProjectFolder({ from, to, moving }: ProjectMove): Promise<FolderFate> {
  if (!(await isDirectory(from))) return 'none';
  const isEmpty = listNames(from).length === 0;
  const sessions = listDirectory(dirname(from), '.jsonl');
  if (!sessions.every((path) => moving.has(path))) return isEmpty ? 'none' : 'sessions-left';
  if (await isFreeForDirectory(to)) return 'moves';
  return isEmpty ? 'none' : 'taken';
}

/** Moves it; the old directory of the project is removed if nothing else is in it. */
export async function moveProjectFolder({ from, to, places }: ProjectMove): Promise<void> {
  await moveDirectory(from, to);
  await removeEmptied(dirname(from), places);
}

/** Returns the move of the folder to another directory of the project. */
export function toProjectMove(
  from: string,
  to: string,
  folder: string,
  { moving, places }: Pick<ProjectMove, 'moving' | 'places'>,
): ProjectMove {
  return { from: join(from, folder), to: join(to, folder), moving, places };
}

async function isDirectory(path: string): Promise<boolean> {
  return (await lookUp(path))?.isDirectory() === true;
}
