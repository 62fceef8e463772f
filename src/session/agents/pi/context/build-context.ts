import type { SessionContext } from '../../../dialect/dialect.ts';
import type { Entry } from '../../../model/entry.ts';
import type { JsonObject } from '../../../jsonl/edit/json.ts';
import { contributes, findEdits, getContextSettings, selectContext } from './context.ts';
import { applyEdit, toContextMessages } from './context-messages.ts';
import type { ReadPayload } from '../../../dialect/fold.ts';

/**
 * Builds the messages that the model is sent when the agent continues at the end of `path`, as
 * `buildSessionContext` of pi 1.6.0. Payloads are asked for one at a time.
 */
export async function buildContext(
  path: readonly Entry[],
  readPayload: ReadPayload,
): Promise<SessionContext> {
  const context = selectContext(path);
  const edits = findEdits(context);
  const messages: JsonObject[] = [];
  for (const [index, entry] of context.entries()) {
    // An older compaction inside the range that a newer one keeps has no say.
    if (!contributes(entry) || (entry.type === 'compaction' && index > 0)) continue;
    const own = toContextMessages(await readPayload(entry), entry.role);
    const edit = entry.id === undefined ? undefined : edits.get(entry.id);
    messages.push(...(edit ? applyEdit(own, await readPayload(edit)) : own));
  }
  return { messages, ...getContextSettings(path) };
}
