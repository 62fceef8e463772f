import { basename } from 'node:path';
import { getRejectedPath } from './fixes/rejected.ts';

const EXTENSION = /\.jsonl?$/;

/** The name of a session's folder: where agents and `compact` put what belongs to `x.jsonl`. */
export function getFolderName(path: string): string | undefined {
  const name = basename(path);
  const folder = name.replace(EXTENSION, '');
  return folder === name || folder === '' ? undefined : folder;
}

/**
 * The names of what may lie beside a session file and belongs to it: its folder, and what
 * `validate --fix` took out. Exact names: a neighbour whose name begins alike is another's.
 */
export function listNamesBeside(path: string): readonly string[] {
  const folder = getFolderName(path);
  const rejected = basename(getRejectedPath(path));
  return folder === undefined ? [rejected] : [folder, rejected];
}
