import { basename, dirname, join } from 'node:path';
import { FileError } from '../../errors.ts';
import type { Dialect } from '../dialect/dialect.ts';
import type { ActionResult } from '../model/action.ts';
import { fileExists } from '../jsonl/read/read-lines.ts';
import { type Opening, readSessionId } from '../read/read-opening.ts';
import { MIGRATED_SUFFIX } from '../model/sidecar.ts';
import type { MigrateOptions, SidecarMove } from './types.ts';
import { isOtherFile } from '../jsonl/files/identity/file-stamp.ts';

/** The destination of the migrated session. */
export type Destination = Place & {
  /** They move to the directory of the session's new path. */
  readonly sidecars: readonly SidecarMove[];
};

type Place =
  /** `like`: a file that has the permissions of the new one; it is for its owner only without. */
  | {
      readonly kind: 'new';
      readonly newPath: string;
      readonly like?: string;
      /** The new name of the old file; unless given, it keeps its name. */
      readonly keepAs?: string;
    }
  /** The new session is there already, and the old file has kept its name: a run was interrupted. */
  | { readonly kind: 'keep'; readonly newPath: string; readonly keepAs: string }
  | {
      readonly kind: 'replace';
      /** Null if it keeps its name. */
      readonly newPath: string | null;
      readonly backupPath: string | null;
    }
  /** Another file has the new name; if it is the moved session, the old file is removed: two runs met. */
  | { readonly kind: 'meet'; readonly newPath: string; readonly backupPath: string | null };

type Refusal = Pick<ActionResult, 'action' | 'reasons'>;

const ARRAY_FILE = /\.json$/;

/** Returns the path of what a session becomes; an array gets another ending. */
export function toMigratedPath(path: string): string {
  return path.replace(ARRAY_FILE, '.jsonl');
}

/** The suffix of arrays that were migrated already. */
const KEPT = /^[.\-_~]/;

/**
 * Finds where a session and its sidecars go, or why they go nowhere. Existing files are never overwritten; the
 * output of an earlier run counts as done.
 * @throws FileError, `EEXIST`, if another file has the name of the backup, or of a sidecar, another session that of a
 * copy, or a session that moves as well the new one.
 */
export async function findDestination(
  opening: Opening,
  dialect: Dialect,
  options: DestinationOptions,
): Promise<Destination | Refusal> {
  const place = await findPlace(opening, options);
  const { moveTo, around } = options.relocation ?? {};
  if ('action' in place) return place;
  if (moveTo === undefined || !around) return { ...place, sidecars: [] };
  const { findUse } = options;
  const sidecars = await around.findSidecars(dialect, opening.session, dirname(moveTo), findUse);
  return typeof sidecars === 'string'
    ? { action: 'skip', reasons: [sidecars] }
    : { ...place, sidecars };
}

async function findPlace(opening: Opening, options: DestinationOptions): Promise<Place | Refusal> {
  const { path, stamp } = opening.session;
  if (opening.framing === 'array') return findForArray(opening, options);
  const { out, relocation, backupSuffix } = options;
  if (out !== undefined) {
    if (!(await fileExists(out))) return { kind: 'new', newPath: out };
    const isMade = (await readIdIfThere(out)) === opening.session.header?.id;
    if (!isMade) throw otherAt(path, out);
    return { action: 'skip', reasons: [`is there already: ${out}`] };
  }
  const newPath = relocation?.moveTo ?? null;
  const backupPath = backupSuffix === undefined ? null : path + backupSuffix;
  if (backupPath !== null && (await isOtherFile(backupPath, stamp))) throw taken(path, backupPath);
  const meets = newPath !== null && (await isOtherFile(newPath, stamp));
  if (meets && relocation?.meetsLeaving === true) throw taken(path, newPath);
  return meets ? { kind: 'meet', newPath, backupPath } : { kind: 'replace', newPath, backupPath };
}

function otherAt(path: string, name: string): FileError {
  return new FileError(path, 'EEXIST', describeOther(name));
}

function describeOther(name: string): string {
  return `another session already exists: ${name}`;
}

export function taken(path: string, name: string): FileError {
  return new FileError(path, 'EEXIST', `would overwrite another file: ${name}`);
}

/** The session that an array was migrated to, by the name under which the array is kept. */
function findKeptPath(path: string): string | undefined {
  const name = basename(path);
  const at = name.lastIndexOf('.json');
  const isKept = at !== -1 && KEPT.test(name.slice(at + '.json'.length));
  return isKept ? join(dirname(path), `${name.slice(0, at)}.jsonl`) : undefined;
}

type DestinationOptions = Pick<MigrateOptions, 'out' | 'relocation' | 'backupSuffix' | 'findUse'>;

/** pi lists `.jsonl` files only; the array itself is kept under another name, as its sidecar. */
async function findForArray(
  { session }: Opening,
  { out, relocation, backupSuffix = MIGRATED_SUFFIX }: DestinationOptions,
): Promise<Place | Refusal> {
  const { path, header, stamp } = session;
  const target = out ?? relocation?.moveTo ?? path;
  const newPath = toMigratedPath(target);
  if (newPath === target) {
    const keptPath = findKeptPath(target);
    const isMade = keptPath !== undefined && (await readIdIfThere(keptPath)) === header?.id;
    return isMade
      ? { action: 'unchanged', reasons: [`was migrated to ${keptPath}`] }
      : {
          action: 'skip',
          reasons: ['is one JSON array; rename it to end in .json first'],
        };
  }
  const keepAs = newPath.slice(0, -1) + backupSuffix;
  const isThere = await fileExists(newPath);
  if (isThere && (await readIdIfThere(newPath)) !== header?.id) {
    if (out !== undefined) throw otherAt(path, newPath);
    return { action: 'skip', reasons: [describeOther(newPath)] };
  }
  if (isThere && out !== undefined) {
    return { action: 'unchanged', reasons: [`was migrated to ${newPath}`] };
  }
  if (out !== undefined) return { kind: 'new', newPath, like: path };
  if (await isOtherFile(keepAs, stamp)) throw taken(path, keepAs);
  return isThere ? { kind: 'keep', newPath, keepAs } : { kind: 'new', newPath, like: path, keepAs };
}

async function readIdIfThere(path: string): Promise<string | undefined> {
  return (await fileExists(path)) ? (await readSessionId(path))?.id : undefined;
}
