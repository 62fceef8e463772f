import { FileError } from '../../errors.ts';
import type { ActionResult } from '../model/action.ts';
import { isOtherFile } from '../jsonl/write/is-other-file.ts';
import { fileExists } from '../jsonl/read/read-lines.ts';
import type { Opening } from '../read/read-opening.ts';
import type { MigrateOptions } from './types.ts';

/** Where the migrated session goes. */
export type Destination =
  /** `like`: a file that has the permissions of the new one; it is for its owner only without. */
  | { readonly kind: 'new'; readonly newPath: string; readonly like?: string }
  | {
      readonly kind: 'replace';
      /** Null if it keeps its name. */
      readonly newPath: string | null;
      readonly backupPath: string | null;
    };

type Refusal = Pick<ActionResult, 'action' | 'reasons'>;

const ARRAY_FILE = /\.json$/;

/**
 * Where a session goes, or why it goes nowhere. Nothing that is there already is ever in the way of
 * nothing but a run like this one before.
 * @throws FileError, `EEXIST`, if another file has the name of the new one or of the backup.
 */
export async function findDestination(
  opening: Opening,
  options: Pick<MigrateOptions, 'out' | 'relocation' | 'backupSuffix'>,
): Promise<Destination | Refusal> {
  const { path, stamp } = opening.session;
  const { out, relocation, backupSuffix } = options;
  if (opening.framing === 'array') return findForArray(out ?? relocation?.moveTo ?? path, opening);
  if (out !== undefined) {
    if (await fileExists(out)) return { action: 'skip', reasons: [`is there already: ${out}`] };
    return { kind: 'new', newPath: out };
  }
  const newPath = relocation?.moveTo ?? null;
  const backupPath = backupSuffix === undefined ? null : path + backupSuffix;
  for (const name of [newPath, backupPath]) {
    if (name !== null && (await isOtherFile(name, stamp))) {
      throw new FileError(path, 'EEXIST', `would overwrite another file: ${name}`);
    }
  }
  return { kind: 'replace', newPath, backupPath };
}

/** pi lists `.jsonl` files only; the array itself stays, so that nothing is lost. */
async function findForArray(path: string, { session }: Opening): Promise<Destination | Refusal> {
  const newPath = path.replace(ARRAY_FILE, '.jsonl');
  if (newPath === path) {
    const reason = 'is one JSON array: give it a name that ends in .json first';
    return { action: 'skip', reasons: [reason] };
  }
  if (await fileExists(newPath)) {
    return { action: 'unchanged', reasons: [`was migrated to ${newPath}`] };
  }
  return { kind: 'new', newPath, like: session.path };
}
