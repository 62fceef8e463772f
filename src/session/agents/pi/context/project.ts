import type { Entry } from '../../../model/entry.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { contributes, findEdits } from './context.ts';
import { applyEdit, toContextMessages } from './context-messages.ts';
import type { ReadPayload } from '../../../dialect/fold.ts';

/** An entry of the context and what it puts there, context edits applied. */
export interface ProjectedEntry {
  readonly entry: Entry;
  /** The parsed line; undefined for entries of which only the place counts. */
  readonly payload: JsonObject | undefined;
  readonly messages: readonly JsonObject[];
}

/**
 * The messages of each entry that counts for the context, as `buildSessionProjection` of pi 1.6.0:
 * of several compactions only the latest, which comes first, contributes.
 */
export async function project(
  context: readonly Entry[],
  readPayload: ReadPayload,
): Promise<readonly ProjectedEntry[]> {
  const edits = findEdits(context);
  const projected: ProjectedEntry[] = [];
  for (const [index, entry] of context.entries()) {
    if (entry.type === 'context_edit') {
      projected.push({ entry, payload: await readPayload(entry), messages: [] });
    } else if (!contributes(entry) || (entry.type === 'compaction' && index > 0)) {
      projected.push({ entry, payload: undefined, messages: [] });
    } else {
      const payload = await readPayload(entry);
      const own = toContextMessages(payload, entry.role);
      const edit = entry.id === undefined ? undefined : edits.get(entry.id);
      const messages = edit ? applyEdit(own, await readPayload(edit)) : own;
      projected.push({ entry, payload, messages });
    }
  }
  return projected;
}

/** Returns whether an entry would be in the context if no edit left it out. */
export function isVisible({ entry, payload }: ProjectedEntry): boolean {
  return payload !== undefined && toContextMessages(payload, entry.role).length > 0;
}
