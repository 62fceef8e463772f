import type { SessionContext } from '../../dialect/dialect.ts';
import type { ReadPayload } from '../../dialect/fold.ts';
import type { JsonObject } from '../../jsonl/edit/json.ts';
import type { Entry } from '../../model/entry.ts';
import { getMessage } from './format.ts';

/** All of a path: a boundary is where it begins. */
export function selectContext(path: readonly Entry[]): readonly Entry[] {
  return path;
}

/** The messages of a path. */
export async function buildContext(
  path: readonly Entry[],
  readPayload: ReadPayload,
): Promise<SessionContext> {
  const messages: JsonObject[] = [];
  for (const entry of path) {
    const message = getMessage(await readPayload(entry));
    if (message) messages.push(message);
  }
  return { messages, ...getContextSettings(path) };
}

export function getContextSettings(path: readonly Entry[]): Omit<SessionContext, 'messages'> {
  const answered = path.findLast(({ model }) => model?.modelId !== undefined);
  return { thinkingLevel: 'off', model: answered?.model ?? null };
}
