import type { ForkDialect } from '../dialect/forking.ts';
import type { Entry } from '../model/entry.ts';
import type { Session } from '../model/session.ts';
import { withPayloads } from '../read/turns/payloads.ts';

/** Reads the text of a user's message, which goes back to the editor; undefined without a message. */
export async function readUserText(
  { path }: Session,
  message: Entry | undefined,
  forking: ForkDialect | undefined,
): Promise<string | undefined> {
  if (!message) return undefined;
  return withPayloads(path, async (read) => forking?.getUserText(await read(message)));
}
