import type { SessionContext } from '../../../dialect/dialect.ts';
import { getModelSettings } from '../../../dialect/model-settings.ts';
import type { ReadPayload } from '../../../dialect/fold.ts';
import type { Entry } from '../../../model/entry.ts';
import { gatherMessages, joinsPrompt } from './gather-messages.ts';
import { repairMessages } from './repair-messages.ts';

/** All of a path: a boundary is where it begins. */
export function selectContext(path: readonly Entry[]): readonly Entry[] {
  return path;
}

/**
 * The messages that 2.1.332 sends when it resumes at the end of a path, as the provider takes them;
 * without reminders, and without the answer that it puts before the next prompt.
 */
export async function buildContext(
  path: readonly Entry[],
  readPayload: ReadPayload,
): Promise<SessionContext> {
  const gathered = await gatherMessages(path, readPayload);
  const sent = repairMessages(gathered, joinsPrompt(path, gathered));
  const messages = sent.map(({ role, blocks }) => ({ role, content: blocks }));
  return { messages, ...getModelSettings(path) };
}
