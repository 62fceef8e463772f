import type { SessionContext } from '../../../dialect/dialect.ts';
import type { Entry } from '../../../model/entry.ts';
import { getContextSettings, selectContext } from './context.ts';
import { project } from './project.ts';
import type { ReadPayload } from '../../../dialect/fold.ts';

/**
 * Builds the messages that the model is sent when the agent continues at the end of `path`, as
 * `buildSessionContext` of pi 1.6.0. Payloads are asked for one at a time.
 */
export async function buildContext(
  path: readonly Entry[],
  readPayload: ReadPayload,
): Promise<SessionContext> {
  const projected = await project(selectContext(path), readPayload);
  const messages = projected.flatMap((one) => one.messages);
  return { messages, ...getContextSettings(path) };
}
