import { FileError, UsageError } from '../../errors.ts';
import type { JsonObject } from '../../session/jsonl/edit/json.ts';
import { isGone } from '../files/stat-file.ts';
import { readSettings } from '../settings/settings.ts';

/**
 * The JSON object of a file beside sessions; an empty one where it is not there, undefined where it cannot
 * be read, or is a link that leads nowhere. `onProblem`: takes the error for one that cannot be read.
 */
export async function readNote(
  path: string,
  onProblem?: (problem: FileError) => void,
): Promise<JsonObject | undefined> {
  if (isGone(path)) return {};
  try {
    return await readSettings(path);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    const { cause } = error;
    const known = cause instanceof FileError ? cause : undefined;
    onProblem?.(known ?? new FileError(path, 'EINVAL', 'cannot read: is not a JSON object'));
    return undefined;
  }
}
