import type { SessionContext } from '../../dialect/dialect.ts';
import { getModelSettings } from '../../dialect/model-settings.ts';
import type { Entry } from '../../model/entry.ts';
import { type ReadPayload, readPayloads } from '../../dialect/fold.ts';

/** All of a path: a compaction is where it begins. */
export function selectContext(path: readonly Entry[]): readonly Entry[] {
  return path;
}

/** The messages of a path, as Neovate 0.17.1 loads them to continue. */
export async function buildContext(
  path: readonly Entry[],
  readPayload: ReadPayload,
): Promise<SessionContext> {
  const messages = await readPayloads(path, readPayload);
  return { messages, ...getModelSettings(path) };
}
