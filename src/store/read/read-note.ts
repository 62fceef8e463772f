import { UsageError } from '../../errors.ts';
import type { JsonObject } from '../../session/jsonl/edit/json.ts';
import { readSettings } from '../settings/settings.ts';

/**
 * The JSON object of a file beside sessions; an empty one where it is not there or cannot be read. Without
 * it, less is known of them; nothing else depends on it.
 */
export async function readNote(path: string): Promise<JsonObject> {
  try {
    return (await readSettings(path)) ?? {};
  } catch (error) {
    if (error instanceof UsageError) return {};
    throw error;
  }
}
