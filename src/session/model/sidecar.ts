import { basename } from 'node:path';

const EXTENSION = /\.jsonl?$/;

/** The name of a session's folder: where agents and `compact` put what belongs to `x.jsonl`. */
export function getFolderName(path: string): string | undefined {
  const name = basename(path);
  const folder = name.replace(EXTENSION, '');
  return folder === name || folder === '' ? undefined : folder;
}

/** The file that keeps what repairs take out of a session file. */
export function getRejectedPath(path: string): string {
  return `${path}.rejected`;
}

/** A file or folder beside a session that belongs to it, in the same directory. */
export interface Sidecar {
  readonly name: string;
  /** What is of another kind under this name is not the session's. */
  readonly kind: 'directory' | 'file';
}

/**
 * The sidecars that a session file may have: its folder, and the file of what `validate --fix` took
 * out. Exact names: a neighbour whose name begins alike is another's. So is the file `x` beside
 * `x.jsonl`, which may be a session itself: `x.jsonl` beside `x.jsonl.jsonl`.
 */
export function listSidecars(path: string): readonly Sidecar[] {
  const folder = getFolderName(path);
  const rejected: Sidecar = { name: basename(getRejectedPath(path)), kind: 'file' };
  return folder === undefined ? [rejected] : [{ name: folder, kind: 'directory' }, rejected];
}

/**
 * The file that has the folder of `x.json`, where it is there: `x.jsonl`, which agents read.
 * Undefined for a file that shares its folder with no other.
 */
export function getFolderRival(path: string): string | undefined {
  return path.endsWith('.json') ? `${path}l` : undefined;
}
