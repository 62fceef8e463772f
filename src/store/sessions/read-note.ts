import { UsageError } from '../../errors.ts';
import type { JsonObject } from '../../session/jsonl/edit/json.ts';
import { isGone } from '../files/stat-file.ts';
import { readSettings } from '../settings/settings.ts';

/**
 * The JSON object of a file beside sessions; an empty one where it is not there, undefined where it cannot
 * be read, or is a link that leads nowhere.
 */
export async function readNote(path: string): Promise<JsonObject | undefined> {
  if (isGone(path)) return {};
  try {
    return await readSettings(path);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
