import { FileError } from '../../errors.ts';
import type { Dialect, SessionContext } from '../dialect/dialect.ts';
import type { ReadPayload } from '../dialect/fold.ts';
import type { Entry } from '../model/entry.ts';
import type { Session } from '../model/session.ts';
import type { SentMessage } from '../model/text/sent-message.ts';
import type { PayloadTransform } from './turns/turns.ts';
import { withPayloads } from './turns/payloads.ts';
import { readSession } from './read-session.ts';
import { treeOf, getPath } from '../model/tree/tree.ts';

export interface ReadContextOptions {
  /** The entry to continue from; the current leaf unless given. */
  readonly leafId?: string;
}

/**
 * The context that the agent would send to the model on opening a session.
 * @throws FileError if the file cannot be read, is not a session, or has no such entry.
 */
export async function readContext(
  path: string,
  { leafId }: ReadContextOptions = {},
): Promise<SessionContext> {
  const { session, dialect } = await readSession(path);
  const tree = treeOf(session);
  const leaf = leafId === undefined ? tree.leaf : tree.get(leafId);
  if (leafId !== undefined && !leaf)
    throw new FileError(path, 'entry-unknown', `has no entry ${leafId}`);
  return readContextAt({ session, dialect, path: getPath(tree, leaf) });
}

interface ContextPlace {
  readonly session: Session;
  readonly dialect: Dialect;
  /** Root first. */
  readonly path: readonly Entry[];
  readonly transform?: PayloadTransform | undefined;
}

/**
 * The context at the end of a path, in the shape that every agent's has.
 * @throws FileError as `readContext`, and for a session that the agent does not open.
 */
export async function readSent(place: ContextPlace): Promise<readonly SentMessage[]> {
  const { messages } = await readContextAt(place);
  return place.dialect.context.toSent(messages);
}

async function readContextAt({
  session,
  dialect,
  path,
  transform,
}: ContextPlace): Promise<SessionContext> {
  const { problem } = session;
  if (problem) throw new FileError(session.path, 'session-unusable', problem.message);
  return withPayloads(session.path, (read) => {
    const readPayload: ReadPayload = transform
      ? async (at) => transform(await read(at), at.line)
      : read;
    return dialect.context.build(path, readPayload);
  });
}
